import t, { type Test } from 'tap'
import type { Dispatcher } from 'undici'
import { Cancellation } from '../../../src/base/cancellation.ts'
import type { ForgeClient } from '../../../src/upstream/client.ts'
import { CallerForgeClient } from '../../../src/upstream/forge.ts'
import { apiBase } from '../../../src/upstream/hosts/url.ts'
import { AnswerRoom } from '../../../src/upstream/reading/answer-room.ts'
import { LargeAnswers } from '../../../src/upstream/reading/large-answers.ts'
import { LargeRequests } from '../../../src/upstream/reading/large-requests.ts'
import { until } from '../../support/until.ts'
import { upstreamOf } from '../../support/upstream.ts'

/** Asks a forge that takes no connection, as undici holds what is sent until one is made or fails. */
function unconnected(t: Test) {
  const waiting: Dispatcher.DispatchHandler[] = []
  const leaving = new LargeRequests()
  const largeAnswers = new LargeAnswers()
  t.teardown(() => Promise.all([leaving.close(), largeAnswers.close()]))
  const upstream = upstreamOf({
    base: apiBase('https://forge.example/api/v4'),
    dispatcher: {
      dispatch: (_options: unknown, handler: Dispatcher.DispatchHandler) => waiting.push(handler) > 0
    } as Dispatcher,
    limits: { maxBytes: 1_000, deadlineMs: 3_600_000 },
    userAgent: 'test',
    reading: { largeAnswers, room: new AnswerRoom(), leaving }
  })
  const credential = { kind: 'private-token', token: 'glpat-one-one-one-one-one' } as const
  const gone = new Cancellation()
  return {
    waiting,
    client: new CallerForgeClient(upstream, credential, { from: '192.0.2.1' }),
    /** Sends requests until there is no room for more, and gives them up. */
    async giveUp(ask: (client: ForgeClient) => Promise<unknown>): Promise<void> {
      const client = new CallerForgeClient(upstream, credential, { from: '192.0.2.1', gone })
      const faults: string[] = []
      const all: Promise<void>[] = []
      while (!faults.includes('busy')) {
        all.push(
          ask(client).then(
            () => {},
            ({ fault }) => void faults.push(fault)
          )
        )
        await new Promise(resolve => setImmediate(resolve))
      }
      await until(() => waiting.length === all.length - faults.length)
      gone.abort()
      await Promise.all(all)
      t.same(new Set(faults), new Set(['busy', 'cancelled']))
    }
  }
}

const failed = (handler: Dispatcher.DispatchHandler | undefined) =>
  handler?.onResponseError?.({ abort() {} } as never, new Error('no connection'))

const asked: Readonly<Record<string, (client: ForgeClient) => Promise<unknown>>> = {
  'large bodies': client => client.graphql('{ ci }', { text: 'x'.repeat(5 * 1024 * 1024) }),
  'bodies that are not large': client => client.graphql('{ ci }', { text: 'x'.repeat(60_000) }),
  'long paths': client => client.send({ method: 'GET', path: `/things?q=${'x'.repeat(30_000)}` }),
  'long paths of files': client =>
    client.stream({ path: `/raw?ref=${'x'.repeat(30_000)}`, accept: '*/*', maxBytes: 1 }, async () => {})
}

for (const [what, ask] of Object.entries(asked))
  t.test(`requests with ${what} that are given up count until no dispatcher holds them any more`, async t => {
    const { waiting, client, giveUp } = unconnected(t)
    await giveUp(ask)
    await t.rejects(ask(client), { fault: 'busy', message: /was not sent/ })
    for (const handler of waiting.splice(0, 2)) failed(handler)
    waiting.length = 0
    const again = ask(client)
    await until(() => waiting.length === 1)
    failed(waiting[0])
    await t.rejects(again, { fault: 'unreachable', message: /could not be reached/ })
  })

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
