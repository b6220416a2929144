import t from 'tap'
import { listen } from '../../support/listen.ts'
import { captureLog } from '../../support/log.ts'
import { call, post, testServer } from '../../support/server.ts'

t.test('a 502 that a proxy gives in place of a forge is not put down to the forge alone', async t => {
  const proxy = await listen(t, (_request, response) => response.writeHead(502).end())
  const body = call('create_issue', { project_id: '1', title: 'a' })
  for (const [settings, named] of [
    [{ HTTP_PROXY: proxy, HTTPS_PROXY: 'http://other.example' }, true],
    [{ HTTP_PROXY: proxy, NO_PROXY: '127.0.0.1' }, false],
    [{ HTTPS_PROXY: proxy }, false]
  ] as const) {
    const log = captureLog()
    const forge = named ? 'http://forge.corp.example' : proxy
    const server = await testServer(t, { FORGE_API_URL: forge, LOG_LEVEL: 'warn', ...settings }, log.stream)
    await post(server, { body })
    const [line] = log.lines('trouble with a forge')
    t.match(line, { trouble: '5xx', status: 502, advice: named ? /log of the proxy/ : /its own log/ })
    t.equal(String(line?.proxy).includes(new URL(proxy).host), named)
  }
})
