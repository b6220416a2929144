import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import type { Dispatcher } from 'undici'
import { createDispatcher } from '../../../src/upstream/connections/dispatcher.ts'
import { GivenUp } from '../../../src/upstream/connections/given-up.ts'
import { sendRequest } from '../../../src/upstream/connections/sent-request.ts'
import type { ForgeError } from '../../../src/upstream/errors.ts'
import { LARGE_ANSWER_BYTES } from '../../../src/upstream/reading/answer-cost.ts'
import { AnswerRoom } from '../../../src/upstream/reading/answer-room.ts'
import { exchange } from '../../../src/upstream/reading/exchange.ts'
import { LargeAnswers } from '../../../src/upstream/reading/large-answers.ts'
import type { Reader } from '../../../src/upstream/reading/reader.ts'
import { collect } from '../../support/collect.ts'
import { until } from '../../support/until.ts'

t.test('nothing is kept of a request whose large answer is given up while it waits for its turn', async t => {
  const forge = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': '1000000' }).write('x'.repeat(2 * LARGE_ANSWER_BYTES))
  })
  await new Promise<void>(resolve => forge.listen(0, '127.0.0.1', resolve))
  const dispatcher = createDispatcher()
  t.teardown(async () => {
    await dispatcher.destroy()
    forge.closeAllConnections()
    forge.close()
  })
  const origin = `http://127.0.0.1:${(forge.address() as AddressInfo).port}`
  // Of one caller one is collected at a time; nothing else ends in the time of this test.
  const largeAnswers = new LargeAnswers(3_600_000)
  t.teardown(() => largeAnswers.close())
  const reader: Reader = {
    largeAnswers,
    room: new AnswerRoom(),
    caller: 'a',
    from: undefined,
    holder: 'a',
    signal: undefined
  }
  const limits = { maxBytes: 10_000_000, deadlineMs: 3_600_000 }
  const stop = new AbortController()
  const first = exchange(dispatcher, { origin, path: '/', method: 'GET' }, limits, stop.signal, reader)
  await until(() => reader.room.size > LARGE_ANSWER_BYTES)
  const asked = async (deadlineMs: number): Promise<WeakRef<Buffer>> => {
    const body = Buffer.alloc(1_000_000)
    const options = { origin, path: '/', method: 'POST', body } as const
    const answer = exchange(dispatcher, options, { ...limits, deadlineMs }, undefined, reader)
    await t.rejects(answer, { message: /did not answer in full/ })
    return new WeakRef(body)
  }
  const requests = await Promise.all([asked(300), asked(400)])
  await until(() => {
    collect()
    return requests.every(request => request.deref() === undefined)
  })
  stop.abort()
  await t.rejects(first, { message: 'The call was cancelled.' })
})

/** Asks as somebody, and gives up at once what is sent. */
function abandoning() {
  const waiting: Dispatcher.DispatchHandler[] = []
  const dispatcher = {
    givenUp: new GivenUp(),
    dispatch: (_options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) =>
      waiting.push(handler) > 0
  }
  const errors: string[] = []
  const unsent: boolean[] = []
  const sink = {
    head() {},
    data() {},
    end() {},
    fail({ fault, isUnsent }: ForgeError) {
      errors.push(fault)
      unsent.push(isUnsent)
    }
  }
  return {
    waiting,
    errors,
    unsent,
    late: (deadlineMs: number) =>
      sendRequest(dispatcher, { origin: HOLE, path: '/', method: 'POST' }, deadlineMs, undefined, sink),
    /** @returns whether it was sent */
    ask(origin: string, holder?: string): boolean {
      const stop = new AbortController()
      const before = waiting.length
      sendRequest(dispatcher, { origin, path: '/', method: 'GET', holder }, 60_000, stop.signal, sink)
      stop.abort()
      return waiting.length > before
    }
  }
}

const HOLE = 'http://192.0.2.1'

t.test(
  'so many requests as one has given up wait for a connection, and no more; those to others go on',
  t => {
    const { ask, waiting, errors } = abandoning()
    for (let sent = 0; sent < 200; sent++) ask(HOLE)
    t.equal(waiting.length, 128)
    t.equal(errors.filter(fault => fault === 'cancelled').length, 128)
    t.equal(errors.filter(fault => fault === 'unreachable').length, 72)
    t.ok(ask('http://192.0.2.2'))
    waiting[0]!.onRequestStart?.({ abort() {} } as never, {})
    t.ok(ask(HOLE), 'one of them has gone')
    t.notOk(ask(HOLE))
    for (const handler of waiting)
      handler.onResponseError?.({ abort() {} } as never, new Error('no connection'))
    t.ok(ask(HOLE))
    t.end()
  }
)

t.test('who has given up nothing is sent to an origin to which another may send no more', t => {
  const { ask } = abandoning()
  while (ask(HOLE, '198.51.100.1'));
  t.ok(ask(HOLE, '198.51.100.2'))
  t.end()
})

t.test('who gives up requests to ever new origins is refused at all of them', t => {
  const { ask, waiting } = abandoning()
  for (let port = 1; port <= 1000; port++) ask(`${HOLE}:${port}`, '198.51.100.1')
  t.equal(waiting.length, 512)
  t.end()
})

t.test('where many have given up many, each of them may have fewer, and who has none is sent', t => {
  const { ask, waiting } = abandoning()
  for (let holder = 0; holder < 16; holder++) while (ask(HOLE, `198.51.100.${holder}`));
  t.equal(waiting.length, 2048)
  for (let sent = 0; sent < 100; sent++) ask(HOLE, '203.0.113.1')
  t.equal(waiting.length, 2048 + 16)
  for (let port = 1; port <= 100; port++) ask(`${HOLE}:${port}`, '203.0.113.1')
  t.equal(waiting.length, 2048 + 64)
  t.ok(ask(HOLE, '203.0.113.2'))
  t.end()
})

t.test(
  'what is stopped before it has a connection was not sent, and what is stopped after that may be',
  async t => {
    const { late, waiting, errors, unsent } = abandoning()
    late(1)
    await until(() => errors.length === 1)
    late(50)
    waiting[1]!.onRequestStart?.({ abort() {} } as never, {})
    await until(() => errors.length === 2)
    t.same(errors, ['timeout', 'timeout'])
    t.same(unsent, [true, false])
  }
)

t.test('what is turned away at once was not sent', t => {
  const { ask, unsent } = abandoning()
  while (ask(HOLE));
  t.equal(unsent.at(-1), true)
  t.end()
})

/** Gives up as many requests as a holder may. @returns how many that were */
function filled(givenUp: GivenUp, holder: string, originOf: (at: number) => string): number {
  let sent = 0
  // Where nothing is ever full it ends, too.
  for (; sent < 4_096 && !givenUp.isFull(holder, originOf(sent)); sent++) givenUp.add(holder, originOf(sent))
  return sent
}
const oneOrigin = () => HOLE
const everNew = (at: number) => `${HOLE}:${at}`

t.test('one holder is full with 128 requests at one origin and 512 at all, another one is not', t => {
  const givenUp = new GivenUp()
  t.equal(filled(givenUp, 'a', oneOrigin), 128)
  t.notOk(givenUp.isFull('a', 'http://192.0.2.2'), 'another origin')
  t.notOk(givenUp.isFull('b', HOLE), 'another holder')
  t.equal(filled(givenUp, 'a', everNew), 512 - 128)
  t.ok(givenUp.isFull('a', 'http://192.0.2.2'))
  t.notOk(givenUp.isFull('b', HOLE))
  t.end()
})

t.test('a holder is full with 16 at one origin and 64 at all once all have 2,048', t => {
  const givenUp = new GivenUp()
  for (let holder = 0; holder < 4; holder++) t.equal(filled(givenUp, `${holder}`, everNew), 512)
  t.equal(filled(givenUp, 'a', oneOrigin), 16)
  t.equal(filled(givenUp, 'a', everNew), 64 - 16)
  t.notOk(givenUp.isFull('b', HOLE), 'who has none')
  for (let at = 0; at < 512; at++) givenUp.drop('0', everNew(at))
  t.equal(
    filled(givenUp, 'b', oneOrigin),
    128,
    'with those of one holder gone, each may have as many as before'
  )
  t.end()
})

t.test('a request that is dropped makes room for another, at its origin and at all', t => {
  const givenUp = new GivenUp()
  filled(givenUp, 'a', oneOrigin)
  givenUp.drop('a', HOLE)
  t.equal(filled(givenUp, 'a', oneOrigin), 1)
  filled(givenUp, 'a', everNew)
  givenUp.drop('a', everNew(0))
  t.equal(filled(givenUp, 'a', everNew), 1)
  t.end()
})
