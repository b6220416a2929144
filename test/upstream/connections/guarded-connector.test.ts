import { createServer } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import t from 'tap'
import { Agent, request } from 'undici'
import { guardedConnector } from '../../../src/upstream/connections/guarded-connector.ts'
import { answering } from '../../support/answering.ts'

const anyPrivate = { denyPrivate: false }
const publicOnly = { denyPrivate: true }

t.test('a connection', async t => {
  const server = createServer((_request, response) => response.end('here'))
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const ask = async (host: string, connect: ReturnType<typeof guardedConnector>) => {
    const dispatcher = new Agent({ connect })
    t.teardown(() => dispatcher.destroy())
    const { body } = await request(`http://${host}:${port}`, { dispatcher })
    return body.text()
  }

  t.test('goes to allowed literals and names', async t => {
    t.equal(await ask('127.0.0.1', guardedConnector(anyPrivate)), 'here')
    t.equal(await ask('forge.example', guardedConnector(anyPrivate, {}, answering('127.0.0.1'))), 'here')
  })
  t.test('is not made to a refused literal, for which no resolver is asked', async t => {
    const connect = guardedConnector(publicOnly, {}, () => t.fail('resolved'))
    await t.rejects(ask('127.0.0.1', connect), { code: 'FORBIDDEN_ADDRESS' })
    await t.rejects(ask('[::ffff:127.0.0.1]', connect), { code: 'FORBIDDEN_ADDRESS' })
  })
  t.test('is checked anew each time, so that a name cannot change after the check', async t => {
    const answers = [answering('127.0.0.1'), answering('169.254.169.254')]
    let asked = 0
    const changing: LookupFunction = (...args) => answers[asked++]!(...args)
    const connect = guardedConnector(anyPrivate, {}, changing)
    t.equal(await ask('forge.example', connect), 'here')
    await t.rejects(ask('forge.example', connect), { code: 'FORBIDDEN_ADDRESS' })
  })
})
