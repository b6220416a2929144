import t, { type Test } from 'tap'
import { plainLength } from '../../../src/upstream/answers/body.ts'
import type { StreamAnswer } from '../../../src/upstream/answers/stream.ts'
import { createDispatcher } from '../../../src/upstream/connections/dispatcher.ts'
import type { ReplyHeaders } from '../../../src/upstream/connections/reply-headers.ts'
import { CallerForgeClient } from '../../../src/upstream/forge.ts'
import { apiBase } from '../../../src/upstream/hosts/url.ts'
import { AnswerRoom } from '../../../src/upstream/reading/answer-room.ts'
import { LargeAnswers } from '../../../src/upstream/reading/large-answers.ts'
import { LargeRequests } from '../../../src/upstream/reading/large-requests.ts'
import { collect } from '../../support/collect.ts'
import { listen } from '../../support/listen.ts'
import { until } from '../../support/until.ts'
import { openGuard } from '../../support/upstream.ts'

// They wait more than they work.
t.jobs = 3

const later = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
const KIB = 1024

/** A client of a forge that sends 400 KiB of any record and waits, and any log at once, or only its beginning, or that of a refusal. */
async function clients(t: Test, room: AnswerRoom, deadlineMs = 3000) {
  const origin = await listen(t, (request, response) => {
    if (request.url!.includes('small')) return void response.end('1')
    if (request.url!.includes('stalled')) return void response.write('l'.repeat(2 * KIB))
    if (request.url!.includes('refused')) return void response.writeHead(403).write('l'.repeat(63 * KIB))
    if (request.url!.includes('log')) return void response.end('l'.repeat(64 * KIB))
    response.write('"'.padEnd(400 * KIB, 'x'))
  })
  const dispatcher = createDispatcher()
  t.teardown(() => dispatcher.destroy())
  const largeAnswers = new LargeAnswers()
  return (token: string, holder?: string, from?: string) =>
    new CallerForgeClient(
      {
        base: apiBase(`${origin}/api/v4`),
        dispatcher,
        limits: { maxBytes: 1024 * KIB, deadlineMs },
        streamMs: deadlineMs,
        userAgent: 'test',
        guard: openGuard(),
        reading: { largeAnswers, room, leaving: new LargeRequests(), ...(holder !== undefined && { holder }) }
      },
      { kind: 'private-token', token },
      { from }
    )
}

const half = { method: 'GET', path: '/half' } as const
const small = { method: 'GET', path: '/small' } as const
const log = { path: '/log', accept: 'text/plain', maxBytes: 1024 * KIB }

t.test('a caller whose answers arrive for ever loses the oldest, and others lose nothing', async t => {
  const room = new AnswerRoom({ all: 4096 * KIB, each: 1024 * KIB })
  const clientOf = await clients(t, room, 5000)
  const other: Promise<unknown> = clientOf('glpat-other-other-other').send(half)
  other.catch(() => {})
  const greedy = Array.from({ length: 4 }, () => clientOf('glpat-greedy-greedy-1').send(half))
  const results = Promise.allSettled(greedy)
  await later(500)
  t.ok(room.size <= 1024 * KIB + 450 * KIB, `${room.size} bytes are held`)
  t.equal((await clientOf('glpat-other-other-other').send(small)).value, 1)
  const faults = (await results).map(result => (result as PromiseRejectedResult).reason.fault)
  // How many are lost depends on how much of each had come when another's turn was.
  t.same([...new Set(faults)].toSorted(), ['timeout', 'too-large'])
  await t.rejects(other, { name: 'ForgeError', fault: 'timeout' })
  t.equal(room.size, 0, 'and all is given back')
})

t.test('tokens of one address share its room at a forge of their own', async t => {
  const room = new AnswerRoom({ all: 4096 * KIB, each: 1024 * KIB })
  const clientOf = await clients(t, room)
  const made = Array.from({ length: 6 }, (_, at) =>
    clientOf(`glpat-made-up-made-up-${at}`, '192.0.2.1', '198.51.100.1').send(half)
  )
  const results = Promise.allSettled(made)
  await later(500)
  t.ok(room.size <= 1024 * KIB, `${room.size} bytes are held`)
  t.equal((await results).filter(({ status }) => status === 'rejected').length, 6)
})

t.test(
  'of addresses that share a forge of callers, one that reads much costs no other its answer',
  async t => {
    const room = new AnswerRoom({ all: 4096 * KIB, each: 1024 * KIB })
    const clientOf = await clients(t, room, 60_000)
    const at = (from: string) => clientOf('glpat-keeps-keeps-keep', '192.0.2.1', from)
    const other = at('198.51.100.2')
    other.keep(100 * KIB)
    const reads = at('198.51.100.1')
    reads.keep(1000 * KIB)
    t.equal(await other.paced(() => 1), 1)
    other.release()
    reads.release()
    t.equal(room.size, 0)
  }
)

t.test('many tokens of one address take no large answer of the operator’s forge from another', async t => {
  const room = new AnswerRoom({ all: 8192 * KIB, each: 4096 * KIB })
  const lost: string[] = []
  const whose = (caller: string, from: string) => ({ caller, from, holder: caller })
  for (let at = 0; at < 40; at++)
    room.stream(whose(`token ${at}`, '198.51.100.1'), Number.POSITIVE_INFINITY, () =>
      lost.push('of the many')
    )
  room.exchange(whose('neighbour', '198.51.100.2'), () => lost.push('of the neighbour')).grow(3000 * KIB)
  t.same([...new Set(lost)], ['of the many'])
})

t.test(
  'a stream counts as no more than can be ahead of its reader, which of a short one is twice its length',
  t => {
    const room = new AnswerRoom({ all: 64 * KIB * KIB })
    const sizeOf = (headers: ReplyHeaders) => {
      const whose = { caller: 'ada', from: undefined, holder: 'ada' }
      const held = room.stream(whose, plainLength(headers), () => {})
      const { size } = room
      held.leave()
      return size / KIB
    }
    t.equal(sizeOf({ 'content-length': `${20 * KIB}` }), 56)
    for (const headers of [
      { 'content-length': `${2000 * KIB}` },
      { 'content-length': `${20 * KIB}`, 'content-encoding': 'gzip' },
      { 'content-length': 'x' },
      {}
    ])
      t.equal(sizeOf(headers), 256, JSON.stringify(headers))
    t.end()
  }
)

/** A reader of a stream that keeps this many KiB once it has a piece. */
const keeping = (kib: number) => async (answer: StreamAnswer) => {
  const reader = { heldBytes: 0 }
  for await (const _ of answer.body(reader)) reader.heldBytes = kib * KIB
}

t.test('what a reader of a stream keeps counts while the stream goes on', async t => {
  const room = new AnswerRoom({ each: 2048 * KIB })
  const clientOf = await clients(t, room, 60_000)
  const first = clientOf('glpat-keeps-keeps-keep').stream({ ...log, path: '/stalled' }, keeping(1730))
  const lost = t.rejects(first, { name: 'ForgeError', fault: 'too-large' })
  await until(() => room.size >= 1730 * KIB)
  await clientOf('glpat-keeps-keeps-keep').stream(log, keeping(0))
  await lost
  t.equal(room.size, 0)
})

t.test(
  'a refusal of a stream counts as one while it arrives, and the oldest ends without its text',
  async t => {
    const room = new AnswerRoom({ each: 1024 * KIB })
    const clientOf = await clients(t, room)
    let over = 0
    const refused = Array.from({ length: 6 }, () =>
      t.rejects(
        clientOf('glpat-keeps-keeps-keep')
          .stream({ ...log, path: '/refused' }, keeping(0))
          .finally(() => over++),
        { name: 'ForgeStatusError', status: 403 }
      )
    )
    await until(() => over >= 2)
    t.equal(room.size, 1024 * KIB)
    await Promise.all(refused)
    t.equal(room.size, 0)
  }
)

t.test('what it keeps at the end of the stream counts until the call is over', async t => {
  const room = new AnswerRoom({ each: 2048 * KIB })
  const clientOf = await clients(t, room)
  const [first, second] = [clientOf('glpat-keeps-keeps-keep'), clientOf('glpat-keeps-keeps-keep')]
  await first.stream(log, keeping(1500))
  t.equal(room.size, 1500 * KIB)
  await second.stream(log, keeping(600))
  t.equal(room.size, 600 * KIB)
  await t.rejects(async () => first.paced(() => 1), { name: 'ForgeError', fault: 'too-large' })
  t.equal(await second.paced(() => 1), 1)
  first.release()
  second.release()
  t.equal(room.size, 0)
})

t.test(
  'what a call keeps until it is over counts, and the oldest call of who keeps too much ends',
  async t => {
    const room = new AnswerRoom({ all: 8192 * KIB, each: 1024 * KIB })
    const clientOf = await clients(t, room)
    const [first, second] = [clientOf('glpat-keeps-keeps-keep'), clientOf('glpat-keeps-keeps-keep')]
    first.keep(700 * KIB)
    second.keep(700 * KIB)
    t.equal(room.size, 700 * KIB)
    await t.rejects(first.send(small), { name: 'ForgeError', fault: 'too-large' })
    await t.rejects(
      first.stream(log, async () => undefined),
      { name: 'ForgeError', fault: 'too-large' }
    )
    t.equal((await second.send(small)).value, 1)
    first.release()
    second.release()
    t.equal(room.size, 0)
  }
)

t.test('a call that is ended for lack of room while it waits says why, and what to do', async t => {
  const room = new AnswerRoom({ all: 8192 * KIB, each: 1024 * KIB })
  const clientOf = await clients(t, room, 60_000)
  const asks = {
    rest: (client: CallerForgeClient): Promise<unknown> => client.send(half),
    graphql: (client: CallerForgeClient) => client.graphql('query { currentUser { id } }', {})
  }
  for (const [of, ask] of Object.entries(asks)) {
    const [waits, other] = [clientOf('glpat-keeps-keeps-keep'), clientOf('glpat-keeps-keeps-keep')]
    waits.keep(600 * KIB)
    const lost = t.rejects(
      ask(waits),
      { fault: 'too-large', message: /given up for lack of memory\. Repeat the call/ },
      of
    )
    other.keep(600 * KIB)
    await lost
    waits.release()
    other.release()
  }
})

t.test(
  'what waits, for a slow stream or for no forge at all, ends with the room of what is kept',
  async t => {
    const room = new AnswerRoom({ all: 8192 * KIB, each: 1024 * KIB })
    const clientOf = await clients(t, room, 60_000)
    const waits: Readonly<Record<string, (client: CallerForgeClient) => Promise<unknown>>> = {
      stream: client => client.stream({ ...log, path: '/stalled' }, keeping(0)),
      another: client => client.waits(() => new Promise(() => {}))
    }
    for (const [of, wait] of Object.entries(waits)) {
      const [first, second] = [clientOf('glpat-keeps-keeps-keep'), clientOf('glpat-keeps-keeps-keep')]
      first.keep(600 * KIB)
      const lost = t.rejects(wait(first), { fault: 'too-large', message: /lack of memory/ }, of)
      second.keep(600 * KIB)
      await lost
      first.release()
      second.release()
      await until(() => room.size === 0)
    }
  }
)

t.test(
  'a large request that waits to be written is not sent once what it is made of has no room',
  async t => {
    const room = new AnswerRoom({ all: 8192 * KIB, each: 1024 * KIB })
    const clientOf = await clients(t, room, 60_000)
    const [first, second] = [clientOf('glpat-keeps-keeps-keep'), clientOf('glpat-keeps-keeps-keep')]
    first.keep(600 * KIB)
    const body = { content: 'x'.repeat(100 * KIB) }
    const asked = [0, 1, 2].map(() => first.send({ method: 'POST', path: '/small', body }))
    second.keep(600 * KIB)
    for (const { status } of await Promise.allSettled(asked.slice(1))) t.equal(status, 'rejected')
    await Promise.allSettled(asked)
    t.ok(first.requests <= 1, `${first.requests} were sent`)
    first.release()
    second.release()
  }
)

t.test('the failure of an answer keeps nothing of the one that has taken its room', async t => {
  const room = new AnswerRoom({ each: 16 * KIB })
  const told: Error[] = []
  const ada = { caller: 'ada', from: undefined, holder: 'ada' }
  room.exchange(ada, error => told.push(error))
  class Other {
    begin() {
      room.exchange(ada, () => {}).leave()
    }
  }
  const other = (() => {
    const begun = new Other()
    begun.begin()
    return new WeakRef(begun)
  })()
  await new Promise(setImmediate)
  collect()
  t.equal(told.length, 1)
  t.equal(other.deref(), undefined)
})
