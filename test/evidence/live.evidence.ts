import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { startForge } from '../forge/index.ts'
import { runLive } from './live/run.ts'
import { rows } from './support/toolsets.ts'

/* The live run itself, rehearsed: on the sandbox forge, whose one project plays the one that is made. */

async function rehearse(t: Test, projects: unknown[]) {
  const forge = await startForge({ sample: true })
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request
    asked.push(`${method} ${url}`)
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const say = (status: number, value?: unknown) => response.writeHead(status).end(JSON.stringify(value))
    if (/\/groups\/[^/]+\/(projects|subgroups)/.test(url)) return say(200, projects)
    if (method === 'POST' && url.endsWith('/projects'))
      return say(201, { id: 41, path_with_namespace: 'acme/rocket' })
    if (method === 'DELETE' && /\/projects\/\d+$/.test(url)) return say(202, {})
    const headers = {
      ...(request.headers as Record<string, string>),
      'private-token': forge.tokens.margaret!
    }
    const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}
    const answer = await fetch(forge.url + url, { method, headers: { ...headers, host: '' }, ...body })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  t.teardown(() => Promise.all([forge.close(), server.close(), server.closeAllConnections()]))
  const lines: string[] = []
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v4`
  const run = runLive({
    apiUrl,
    token: forge.tokens.margaret!,
    namespace: 'acme',
    print: line => lines.push(line)
  })
  return { run, lines, asked }
}

t.test('a live run works every tool and deletes what it made', async t => {
  const { run, lines, asked } = await rehearse(t, [])
  await run
  for (const { name } of rows)
    t.ok(
      lines.some(line => line.startsWith(`| ${name} | `)),
      name
    )
  const ok = lines.filter(line => / \| ok \| /.test(line)).length
  t.ok(ok > rows.length / 2, `${ok} of ${rows.length} are answered on the sandbox forge`)
  t.equal(lines.at(-1), 'Deleted acme/rocket')
  t.equal(asked.at(-1), 'DELETE /api/v4/projects/41')
})

t.test('a namespace that is not empty is refused, and nothing is changed in it', async t => {
  const { run, lines, asked } = await rehearse(t, [{ id: 1 }])
  await t.rejects(run, { message: /is not empty/ })
  t.same(lines, [])
  t.same(
    asked.filter(request => !request.startsWith('GET ')),
    []
  )
})
