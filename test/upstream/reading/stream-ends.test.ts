import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { StreamAnswer } from '../../../src/upstream/answers/stream.ts'
import { createDispatcher } from '../../../src/upstream/connections/dispatcher.ts'
import type { HangUps } from '../../../src/upstream/connections/hang-ups.ts'
import { CallerForgeClient } from '../../../src/upstream/forge.ts'
import { apiBase } from '../../../src/upstream/hosts/url.ts'
import { AnswerRoom } from '../../../src/upstream/reading/answer-room.ts'
import { LargeAnswers } from '../../../src/upstream/reading/large-answers.ts'
import { LargeRequests } from '../../../src/upstream/reading/large-requests.ts'
import { collect } from '../../support/collect.ts'
import { spend } from '../../support/event-loop.ts'
import { mostInATurn } from '../../support/in-turns.ts'
import { keepsNothing } from '../../support/keeps-nothing.ts'
import { listen } from '../../support/listen.ts'
import { until } from '../../support/until.ts'
import { upstreamOf } from '../../support/upstream.ts'

/*
 * What a tool does with a stream once it is over: how long that takes is decided by whoever sent it, who can also have
 * hundreds of them end at once.
 */

const whose = { caller: 'ada', from: '192.0.2.1', holder: 'forge' }

/** Long enough to be handed over before more of it comes. */
const BEGINNING = 'x'.repeat(20_000)

async function readAll({ body }: StreamAnswer, came: (bytes: number) => void) {
  for await (const { length } of body(keepsNothing)) came(length)
}

/** Streams whose beginning has been read, and whose answers are still open. */
async function open(
  t: Test,
  count: number,
  {
    hangUps,
    read = readAll
  }: { readonly hangUps?: Pick<HangUps, 'allows'>; readonly read?: typeof readAll } = {}
) {
  const answers: ServerResponse[] = []
  const origin = await listen(t, (_request, response) => {
    response.write(BEGINNING)
    answers.push(response)
  })
  // The holder is who the test says: all of its forges have one address.
  const dispatcher = Object.assign(createDispatcher(), {
    answering: undefined,
    ...(hangUps && { hangUps: hangUps as HangUps })
  })
  const largeAnswers = new LargeAnswers()
  t.teardown(() => Promise.all([dispatcher.destroy(), largeAnswers.close()]))
  const { caller, from, holder } = whose
  const reading = { largeAnswers, room: new AnswerRoom(), leaving: new LargeRequests(), holder }
  const limits = { maxBytes: 1000, deadlineMs: 60_000 }
  const upstream = upstreamOf({
    base: apiBase(`${origin}/api/v4`),
    dispatcher,
    limits,
    userAgent: 'test',
    reading
  })
  const forge = new CallerForgeClient(upstream, { kind: 'private-token', token: caller }, { from })
  let bytes = 0
  const came = (length: number) => {
    bytes += length
  }
  const streams = Array.from({ length: count }, () =>
    forge.stream({ path: '/x', accept: 'text/plain', maxBytes: 100_000 }, answer => read(answer, came))
  )
  await until(() => bytes === count * BEGINNING.length)
  return { answers, streams, largeAnswers }
}

const ends = {
  'end at once': (answer: ServerResponse) => answer.end(),
  'break at once': (answer: ServerResponse) => answer.socket?.resetAndDestroy()
}

for (const [name, end] of Object.entries(ends)) {
  t.test(`of streams that ${name}, one goes on in a turn of the event loop`, async t => {
    const { answers, streams } = await open(t, 12)
    const most = mostInATurn(streams)
    for (const answer of answers) end(answer)
    t.equal(await most, 1)
  })

  t.test(`what follows streams that ${name} is paid for as one of their pieces`, async t => {
    const { answers, streams, largeAnswers } = await open(t, 1)
    const isOver = streams[0]!.catch(() => {}).then(() => spend(10))
    for (const answer of answers) end(answer)
    await isOver
    await setImmediate()
    t.ok(largeAnswers.isResting(whose))
  })
}

t.test('a read that has failed keeps nothing of what it read while its forge goes on', async t => {
  const readers: WeakRef<object>[] = []
  const { answers, streams } = await open(t, 1, {
    hangUps: { allows: () => false },
    async read({ body }, came) {
      const reader = { heldBytes: 0 }
      readers.push(new WeakRef(reader))
      let read = 0
      for await (const { length } of body(reader)) {
        read += length
        came(length)
        if (read === BEGINNING.length) throw new Error('enough')
      }
    }
  })
  let isOver = false
  const over = t.rejects(streams[0]!, { message: 'enough' }).then(() => {
    isOver = true
  })
  await until(() => {
    collect()
    return readers[0]!.deref() === undefined
  })
  t.notOk(isOver)
  answers[0]!.end()
  await over
})
