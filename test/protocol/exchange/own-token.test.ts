import t, { type Test } from 'tap'
import { withoutOwnToken } from '../../../src/protocol/exchange/own-token.ts'
import { listen } from '../../support/listen.ts'
import { call, post, request, TOKEN, testServer } from '../../support/server.ts'
import { stdioServer } from '../../support/stdio.ts'

const exchangeOf = (token: string) =>
  ({ session: { credential: { kind: 'private-token', token } } }) as Parameters<typeof withoutOwnToken>[1]

t.test(
  'a forge that writes the caller’s token into records and files does not tell it to a model',
  async t => {
    const forge = await listen(t, (incoming, response) => {
      const isFile = incoming.url!.includes('/raw')
      response.setHeader('content-type', isFile ? 'text/plain' : 'application/json')
      response.end(
        isFile ? `key ${TOKEN}\n` : JSON.stringify({ name: `a ${TOKEN}`, title: `a ${TOKEN}`, iid: 1 })
      )
    })
    const server = await testServer(t, { FORGE_API_URL: forge, FORGE_TOOLSETS: 'all' })
    for (const body of [
      call('get_branch', { project_id: '1', branch_name: 'main' }),
      call('get_file_contents', { project_id: '1', file_path: 'a', ref: 'main' }),
      request('resources/read', { uri: 'forge://projects/1/merge_requests/1' })
    ]) {
      const { body: said } = await post(server, { body })
      t.match(said, '[token]')
      t.notMatch(said, TOKEN)
    }
  }
)

/** A forge whose names and states are all a caller's token. */
const tellTale = (t: Test) =>
  listen(t, ({ url = '' }, response) => {
    const one = { id: 7, iid: 2, project_id: 1, name: `a ${TOKEN}`, status: TOKEN, ref: 'main', sha: 'abc' }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(/pipelines\/\d+$/.test(url) ? one : [one]))
  })

const waiting = {
  name: 'wait_for_pipeline',
  arguments: { project_id: '1', pipeline_id: '7', timeout_seconds: 1 },
  _meta: { progressToken: 'p1' }
}

t.test('nor does it by what completes an argument, nor in what is said before an answer', async t => {
  const server = await testServer(t, { FORGE_API_URL: await tellTale(t), FORGE_TOOLSETS: 'all' })
  const completed = await post(server, {
    body: request('completion/complete', {
      ref: { type: 'ref/prompt', name: 'triage_issues' },
      argument: { name: 'label', value: '' },
      context: { arguments: { project_id: '1' } }
    })
  })
  const accept = 'application/json, text/event-stream'
  const waited = await post(server, { headers: { accept }, body: request('tools/call', waiting) })
  for (const [{ body }, says] of [
    [completed, '"values":["a [token]"]'],
    [waited, 'The pipeline is \\"[token]\\".']
  ] as const) {
    t.match(body, says)
    t.notMatch(body, TOKEN)
  }
})

t.test('nor over stdio', async t => {
  const { write, next } = await stdioServer(t, await tellTale(t), { FORGE_TOOLSETS: 'all' })
  write(request('tools/call', waiting))
  t.match(await next(), { params: { message: 'The pipeline is "[token]".' } })
})

t.test('a result stays JSON where an escape and a token meet', async t => {
  const token = 'n123456789012345678901'
  const text = `a\n${token.slice(1)} \\${token}`
  t.same(
    JSON.parse(withoutOwnToken(JSON.stringify({ text }), exchangeOf(token))).text,
    'a\n[token] \\n[token]'
  )
})

t.test(
  'a token longer than what it is found by is struck whole, and where only its beginning is',
  async t => {
    const token = 'abcd'.repeat(100)
    const text = `${token}, ${token.slice(0, 300)}! ${token}`
    t.equal(withoutOwnToken(text, exchangeOf(token)), '[token], [token]! [token]')
  }
)

t.test('a result of who has no token is as it is', async t => {
  t.equal(withoutOwnToken('{"a":1}', exchangeOf('')), '{"a":1}')
})
