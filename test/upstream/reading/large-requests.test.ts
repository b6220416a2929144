import t from 'tap'
import { LargeRequests } from '../../../src/upstream/reading/large-requests.ts'

const MIB = 1024 * 1024
const ada = { caller: 'ada', from: '192.0.2.1', signal: undefined }
const body = { description: 'x'.repeat(MIB) }

t.test('large requests of a caller take its room while they wait to be written', async t => {
  const leaving = new LargeRequests()
  t.teardown(() => leaving.close())
  const asked = await Promise.allSettled(Array.from({ length: 20 }, () => leaving.write(body, ada)))
  const faults = asked.map(one => (one.status === 'rejected' ? one.reason.fault : undefined))
  t.same(faults, [...Array(15).fill(undefined), ...Array(5).fill('busy')])
  t.match(asked.at(-1), { reason: { message: /^Too many large requests of this caller are under way/ } })
  t.equal((await leaving.write(body, ada)).length, JSON.stringify(body).length, 'and give it back')
})

t.test('whose address has the room for large requests, and not they, are told so', t => {
  const leaving = new LargeRequests()
  t.teardown(() => leaving.close())
  const take = (credential: string) => leaving.take({ address: '192.0.2.1', credential }, MIB)
  for (let at = 0; at < 24; at++) take(`${at}`)
  t.throws(() => take('another'), { message: /^Too many large requests of this address are under way/ })
  t.end()
})
