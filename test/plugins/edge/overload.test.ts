import Fastify from 'fastify'
import fp from 'fastify-plugin'
import t from 'tap'
import pressure from '../../../plugins/operations/pressure.ts'
import { startForge } from '../../forge/index.ts'
import { oauthSettings } from '../../support/oauth.ts'
import { post, request, testServer } from '../../support/server.ts'

/** Keeps the event loop from turning, without a use of the processor. */
const block = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

t.test(
  'while the event loop is late /mcp answers 503 with Retry-After; health and metrics are spared',
  async t => {
    const server = await testServer(t, { MAX_EVENT_LOOP_DELAY_MS: '20' })
    t.equal((await post(server, { body: request('ping') })).statusCode, 200)
    const end = performance.now() + 5000
    let shed = await post(server, { body: request('ping') })
    while (shed.statusCode === 200 && performance.now() < end) {
      block(150)
      await new Promise(resolve => setImmediate(resolve))
      shed = await post(server, { body: request('ping') })
    }
    t.equal(shed.statusCode, 503)
    t.match(shed.json(), { jsonrpc: '2.0', error: { message: /^The server is overloaded/ } })
    t.equal(shed.headers['retry-after'], '10')
    t.equal((await server.inject('/livez')).statusCode, 200)
    t.equal((await server.inject('/readyz')).statusCode, 200, 'a moment is no reason to leave')
    t.match((await server.inject('/metrics')).json(), { rejectedByCapacity: 1 })
  }
)

t.test('logins are shed too, in the terms of OAuth; what tells of them is not', async t => {
  const forge = await startForge({ sample: true })
  t.teardown(() => forge.close())
  const server = await testServer(t, oauthSettings(forge))
  const overload = (is = true) => server.lifecycle.overload.sample(is, performance.now())
  const origin = 'https://app.example'
  for (const [method, url] of [
    ['GET', '/authorize'],
    ['GET', '/callback'],
    ['POST', '/consent'],
    ['POST', '/register'],
    ['POST', '/token'],
    ['POST', '/revoke']
  ] as const) {
    overload()
    const { statusCode, headers, ...answer } = await server.inject({ method, url, headers: { origin } })
    t.equal(statusCode, 503, url)
    t.match(answer.json(), {
      error: 'temporarily_unavailable',
      error_description: /^The server is overloaded/
    })
    t.match(headers, { 'retry-after': '10', 'cache-control': 'no-store' })
    if (['/register', '/token', '/revoke'].includes(url)) t.equal(headers['access-control-allow-origin'], '*')
  }
  overload()
  const page = await server.inject({ url: '/authorize', headers: { accept: 'text/html' } })
  t.equal(page.statusCode, 503)
  t.match(page.body, /The server is overloaded/)
  t.match((await server.inject('/metrics')).json(), { rejectedByCapacity: 7 })
  overload()
  for (const url of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-authorization-server'])
    t.equal((await server.inject(url)).statusCode, 200)
  t.equal((await server.inject({ method: 'OPTIONS', url: '/token' })).statusCode, 204)
  overload(false)
  t.equal((await server.inject({ method: 'POST', url: '/token' })).statusCode, 415)
})

t.test('an event loop that hardly turns is late by as long as it was held, not for ever', async t => {
  const server = await testServer(t, { MAX_EVENT_LOOP_DELAY_MS: '60000' })
  for (let held = 0; held < 4; held++) {
    block(1100)
    await new Promise(resolve => setImmediate(resolve))
    t.equal((await post(server, { body: request('ping') })).statusCode, 200)
  }
})

t.test('a start that takes long is no overload', async t => {
  const samples: boolean[] = []
  const server = Fastify()
  t.teardown(() => server.close())
  server.decorate('config', { MAX_EVENT_LOOP_DELAY_MS: 500 } as typeof server.config)
  const overload = { sample: (is: boolean) => void samples.push(is) }
  server.decorate('lifecycle', { overload, standstill: { look() {} } } as unknown as typeof server.lifecycle)
  server.decorate('metrics', { watch() {} } as unknown as typeof server.metrics)
  for (const name of ['operations/env', 'operations/lifecycle', 'operations/metrics'])
    server.register(fp(async () => {}, { name }))
  server.register(pressure)
  server.register(async () => block(1100))
  await server.ready()
  while (samples.length === 0) await new Promise(resolve => setTimeout(resolve, 5))
  t.same(samples, [false])
})

t.test('readiness answers 503 once the overload has lasted', async t => {
  const server = await testServer(t)
  server.lifecycle.overload.sample(true, performance.now() - 11_000)
  const answer = await server.inject('/readyz')
  t.equal(answer.statusCode, 503)
  t.same(answer.json(), { status: 'overloaded' })
  t.equal((await server.inject('/livez')).statusCode, 200)
  server.lifecycle.overload.sample(false, performance.now())
  t.equal((await server.inject('/readyz')).statusCode, 200)
})
