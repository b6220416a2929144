import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { Cancellation, type CancelSignal } from '../../../src/base/cancellation.ts'
import { weightOf } from '../../../src/json/shape.ts'
import { UnparsedAnswer } from '../../../src/upstream/answers/unparsed.ts'
import { createDispatcher } from '../../../src/upstream/connections/dispatcher.ts'
import { CallerForgeClient } from '../../../src/upstream/forge.ts'
import { apiBase } from '../../../src/upstream/hosts/url.ts'
import { LARGE_ANSWER_BYTES } from '../../../src/upstream/reading/answer-cost.ts'
import { AnswerRoom } from '../../../src/upstream/reading/answer-room.ts'
import { ArrivedAnswers } from '../../../src/upstream/reading/arrived-answers.ts'
import { LargeAnswers } from '../../../src/upstream/reading/large-answers.ts'
import { LargeRequests } from '../../../src/upstream/reading/large-requests.ts'
import { LargeTurn } from '../../../src/upstream/reading/large-turn.ts'
import { cpuMsOf, spend } from '../../support/event-loop.ts'
import { keepsNothing } from '../../support/keeps-nothing.ts'
import { listen } from '../../support/listen.ts'
import { until } from '../../support/until.ts'
import { upstreamOf } from '../../support/upstream.ts'

/** Longer than a test may run. */
const NEVER_MS = 600_000

const later = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

function client(
  t: Test,
  origin: string,
  largeAnswers: LargeAnswers,
  token = 'glpat-heavy-heavy-heavy',
  deadlineMs = NEVER_MS,
  holder?: string,
  from?: string
) {
  // Holders are who the test says: all of its forges have one address.
  const dispatcher = Object.assign(createDispatcher(), { answering: undefined })
  t.teardown(() => dispatcher.destroy())
  const reading = {
    largeAnswers,
    room: new AnswerRoom(),
    leaving: new LargeRequests(),
    ...(holder !== undefined && { holder })
  }
  const limits = { maxBytes: 4 * LARGE_ANSWER_BYTES, deadlineMs }
  const upstream = upstreamOf({
    base: apiBase(`${origin}/api/v4`),
    dispatcher,
    limits,
    userAgent: 'test',
    reading
  })
  return new CallerForgeClient(upstream, { kind: 'private-token', token }, { from })
}

const read = { method: 'GET', path: '/x' } as const
const turnOf = (
  largeAnswers: LargeAnswers,
  caller = 'glpat-heavy-heavy-heavy',
  signal: CancelSignal | undefined = undefined
) => new LargeTurn(largeAnswers, { caller, from: caller, holder: caller }, signal)
const large = JSON.stringify(['x'.repeat(2 * LARGE_ANSWER_BYTES)])
const a = { caller: 'a', from: undefined, signal: undefined }
const busy = () => {
  const end = performance.now() + 30
  while (performance.now() < end);
}

t.test('large answers are whole, compressed or not', async t => {
  const largeAnswers = new LargeAnswers()
  for (const gzip of [false, true]) {
    const origin = await listen(t, (_request, response) => {
      if (gzip) response.setHeader('content-encoding', 'gzip')
      response.end(gzip ? gzipSync(large) : large)
    })
    const calls = Array.from({ length: 5 }, () => client(t, origin, largeAnswers).send(read))
    for (const { value } of await Promise.all(calls))
      t.equal((value as string[])[0]?.length, 2 * LARGE_ANSWER_BYTES)
  }
})

t.test('large answers that are broken, too large or of too many values fail, and hold no turn', async t => {
  const largeAnswers = new LargeAnswers()
  const wide = `[${'{},'.repeat(LARGE_ANSWER_BYTES)}{}]`
  const bodies = [large.slice(0, -1), `<html>${large}`, 'x'.repeat(4 * LARGE_ANSWER_BYTES + 1), wide]
  for (const [at, body] of bodies.entries())
    for (const gzip of [false, true]) {
      const origin = await listen(t, (_request, response) => {
        if (gzip) response.setHeader('content-encoding', 'gzip')
        response.end(gzip ? gzipSync(body) : body)
      })
      await t.rejects(client(t, origin, largeAnswers).send(read), {
        name: 'ForgeError',
        fault: at < 2 ? 'bad-answer' : 'too-large'
      })
    }
  const refused = await listen(t, (_request, response) => response.writeHead(404).end(large))
  await t.rejects(client(t, refused, largeAnswers).send(read), { name: 'ForgeStatusError', status: 404 })
  t.equal(turnOf(largeAnswers).begin(), undefined, 'the turn is free')
})

t.test('what an ordinary answer costs to read is looked for in its turn, and of a refusal never', async t => {
  const values = `[${'{},'.repeat(LARGE_ANSWER_BYTES / 4)}{}]`
  for (const status of [200, 404]) {
    const origin = await listen(t, (_request, response) => response.writeHead(status).end(values))
    const largeAnswers = new LargeAnswers()
    const { arrived } = largeAnswers
    const steps: string[] = []
    const next = arrived.next.bind(arrived)
    arrived.next = (whose, bytes, goOn) => {
      next(whose, bytes, () => {
        steps.push('turn')
        goOn()
      })
    }
    const readThere = largeAnswers.read.bind(largeAnswers)
    largeAnswers.read = (bytes, owner) => {
      steps.push('worker')
      return readThere(bytes, owner)
    }
    const call = client(t, origin, largeAnswers).send(read)
    if (status === 404) await t.rejects(call, { name: 'ForgeStatusError', status })
    else t.ok((await call).value)
    t.same(steps, status === 404 ? ['turn'] : ['turn', 'worker'], `${status}`)
    await largeAnswers.close()
  }
})

t.test('a caller collects one large answer at a time; small ones and other callers’ go on', async t => {
  const largeAnswers = new LargeAnswers()
  const drips = await listen(t, (_request, response) => {
    response.write(large.slice(0, -1))
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
  })
  const sends = await listen(t, (_request, response) => response.end(large))
  const small = await listen(t, (_request, response) => response.end('1'))
  const dripped = client(t, drips, largeAnswers, undefined, 3000).send(read)
  dripped.catch(() => undefined)
  await later(300)
  let over = false
  const second = client(t, sends, largeAnswers)
    .send(read)
    .then(() => {
      over = true
    })
  t.equal((await client(t, small, largeAnswers).send(read)).value, 1)
  t.ok((await client(t, sends, largeAnswers, 'glpat-another-another-1').send(read)).value)
  t.equal(over, false)
  await t.rejects(dripped, { name: 'ForgeError', fault: 'timeout' })
  await second
  t.equal(over, true)
})

t.test('one that was given up while it waited waits no more, and takes no turn', async t => {
  const largeAnswers = new LargeAnswers()
  const [first, second, third] = [0, 1, 2].map(() => turnOf(largeAnswers))
  t.equal(first!.begin(), undefined)
  const waiting = second!.begin()
  const next = third!.begin()
  second!.end()
  await t.rejects(waiting!, { name: 'ForgeError', fault: 'cancelled' })
  first!.end()
  await next
  third!.end()
  t.equal(turnOf(largeAnswers).begin(), undefined)
})

t.test('work is done one after another, each paid for with a pause', async t => {
  const largeAnswers = new LargeAnswers()
  const started = performance.now()
  let small = 0
  const timer = setInterval(() => small++, 5)
  await Promise.all([1, 2, 3].map(() => largeAnswers.paced(a, busy)))
  clearInterval(timer)
  // Timers count whole milliseconds, and may be one early.
  t.ok(performance.now() - started >= 145, 'three times the work and two pauses')
  t.ok(small >= 2, 'others had their turns, in each pause')
  await t.rejects(
    largeAnswers.paced(a, () => {
      throw new Error('broken')
    }),
    /broken/
  )
  t.equal(await largeAnswers.paced(a, () => 'goes on'), 'goes on')
})

t.test(
  'who has much to be done with large answers waits for itself, and not the others at other addresses',
  async t => {
    const largeAnswers = new LargeAnswers()
    const order: string[] = []
    const work = (from: string, caller: string) =>
      largeAnswers.paced({ caller, from, signal: undefined }, () => void order.push(from))
    const many = Array.from({ length: 100 }, (_, at) => work('192.0.2.1', `made up ${at}`))
    await Promise.all([work('192.0.2.2', 'neighbour'), work('192.0.2.2', 'neighbour')])
    t.ok(order.length <= 5, `${order.length}`)
    await Promise.all(many)
    t.equal(order.length, 102)
  }
)

t.test('a large answer that was read is used when the work before it is done and paid for', async t => {
  const largeAnswers = new LargeAnswers()
  t.teardown(() => largeAnswers.close())
  const answer = () => largeAnswers.read(Buffer.from(large), { ...a, grow: () => {} })
  await answer()
  const order: string[] = []
  const works = ['first', 'second', 'third'].map(name =>
    largeAnswers.paced(a, () => {
      busy()
      order.push(name)
    })
  )
  await answer()
  order.push('answer')
  await Promise.all(works)
  t.same(order, ['first', 'second', 'third', 'answer'])
})

t.test('a forge that is slow with a large answer keeps no turn from others', async t => {
  const largeAnswers = new LargeAnswers(1000)
  const origin = await listen(t, (_request, response) => void response.end(large))
  const stalling = await listen(
    t,
    (_request, response) => void response.write(large.slice(0, LARGE_ANSWER_BYTES + 1))
  )
  const slow = Promise.allSettled(
    Array.from({ length: 4 }, (_, at) =>
      client(t, stalling, largeAnswers, `glpat-slow-slow-slow-${at}`).send(read)
    )
  )
  await later(300)
  const other = await client(t, origin, largeAnswers, 'glpat-other-other-other').send(read)
  t.equal((other.value as string[])[0]?.length, 2 * LARGE_ANSWER_BYTES)
  for (const outcome of await slow)
    t.match(outcome, { status: 'rejected', reason: { fault: 'timeout', message: /too long over a large/ } })
})

for (const [title, holder, from] of [
  ['a forge whose every caller is another one leaves turns for other forges', '192.0.2.1', undefined],
  ['an address whose every caller is another one leaves turns for other addresses', undefined, '192.0.2.1']
] as const)
  t.test(title, async t => {
    const largeAnswers = new LargeAnswers(NEVER_MS)
    const stalled: ServerResponse[] = []
    const stalling = await listen(t, (_request, response) => {
      stalled.push(response)
      response.write(large.slice(0, LARGE_ANSWER_BYTES + 1))
    })
    const sends = await listen(t, (_request, response) => response.end(large))
    const slow = Promise.allSettled(
      Array.from({ length: 8 }, (_, at) =>
        client(t, stalling, largeAnswers, `glpat-made-up-made-up-${at}`, NEVER_MS, holder, from).send(read)
      )
    )
    await until(() => stalled.length > 0)
    await later(200)
    // It would wait for ever.
    t.ok((await client(t, sends, largeAnswers, 'glpat-another-another-1', NEVER_MS).send(read)).value)
    for (const response of stalled) response.destroy()
    await slow
  })

/** Turns of a caller's own at a forge, as long as there are some. */
function turnsAt(largeAnswers: LargeAnswers, forge: (at: number) => string, from: string): number {
  for (let at = 0; ; at++) {
    const caller = `${at} ${forge(at)} ${from}`
    const turn = new LargeTurn(largeAnswers, { caller, from, holder: forge(at) }, undefined)
    const waiting = turn.begin()
    if (waiting === undefined) continue
    waiting.catch(() => {})
    turn.end()
    return at
  }
}

t.test('the large answers of the operator’s own forge wait for none of callers’ forges', t => {
  const largeAnswers = new LargeAnswers()
  for (const from of ['192.0.2.1', '192.0.2.2']) turnsAt(largeAnswers, at => `forge ${at}`, from)
  t.equal(turnOf(largeAnswers).begin(), undefined)
  t.end()
})

t.test(
  'an address of callers with many forges leaves a turn for others, and one forge a turn at its address',
  t => {
    const largeAnswers = new LargeAnswers()
    t.equal(
      turnsAt(largeAnswers, () => 'one forge', '192.0.2.1'),
      2
    )
    t.equal(
      turnsAt(largeAnswers, at => `forge ${at}`, '192.0.2.1'),
      1
    )
    t.equal(
      turnsAt(largeAnswers, () => 'another', '192.0.2.2'),
      1
    )
    t.end()
  }
)

t.test('pieces of streams take turns, one in each of the event loop', async t => {
  const largeAnswers = new LargeAnswers()
  let pieces = 0
  const streams = Array.from({ length: 50 }, (_, at) =>
    largeAnswers.piece({ caller: `caller ${at}`, holder: `forge ${at}` }).then(() => pieces++)
  )
  const most: number[] = []
  while (pieces < 50) {
    const before = pieces
    await new Promise(resolve => setImmediate(resolve))
    most.push(pieces - before)
  }
  await Promise.all(streams)
  t.ok(Math.max(...most) <= 2, `${most}`)
})

t.test(
  'of many streams of one holder, or of tokens of one address, a piece of another waits for one',
  async t => {
    const largeAnswers = new LargeAnswers()
    const callersForge = (at: number) => ({ caller: `caller ${at}`, from: '192.0.2.1', holder: 'a forge' })
    const operators = (at: number) => ({ caller: `caller ${at}`, from: '192.0.2.1', holder: `caller ${at}` })
    for (const who of [callersForge, operators]) {
      for (const holder of ['tenant', 'a forge']) {
        let before = 0
        const many = Array.from({ length: 50 }, (_, at) => largeAnswers.piece(who(at)).then(() => before++))
        await largeAnswers.piece({ caller: 'tenant', from: '192.0.2.2', holder })
        t.ok(before <= 2, `${before}`)
        await Promise.all(many)
      }
    }
    const end = largeAnswers.timed(callersForge(1))
    spend(20)
    end()
    t.ok(largeAnswers.isResting(callersForge(2)))
    t.notOk(largeAnswers.isResting({ caller: 'tenant', from: '192.0.2.2', holder: 'a forge' }))
  }
)

t.test('what waits for its turn and has lost its room fails, and holds nothing', async t => {
  const largeAnswers = new LargeAnswers()
  const first = turnOf(largeAnswers)
  first.begin()
  const lost = new Cancellation()
  const second = turnOf(largeAnswers, undefined, lost)
  const waiting = second.begin()
  lost.abort()
  await t.rejects(waiting!, { name: 'ForgeError', fault: 'cancelled' })
  second.end()
  first.end()
  t.equal(turnOf(largeAnswers).begin(), undefined)
})

t.test('an answer below that size is read as a large one where it costs as much', async t => {
  const largeAnswers = new LargeAnswers()
  t.teardown(() => largeAnswers.close())
  const record = {
    title: 'A title of a record',
    labels: ['bug'],
    state: 'opened',
    body: 'Some words. '.repeat(50)
  }
  const answers: [what: string, text: string, isLarge: boolean][] = [
    ['a page of records', JSON.stringify(Array.from({ length: 100 }, () => record)), false],
    ['values', `[${'{},'.repeat(20_000)}{}]`, true],
    ['levels', '['.repeat(40_000), true],
    ['letters beyond ASCII', JSON.stringify(['\u0301'.repeat(20_000)]), true],
    ['escaped letters', `["${'\\ud800'.repeat(20_000)}"]`, true],
    ['few values', `[${'{},'.repeat(5_000)}{}]`, false]
  ]
  let text = ''
  const origin = await listen(t, (_request, response) => void response.end(text))
  for (const [what, answer, isLarge] of answers) {
    text = answer
    t.ok(answer.length < LARGE_ANSWER_BYTES, what)
    // An address of its own: one of which an answer took long has the next ones read as large, too.
    const caller = client(t, origin, largeAnswers, undefined, undefined, undefined, what)
    const { value } = await caller.send({ ...read, unparsed: true })
    t.equal(value instanceof UnparsedAnswer, isLarge, what)
    // It has its turn until then.
    if (value instanceof UnparsedAnswer) await value.value().catch(() => {})
  }
})

t.test('small answers that cost as much take turns', async t => {
  const largeAnswers = new LargeAnswers()
  t.teardown(() => largeAnswers.close())
  const origin = await listen(t, (_request, response) => void response.end(`[${'{},'.repeat(20_000)}{}]`))
  const held = turnOf(largeAnswers)
  held.begin()
  let isThere = false
  const answer = client(t, origin, largeAnswers)
    .send(read)
    .then(found => {
      isThere = true
      return found
    })
  await later(200)
  t.notOk(isThere)
  held.end()
  t.equal(((await answer).value as unknown[]).length, 20_001)
})

t.test(
  'answers of a forge that have taken much of the event loop have the next ones read off it for a while',
  async t => {
    const largeAnswers = new LargeAnswers()
    t.teardown(() => largeAnswers.close())
    const origin = await listen(
      t,
      (_request, response) => void response.end(JSON.stringify(['x'.repeat(5_000)]))
    )
    const token = 'glpat-heavy-heavy-heavy'
    const ownForge = 'an address'
    /** Whether the next answer is read on the event loop, after another has taken so long there. */
    const isReadAtOnce = async (holder: string | undefined, ms: number) => {
      largeAnswers.arrived.next({ caller: token, holder: holder ?? token }, 5_000, () => spend(ms))
      await later(0)
      const asked = client(t, origin, largeAnswers, token, NEVER_MS, holder).send({ ...read, unparsed: true })
      return !((await asked).value instanceof UnparsedAnswer)
    }
    // Of another forge of callers. A kernel may tell an answer that took less the 4 ms by which it counts.
    await until(() => isReadAtOnce(ownForge, 0))
    t.equal(await isReadAtOnce(undefined, 100), false, 'the operator’s')
    t.equal(await isReadAtOnce(ownForge, 100), false, 'the one that has')
    const held = ['b', 'c'].map(from => turnsAt(largeAnswers, at => `${from} ${at}`, from))
    t.same(held, [3, 1])
    t.equal(await isReadAtOnce(ownForge, 100), false, 'also where forges that drip have every turn')
  }
)

t.test('small answers and refusals go on in such turns', async t => {
  const arrived: number[] = []
  class Told extends ArrivedAnswers {
    override next(...[whose, bytes, goOn]: Parameters<ArrivedAnswers['next']>): void {
      arrived.push(bytes)
      super.next(whose, bytes, goOn)
    }
  }
  const largeAnswers = Object.assign(new LargeAnswers(), { arrived: new Told() })
  t.teardown(() => largeAnswers.close())
  for (const [status, body] of [
    [200, '{}'],
    [404, '{"message":"404 Not found"}']
  ] as const) {
    const origin = await listen(t, (_request, response) => response.writeHead(status).end(body))
    await client(t, origin, largeAnswers)
      .send(read)
      .catch(() => undefined)
    t.equal(arrived.pop(), body.length)
  }
})

t.test('eight small answers of an address at a forge are unpacked at once, each as it was sent', async t => {
  const largeAnswers = new LargeAnswers()
  t.teardown(() => largeAnswers.close())
  const text = JSON.stringify({ name: 'a'.repeat(100_000) })
  const origin = await listen(t, (_request, response) => {
    response.setHeader('content-encoding', 'gzip')
    response.end(gzipSync(text))
  })
  const whose = { caller: 'glpat-any', from: '192.0.2.1', holder: 'forge' }
  const places = await Promise.all(Array.from({ length: 8 }, () => largeAnswers.unpacking.answer(whose)))
  const asking = (from: string) =>
    client(t, origin, largeAnswers, 'glpat-caller-caller-1', 5000, 'forge', from).send(read)
  let isThere = false
  const waiting = Promise.all(Array.from({ length: 20 }, () => asking('192.0.2.1'))).then(answers => {
    isThere = true
    return answers
  })
  t.equal(JSON.stringify((await asking('192.0.2.2')).value), text)
  t.notOk(isThere)
  for (const give of places) {
    give()
    give()
  }
  for (const { value } of await waiting) t.equal(JSON.stringify(value), text)
})

t.test('of the operator’s forge they are eight of an address, whichever tokens ask', async t => {
  const { unpacking } = new LargeAnswers()
  const whose = (at: number, from = '192.0.2.1') => ({ caller: `${at}`, from, holder: `${at}` })
  const places = await Promise.all(Array.from({ length: 8 }, (_, at) => unpacking.answer(whose(at))))
  let isNinth = false
  const ninth = unpacking.answer(whose(8)).then(() => {
    isNinth = true
  })
  await unpacking.answer(whose(9, '192.0.2.2'))
  t.notOk(isNinth)
  places[0]!()
  await ninth
})

t.test('addresses have pieces of it unpacked in turns, and in each of them its tokens', async t => {
  const { unpacking } = new LargeAnswers()
  const begun: string[] = []
  const begin = async (from: string, caller: string) => {
    const give = await unpacking.piece({ caller, from, holder: caller })
    begun.push(caller)
    return give
  }
  const running = await Promise.all(['a1', 'a2', 'a3'].map(caller => begin('a', caller)))
  const waiting = [...['a4', 'a4', 'a5'].map(caller => begin('a', caller)), begin('b', 'b1')]
  for (const give of running) {
    give()
    await later(0)
  }
  t.same(begun.slice(3), ['b1', 'a4', 'a5'])
  for (const give of waiting) (await give)()
})

t.test('whose pieces are dear to read rests for as long, and others’ pieces go on', async t => {
  const largeAnswers = new LargeAnswers()
  const origin = await listen(t, (_request, response) => response.end('x'.repeat(600_000)))
  const request = { path: '/x', accept: 'text/plain', maxBytes: 4 * LARGE_ANSWER_BYTES }
  let pieces = 0
  let took = 0
  const started = performance.now()
  const forge = client(t, origin, largeAnswers, undefined, NEVER_MS, 'dear')
  await forge.stream(request, async ({ body }) => {
    for await (const _ of body(keepsNothing)) {
      pieces++
      took += await cpuMsOf(busy)
    }
  })
  await forge.paced(() => undefined)
  t.ok(pieces >= 3, `${pieces}`)
  t.ok(performance.now() - started >= 1.8 * took - 30, `${took}`)
  await largeAnswers.piece({ caller: 'another', holder: 'another' })
})

t.test(
  'an answer that was read counts as its value while it waits to be used, and is dropped with its signal',
  async t => {
    const largeAnswers = new LargeAnswers()
    t.teardown(() => largeAnswers.close())
    const counted: number[] = []
    const lost = new Cancellation()
    const text = `[${'{},'.repeat(1_000)}{}]`
    let isOver = () => {}
    const before = largeAnswers.paced(a, () => busy())
    const grow = (bytes: number) => {
      counted.push(bytes)
      // The turn of others lasts until the answer is back.
      isOver()
    }
    const back = new Promise<void>(resolve => {
      isOver = resolve
    })
    const hog = setInterval(() => void largeAnswers.paced(a, busy), 10)
    const reading = largeAnswers.read(Buffer.from(text), { ...a, signal: lost, grow })
    reading.catch(() => {})
    await before
    await back
    lost.abort()
    clearInterval(hog)
    t.same(counted, [weightOf(text) - text.length])
    await t.rejects(reading, { name: 'ForgeError', fault: 'cancelled' })
  }
)
