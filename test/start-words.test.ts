import t from 'tap'
import { startWords } from '../src/start-words.ts'
import { testServer } from './support/server.ts'

const token = 'glpat-own-own-own-own-own'

t.test('a start says where calls go, and of the way they come only what there is', async t => {
  const over = async (settings: Record<string, string>, address: string) =>
    startWords(await testServer(t, { FORGE_API_URL: 'https://forge.example/git', ...settings }), address)
  const http = await over({}, 'http://127.0.0.1:3000')
  t.match(http.says, /of forge\.example at http:\/\/127\.0\.0\.1:3000\/mcp$/)
  t.match(http.facts, {
    forge: 'https://forge.example/git/api/v4',
    callers: 'bring a token',
    sessions: 'in memory'
  })
  const stdio = await over({ STREAMABLE_HTTP: 'false', FORGE_PERSONAL_ACCESS_TOKEN: token }, 'stdio')
  t.match(stdio.says, /over stdio$/)
  t.equal(stdio.facts.callers, 'one, with FORGE_PERSONAL_ACCESS_TOKEN')
  t.notOk('sessions' in stdio.facts)
  t.notOk('filesNotThere' in http.facts)
  const missed = await over({ HTTP_PROXY_FILE: '/nowhere-at-all' }, 'http://127.0.0.1:3000')
  t.same(missed.facts.filesNotThere, ['HTTP_PROXY_FILE'])
})
