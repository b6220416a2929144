import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { breakerLimits } from '../../../src/upstream/guard/breaker.ts'
import { listen } from '../../support/listen.ts'
import { captureLog } from '../../support/log.ts'
import { call, post, TOKEN, testServer } from '../../support/server.ts'

/* For how long a forge has answered nobody is told by itself, as others that answer would hide it in what is counted. */

/** A write is not tried again. */
const body = call('create_label', { project_id: '1', name: 'a', color: '#ffffff' })

const failing = async (server: FastifyInstance, headers: Record<string, string> = {}) => {
  for (let calls = 0; calls <= breakerLimits.volume; calls++)
    await post(server, { token: TOKEN, headers, body })
}

async function silent(server: FastifyInstance) {
  const { body } = await server.inject('/metrics?format=prometheus')
  const seconds = (name: string) => {
    const value = new RegExp(`^forge_mcp_${name}_silent_seconds (.*)$`, 'm').exec(body)?.[1]
    return value === undefined ? undefined : Number(value) > 0
  }
  return { home: seconds('forge'), named: seconds('named_forges'), checks: seconds('credential_checks') }
}

t.test('the forge of FORGE_API_URL that answers nobody', async t => {
  const ill = await listen(t, (_request, response) => response.writeHead(503).end())
  const server = await testServer(t, { FORGE_API_URL: ill, FORGE_TOOLSETS: 'all' })
  t.same(await silent(server), { home: false, named: undefined, checks: undefined })
  await failing(server)
  t.same(await silent(server), { home: true, named: undefined, checks: undefined })
})

t.test('a forge is well whose answers this process did not read, as it stood still', async t => {
  const { now } = performance
  let later = 0
  t.intercept(performance, 'now', { value: () => now.call(performance) + later })
  const forge = await listen(t, (_request, response) => {
    later += 200_000
    response.destroy()
  })
  const log = captureLog()
  const settings = { FORGE_API_URL: forge, FORGE_TOOLSETS: 'all', LOG_LEVEL: 'warn' }
  const server = await testServer(t, settings, log.stream)
  for (const other of [body, call('create_milestone', { project_id: '1', title: 'a' })])
    await post(server, { token: TOKEN, body: other })
  t.same(await silent(server), { home: false, named: undefined, checks: undefined })
  t.match(log.lines('trouble with a forge'), [{ advice: /stood still/ }, { advice: /stood still/ }])
})

t.test('one that callers name, where FORGE_ALLOWED_HOSTS has it, beside others that answer', async t => {
  const ill = await listen(t, (_request, response) => response.writeHead(503).end())
  const well = await listen(t, (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  )
  const at = (url: string) => ({ 'x-forge-api-url': url })
  const settings = { FORGE_API_URL: well, ENABLE_DYNAMIC_API_URL: 'true', FORGE_TOOLSETS: 'all' }
  for (const [hosts, named] of [
    ['', undefined],
    [[ill, well].map(url => new URL(url).host).join(','), true]
  ] as const) {
    const server = await testServer(t, { ...settings, FORGE_ALLOWED_HOSTS: hosts })
    await failing(server, at(ill))
    await post(server, { token: TOKEN, headers: at(`${well}/other`), body })
    await post(server, { token: TOKEN, body })
    t.same(await silent(server), { home: false, named, checks: undefined }, hosts)
  }
})
