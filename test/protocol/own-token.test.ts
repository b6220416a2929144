import t from 'tap'
import { withoutOwnToken } from '../../src/protocol/own-token.ts'
import { listen } from '../support/listen.ts'
import { call, post, request, TOKEN, testServer } from '../support/server.ts'

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

t.test('a result stays JSON where an escape and a token meet', async t => {
  const token = 'n123456789012345678901'
  const text = `a\n${token.slice(1)} \\${token}`
  t.same(
    JSON.parse(withoutOwnToken(JSON.stringify({ text }), exchangeOf(token))).text,
    'a\n[token] \\n[token]'
  )
})

t.test('a result of who has no token is as it is', async t => {
  t.equal(withoutOwnToken('{"a":1}', exchangeOf('')), '{"a":1}')
})
