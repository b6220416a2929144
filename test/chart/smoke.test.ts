import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { listen } from '../support/listen.ts'
import { testServer } from '../support/server.ts'

/* What the pod of `helm test` does (helm/templates/tests), done here: what it would tell of a service, good or not. */

const [, script] = /--eval\n\s+- \|\n([\s\S]+?)\{\{- end \}\}/.exec(
  readFileSync(new URL('../../helm/templates/tests/smoke.yaml', import.meta.url), 'utf8')
)!

/** Runs it. @returns its lines and its exit code */
async function smoke(url: string) {
  const lines: string[] = []
  // The page's own `console` and `process` are those of this process: it gets others by the same names.
  const code = `export default async (console, process) => {\n${script!}\n}`
  const { default: run } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  const process = { env: { URL: url }, exitCode: 0 }
  await run({ log: (...words: string[]) => lines.push(words.join(' ')) }, process)
  return { lines, code: process.exitCode }
}

t.test('the smoke test of the chart passes at the service, and fails at what is another', async t => {
  const server = await testServer(t)
  await server.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  const well = await smoke(url)
  t.equal(well.code, 0)
  t.equal(well.lines.length, 3)
  for (const line of well.lines) t.match(line, /^ok /)
  const other = await smoke(await listen(t, (_request, response) => response.writeHead(503).end('{}')))
  t.equal(other.code, 1)
  for (const line of other.lines) t.match(line, /^FAILED /)
})
