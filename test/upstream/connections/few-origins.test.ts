import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { Dispatcher, MockAgent } from 'undici'
import { createDispatcher } from '../../../src/upstream/connections/dispatcher.ts'
import { FewOrigins } from '../../../src/upstream/connections/few-origins.ts'
import { exchange } from '../../../src/upstream/reading/exchange.ts'
import { until } from '../../support/until.ts'

const limits = { maxBytes: 1000, deadlineMs: 60_000 }

t.test('redirects of a forge to ever new hosts leave no pools behind at a proxy', async t => {
  let open = 0
  const proxy = createServer((_request, response) => response.end('forge'))
  proxy.on('connection', socket => {
    open++
    socket.on('close', () => open--)
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  const http = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const dispatcher = createDispatcher({ proxy: { http, https: '', no: '' } })
  t.teardown(() => dispatcher.destroy())
  for (let at = 0; at < 130; at++)
    await exchange(dispatcher, { origin: `http://h${at}.example`, path: '/', method: 'GET' }, limits)
  await until(() => open <= 64)
})

t.test('what is under way at the time goes on', async t => {
  const made: MockAgent[] = []
  const dispatcher = new FewOrigins(() => {
    const agent = new MockAgent()
    agent.disableNetConnect()
    for (const host of ['a', 'b'])
      agent.get(`http://${host}.example`).intercept({ path: '/' }).reply(200, host).delay(50).persist()
    made.push(agent)
    return agent
  }, 1)
  const ask = (host: string) =>
    exchange(dispatcher, { origin: `http://${host}.example`, path: '/', method: 'GET' }, limits)
  const answers = await Promise.all([ask('a'), ask('a'), ask('b')])
  t.same(
    answers.map(({ body }) => body),
    ['a', 'a', 'b']
  )
  t.equal(made.length, 2, 'one that is known needs no new one')
  await dispatcher.close()
})

t.test('it is closed once what is under way at a former one is over', async t => {
  const ends: (() => void)[] = []
  class Slow extends Dispatcher {
    override dispatch = () => true
    override close = () => new Promise<void>(resolve => ends.push(resolve))
  }
  const dispatcher = new FewOrigins(() => new Slow(), 1)
  for (const origin of ['http://a.example', 'http://b.example'])
    dispatcher.dispatch({ origin, path: '/', method: 'GET' }, {})
  const order: string[] = []
  const closed = dispatcher.close().then(() => order.push('closed'))
  const [former, last] = ends
  last!()
  await new Promise(resolve => setImmediate(resolve))
  order.push('former')
  former!()
  await closed
  t.same(order, ['former', 'closed'])
})
