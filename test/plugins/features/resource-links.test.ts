import t, { type Test } from 'tap'
import { listen } from '../../support/listen.ts'
import { modernHeaders, modernRequest } from '../../support/modern.ts'
import { call, initialize, post, testServer } from '../../support/server.ts'

const review = { project_id: 'acme/rocket', merge_request_iid: '7', diff_chars: 0 }

/** A forge that answers by the address that it is asked for. @returns its origin */
const forgeOf = (t: Test, answer: (url: string) => unknown) =>
  listen(t, (request, response) => {
    const body = answer(request.url!)
    const isText = typeof body === 'string'
    response.setHeader('content-type', isText ? 'text/plain' : 'application/json')
    response.end(isText ? body : JSON.stringify(body))
  })

/** A merge request that changes many files. */
function changing(t: Test, files: number) {
  const diffs = Array.from({ length: files }, (_, at) => ({
    old_path: `src/a b${at}.ts`,
    new_path: `src/a b${at}.ts`,
    diff: '@@ -1 +1 @@\n-x\n+y\n'
  }))
  return forgeOf(t, url => {
    if (url.includes('/diffs')) return diffs
    return url.includes('/discussions') ? [] : { iid: 7, state: 'opened' }
  })
}

type Block = { type: string; uri?: string }

async function linksOf(
  t: Test,
  forge: string,
  version: string | undefined,
  settings: Record<string, string> = {}
) {
  const server = await testServer(t, { FORGE_API_URL: forge, ...settings })
  const headers: Record<string, string> = {}
  if (version !== undefined)
    headers['mcp-session-id'] = String(
      (await post(server, { body: initialize(version) })).headers['mcp-session-id']
    )
  const { result } = (await post(server, { headers, body: call('review_merge_request', review) })).json()
  return (result.content as Block[]).filter(({ type }) => type !== 'text')
}

t.test('what a result has no room for is linked, for clients that know links', async t => {
  const forge = await changing(t, 2)
  const link = {
    type: 'resource_link',
    name: 'src/a b0.ts',
    title: 'Diff of a file',
    mimeType: 'application/json',
    uri: 'forge://projects/acme%2Frocket/merge_requests/7/diffs/src/a%20b0.ts'
  }
  const links = await linksOf(t, forge, '2025-06-18')
  t.equal(links.length, 2)
  t.same(links[0], link)
  t.same(await linksOf(t, forge, '2025-03-26'), [])
  t.same(await linksOf(t, forge, undefined), [], 'nothing is taken for granted without a handshake')
  const server = await testServer(t, { FORGE_API_URL: forge })
  const modern = await post(server, {
    headers: modernHeaders('tools/call', 'review_merge_request'),
    body: modernRequest('tools/call', { name: 'review_merge_request', arguments: review })
  })
  t.match(modern.json().result.content[1], link)
})

t.test('no more than ten are, and none that may not be read', async t => {
  const forge = await changing(t, 30)
  t.equal((await linksOf(t, forge, '2025-11-25')).length, 10)
  t.same(await linksOf(t, forge, '2025-11-25', { FORGE_RESOURCES: 'false' }), [])
  t.same(await linksOf(t, forge, '2025-11-25', { FORGE_DENIED_TOOLS_REGEX: 'file_diff' }), [])
})

t.test('of a pipeline with many failed jobs the logs that were not read are', async t => {
  const forge = await forgeOf(t, url => {
    if (url.includes('/jobs?')) return Array.from({ length: 8 }, (_, at) => ({ id: at + 1, name: 'test' }))
    if (url.includes('/trace')) return 'error: no'
    return url.endsWith('/pipelines/5') ? { id: 5, project_id: 8, status: 'failed' } : {}
  })
  const server = await testServer(t, { FORGE_API_URL: forge })
  const { headers } = await post(server, { body: initialize() })
  const { result } = (
    await post(server, {
      headers: { 'mcp-session-id': String(headers['mcp-session-id']) },
      body: call('diagnose_pipeline', { project_id: 'acme/rocket', pipeline_id: '5' })
    })
  ).json()
  t.same(
    (result.content as Block[]).flatMap(({ uri }) => uri ?? []),
    ['forge://projects/8/jobs/7/log', 'forge://projects/8/jobs/8/log']
  )
})
