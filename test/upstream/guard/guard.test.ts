import t from 'tap'
import { FairTurns } from '../../../src/fairness/fair-turns.ts'
import type { CredentialKind } from '../../../src/session/credential.ts'
import { cancelled, ForgeError } from '../../../src/upstream/errors.ts'
import { CallerForgeClient } from '../../../src/upstream/forge.ts'
import { breakerLimits } from '../../../src/upstream/guard/breaker.ts'
import { CallerGates } from '../../../src/upstream/guard/caller-gates.ts'
import { busy } from '../../../src/upstream/guard/gate.ts'
import { Guard } from '../../../src/upstream/guard/guard.ts'
import { apiBase } from '../../../src/upstream/hosts/url.ts'
import { AnswerRoom } from '../../../src/upstream/reading/answer-room.ts'
import type { Upstream } from '../../../src/upstream/upstream.ts'
import { keepsNothing } from '../../support/keeps-nothing.ts'
import { ScriptedDispatcher, type ScriptedReply } from '../../support/scripted-dispatcher.ts'
import { ownReading } from '../../support/upstream.ts'

const token = 'glpat-guard-guard-guard'
const read = { method: 'GET', path: '/user' } as const
const write = { method: 'POST', path: '/projects/1/issues', body: { title: 'x' } } as const

interface Setting {
  limit?: number
  /** Turns of callers whom the forge has not answered; default all. */
  strangers?: number
  queue?: number
  deadlineMs?: number
  reading?: Upstream['reading']
}

/** A client behind a guard whose waits take no time but are written down. */
function guarded(
  replies: ScriptedReply[],
  { limit = 4, strangers, queue = 0, deadlineMs = 60_000, reading = ownReading() }: Setting = {}
) {
  const waits: number[] = []
  const events: string[] = []
  const troubles: (number | string)[] = []
  const clock = { ms: 0 }
  const standstill = { endedAt: 0, stoodMs: 0 }
  const dispatcher = new ScriptedDispatcher(replies)
  const limits = { limit, queue, waitMs: 50 }
  const callers = new CallerGates({ limit: 2, queue: 0, waitMs: 50 }, busy('of this caller'))
  const guard = new Guard({
    limits,
    ...(strangers !== undefined && { strangers: { ...limits, limit: strangers } }),
    callers,
    resumed: new FairTurns({ each: 4 }),
    now: () => clock.ms,
    standstill,
    dateNow: () => 0,
    random: () => 0,
    sleep: async ms => {
      waits.push(ms)
      clock.ms += ms
    },
    onExchange: outcome => events.push(`exchange ${outcome}`),
    onRetry: reason => events.push(`retry ${reason}`),
    onRefused: reason => events.push(`refused ${reason}`),
    onCircuit: open => events.push(open ? 'open' : 'closed'),
    onTrouble: trouble => troubles.push(typeof trouble === 'number' ? trouble : trouble.fault)
  })
  const upstream = {
    base: apiBase('https://forge.example/api/v4'),
    dispatcher,
    limits: { maxBytes: 1000, deadlineMs },
    streamMs: deadlineMs,
    userAgent: 'test',
    guard,
    reading
  }
  const clientOf = (token: string, signal?: AbortSignal, kind: CredentialKind = 'private-token') =>
    new CallerForgeClient(upstream, { kind, token }, { signal })
  return {
    client: clientOf(token),
    clientOf,
    dispatcher,
    guard,
    waits,
    events,
    troubles,
    clock,
    standstill,
    callers
  }
}

t.test('a read is asked again until it is answered', async t => {
  const { client, dispatcher, waits, events } = guarded([
    { status: 503 },
    { status: 502 },
    { body: { id: 1 } }
  ])
  t.same((await client.send(read)).value, { id: 1 })
  t.equal(dispatcher.sent.length, 3)
  t.same(waits, [100, 200])
  t.same(events, ['exchange 5xx', 'retry 503', 'exchange 5xx', 'retry 502', 'exchange 200'])
})

t.test('a read that stays unanswered fails as the last answer says, after two retries', async t => {
  const { client, dispatcher } = guarded(Array(9).fill({ status: 503, headers: { 'retry-after': '1' } }))
  await t.rejects(client.send(read), { name: 'ForgeStatusError', status: 503, retryAfter: 1 })
  t.equal(dispatcher.sent.length, 3)
})

t.test('a long Retry-After goes to the caller at once', async t => {
  const { client, dispatcher } = guarded([{ status: 429, headers: { 'retry-after': '30' } }])
  await t.rejects(client.send(read), { name: 'ForgeStatusError', status: 429, retryAfter: 30 })
  t.equal(dispatcher.sent.length, 1)
})

t.test('a GraphQL query is a read, a mutation is none', async t => {
  const query = guarded([{ status: 503 }, { body: { data: { a: 1 } } }])
  t.same(await query.client.graphql('query { a }', {}), { a: 1 })
  const mutation = guarded([{ status: 503 }, { body: { data: { a: 1 } } }])
  await t.rejects(mutation.client.graphql('mutation { a }', {}), { name: 'ForgeStatusError', status: 503 })
  t.equal(mutation.dispatcher.sent.length, 1)
})

t.test('a write is made at most once, whatever the answer', async t => {
  for (const status of [429, 500, 502, 503, 504]) {
    const { client, dispatcher } = guarded([{ status, headers: { 'retry-after': '1' } }, { body: {} }])
    await t.rejects(client.send(write), { name: 'ForgeStatusError', status })
    t.equal(dispatcher.sent.length, 1)
  }
  const { client, dispatcher } = guarded([])
  await t.rejects(client.send(write), { name: 'ForgeError', fault: 'unreachable' })
  t.equal(dispatcher.sent.length, 1)
})

t.test('a stream is asked again before anything of it is read', async t => {
  const { client, dispatcher } = guarded([{ status: 503, body: 'later' }, { body: 'the log' }])
  const request = { path: '/jobs/1/trace', accept: 'text/plain', maxBytes: 1000 }
  const text = await client.stream(request, async ({ body }) => {
    const chunks: Buffer[] = []
    for await (const chunk of body(keepsNothing)) chunks.push(chunk)
    return Buffer.concat(chunks).toString()
  })
  t.equal(text, 'the log')
  t.equal(dispatcher.sent.length, 2)
})

t.test('the memory of a refusal after which a stream is asked again is given back', async t => {
  const room = new AnswerRoom()
  const reading = { ...ownReading(), room }
  const { client } = guarded([{ status: 503, body: 'later' }, { body: 'the log' }], { reading })
  await client.stream({ path: '/jobs/1/trace', accept: 'text/plain', maxBytes: 1000 }, async () => {})
  t.equal(room.size, 0)
})

t.test('no retry begins that the deadline would cut off', async t => {
  const { client, dispatcher } = guarded(Array(3).fill({ status: 503 }), { deadlineMs: 250 })
  await t.rejects(client.send(read), { name: 'ForgeStatusError', status: 503 })
  t.equal(dispatcher.sent.length, 2)
})

t.test('a storm of failures does not become three storms', async t => {
  const { client, dispatcher } = guarded(Array(100).fill({ status: 503 }))
  for (let calls = 0; calls < 15; calls++) await t.rejects(client.send(read))
  t.ok(dispatcher.sent.length <= 15 + 12, `${dispatcher.sent.length} requests for 15 calls`)
})

for (const [whose, addressOf] of [
  ['one address', () => '192.0.2.1'],
  ['the addresses of one network', (at: number) => `2001:db8:1:${at.toString(16)}`]
] as const)
  t.test(`made-up callers of ${whose} open the breaker for themselves alone`, async t => {
    const { guard, events } = guarded([])
    const circuit = () => events.filter(event => event === 'open' || event === 'closed')
    const ask = (caller: string, from: string, status: number) =>
      guard.call({ caller, from, proves: true, reads: false, signal: undefined, end: 60_000 }, async () => ({
        status,
        headers: {}
      }))
    await ask('known', '192.0.2.2', 200)
    const seen = new Set<string>()
    for (let at = 0; at < breakerLimits.callers + 100; at++)
      await ask(`made up ${at}`, addressOf(at), 500).then(
        () => seen.add('asked'),
        ({ fault }) => seen.add(fault)
      )
    t.same(circuit(), ['open'])
    t.same(seen, new Set(['asked', 'down']))
    t.equal((await ask('known', addressOf(0), 200)).status, 200, 'whom it has answered, wherever from')
    t.same(circuit(), ['open', 'closed'])
  })

t.test('a forge that answers nobody is left alone, and nothing is sent', async t => {
  const { client, clientOf, dispatcher, events, clock } = guarded(Array(20).fill({ status: 500 }))
  for (let calls = 0; calls < 20; calls++)
    await t.rejects(client.send(read), { name: 'ForgeStatusError', status: 500 })
  await t.rejects(client.send(read), {
    name: 'ForgeError',
    fault: 'down',
    message: /left alone.*This request was not sent: try again in 2 s\./
  })
  await t.rejects(client.send(write), { name: 'ForgeError', fault: 'down' })
  t.equal(dispatcher.sent.length, 20)
  t.match(events.slice(-3), ['exchange 5xx', 'refused down', 'refused down'])
  t.ok(events.includes('open'))
  await t.rejects(
    clientOf('glpat-another-another-1').send(read),
    { name: 'ForgeError', fault: 'unreachable' },
    'others get their own try'
  )
  clock.ms += 2000
  await t.rejects(
    client.send(read),
    { name: 'ForgeError', fault: 'unreachable' },
    'and then a probe goes out'
  )
})

t.test('what fails while this process stands still opens no breaker', async t => {
  const { client, events, clock, standstill } = guarded([])
  for (let calls = 0; calls < 20; calls++) {
    standstill.endedAt = clock.ms + 1
    await t.rejects(client.send(write), { name: 'ForgeError', fault: 'unreachable' })
  }
  t.notOk(events.includes('open'))
  clock.ms = standstill.endedAt
  for (let calls = 0; calls < 20; calls++)
    await t.rejects(client.send(write), { name: 'ForgeError', fault: 'unreachable' })
  t.ok(events.includes('open'), 'what fails after it does')
})

t.test('4xx answers never count against a forge', async t => {
  const { client, dispatcher } = guarded(Array(50).fill({ status: 404 }))
  for (let calls = 0; calls < 50; calls++)
    await t.rejects(client.send(read), { name: 'ForgeStatusError', status: 404 })
  t.equal(dispatcher.sent.length, 50)
})

t.test('a caller has so much under way and no more, and others have theirs', async t => {
  const { clientOf, guard, callers } = guarded([{ body: 1 }])
  const mine = clientOf(token)
  t.equal(guard.enter(token), undefined)
  t.equal(guard.enter(token), undefined)
  await t.rejects(mine.send(read), {
    name: 'ForgeError',
    fault: 'busy',
    message: /of this caller.*This request was not sent/
  })
  t.equal((await clientOf('glpat-another-another-1').send(read)).value, 1)
  guard.leave(token)
  guard.leave(token)
  t.equal(callers.size, 0)
})

t.test('a forge has so much under way and no more', async t => {
  const { client, guard, callers, events } = guarded([{ body: 1 }], { limit: 1 })
  guard.enter('somebody')
  await t.rejects(client.send(read), { name: 'ForgeError', fault: 'busy', message: /to this forge/ })
  t.same(events, ['refused busy'])
  guard.leave('somebody')
  t.equal((await client.send(read)).value, 1)
  t.equal(callers.size, 0, 'who was turned away holds nothing')
})

t.test('a caller whose share of a forge is used up is told so, and not that no more fit', async t => {
  const limits = { limit: 4, queue: 0, waitMs: 1, shared: true }
  const guard = new Guard({
    limits,
    callers: new CallerGates({ ...limits, shared: false }, busy('of this caller')),
    resumed: new FairTurns({ each: 4 })
  })
  for (let turns = 0; turns < 2; turns++) t.equal(guard.enter('a'), undefined)
  await t.rejects(guard.enter('a')!, {
    fault: 'busy',
    message:
      /^At most 4 requests to this forge may be under way at once, and all, or this caller's share of them, are\. This request was/
  })
  t.equal(guard.enter('b'), undefined, 'another has a share of its own')
})

t.test('the addresses of one network leave retries to others as one does', async t => {
  const { guard, waits } = guarded([])
  const ask = (from: string) =>
    guard.call(
      { caller: from, from, proves: true, reads: true, signal: undefined, end: 600_000 },
      async () => ({
        status: 429,
        headers: {}
      })
    )
  for (let at = 0; at < 20; at++) await ask(`2001:db8:1:${at}`)
  const before = waits.length
  await ask('192.0.2.1')
  t.equal(waits.length, before + 2)
})

t.test('made-up callers leave turns for those whom the forge has answered', async t => {
  const replies = [{ status: 401 }, { status: 404 }, { body: 1 }, { body: 2 }]
  const { clientOf, guard } = guarded(replies, { limit: 3, strangers: 2 })
  const known = clientOf(token)
  const refused = clientOf('glpat-refused-refused-1')
  for (const status of [401, 404])
    await t.rejects(refused.send(read), { name: 'ForgeStatusError', status }, 'which does not vouch for it')
  t.equal((await known.send(read)).value, 1)
  for (const caller of ['made up 1', 'made up 2']) t.equal(guard.enter(caller), undefined)
  await t.rejects(refused.send(read), {
    fault: 'busy',
    message: /of callers whom this forge has not answered/
  })
  t.equal((await known.send(read)).value, 2)
})

t.test('what waits of a caller goes on as soon as the forge has answered one of its calls', async t => {
  const { client, guard } = guarded([{ body: 1 }], { limit: 9, strangers: 2, queue: 9 })
  const answered = client.send(read)
  t.equal(guard.enter('another'), undefined)
  const waits = guard.enter(token)
  t.type(waits, Promise)
  await answered
  await t.resolves(waits!)
  t.equal(guard.enter('a third'), undefined, 'in the turn that the answered call has had')
})

t.test('an answer to a job token proves nothing: GitLab ignores it where none is allowed', async t => {
  const { clientOf, guard } = guarded([{ body: 1 }, { body: 2 }], { limit: 3, strangers: 1 })
  const stranger = clientOf('made-up-job-token-1234', undefined, 'job-token')
  t.equal((await stranger.send(read)).value, 1)
  t.equal(stranger.served, false)
  t.equal(guard.enter('somebody else'), undefined)
  await t.rejects(stranger.send(read), { name: 'ForgeError', fault: 'busy' }, 'it is still a stranger')
})

t.test('a caller that goes away waits for no retry', async t => {
  const controller = new AbortController()
  const limits = { limit: 1, queue: 0, waitMs: 1 }
  const guard = new Guard({
    limits,
    callers: new CallerGates(limits, busy('here')),
    resumed: new FairTurns({ each: 4 })
  })
  const call = {
    caller: 'a',
    proves: true,
    reads: true,
    signal: controller.signal,
    end: guard.now() + 60_000
  }
  const pending = guard.call(call, async () => {
    setTimeout(() => controller.abort(), 5)
    return { status: 503, headers: { 'retry-after': '5' } }
  })
  await t.rejects(pending, new ForgeError('cancelled', 'The call was cancelled.'))
  await t.resolves(guard.call({ ...call, signal: undefined }, async () => ({ status: 200, headers: {} })))
})

t.test(
  'a forge that is silent until its caller gives up is in trouble, but counts for no circuit: callers choose when they go',
  async t => {
    const { guard, clock, events, troubles } = guarded([])
    const call = { caller: 'a', proves: true, reads: true, signal: undefined, end: 60_000 }
    const leftAfter = (silentMs: number, isUnanswered: boolean) =>
      guard.call(call, async () => {
        clock.ms += 25_000
        throw Object.assign(cancelled(), { silentMs, isUnanswered })
      })
    for (const isUnanswered of [true, false])
      await t.rejects(leftAfter(4_999, isUnanswered), { name: 'ForgeError', fault: 'cancelled' })
    t.same(events.splice(0), ['exchange cancelled', 'exchange cancelled'])
    t.same(troubles.splice(0), ['cancelled', 'cancelled'])
    for (let calls = 0; calls < 2 * breakerLimits.volume; calls++)
      await t.rejects(leftAfter(5_000, calls % 2 === 0), {
        name: 'ForgeError',
        message: calls % 2 === 0 ? /had not begun to answer for 5 s/ : /answer had stopped for 5 s/
      })
    t.same(new Set(events), new Set(['exchange unanswered']))
    t.same(troubles, Array(2 * breakerLimits.volume).fill('unanswered'))
  }
)

t.test('what is read as it arrives is an answer once it has been read, and none if it stops', async t => {
  const { clientOf, guard, clock, events, troubles } = guarded([{}, {}, {}, {}, { status: 404 }])
  const stream = (caller: string, silentMs: number | undefined) => {
    clock.ms += 10_000
    return clientOf(`glpat-${caller}`).stream(
      { path: '/jobs/1/trace', template: '/trace', accept: '*/*', maxBytes: 100 },
      async () => {
        if (silentMs !== undefined) throw Object.assign(cancelled(), { silentMs })
      }
    )
  }
  await t.rejects(stream('ada', 4_999), { name: 'ForgeError', fault: 'cancelled' })
  await t.rejects(stream('ada', 30_000), {
    name: 'ForgeError',
    fault: 'unanswered',
    message: /answer had stopped for 30 s/
  })
  await t.rejects(stream('bob', 30_000), { name: 'ForgeError', fault: 'unanswered' })
  t.same(new Set(events), new Set(['exchange 200']), 'their beginnings had come')
  t.same(troubles, ['cancelled', 'unanswered', 'unanswered'])
  t.equal(guard.silentMs, 10_000)
  await stream('ada', undefined)
  t.equal(guard.silentMs, 0)
  await t.rejects(stream('ada', undefined), { name: 'ForgeStatusError', status: 404 })
})

t.test('what is refused before it is sent takes no turn with it', async t => {
  const { client, guard } = guarded(Array(20).fill({ status: 500 }), { limit: 1 })
  for (let calls = 0; calls < 25; calls++) await t.rejects(client.send(read))
  t.equal(guard.enter('somebody'), undefined)
})

t.test(
  'a web page where JSON is due, and a record that is elsewhere, are trouble with who answers',
  async t => {
    const page = guarded([{ headers: { 'content-type': 'text/html' }, body: '<html>Log in</html>' }])
    await t.rejects(page.client.send(read), { fault: 'bad-answer', message: /a web page instead of JSON/ })
    t.same(page.events, ['exchange bad-answer'])
    t.same(page.troubles, ['bad-answer'])
    t.equal(page.guard.hasServed, false, 'a page proves no token')
    const moved = guarded([{ status: 301, headers: { location: 'https://forge.example:8443/x' } }])
    await t.rejects(moved.client.send(read), {
      message: /redirects to https:\/\/forge\.example:8443, another/
    })
    t.same(moved.events, ['exchange bad-answer'])
    t.same(moved.troubles, ['bad-answer'])
    const sent = guarded([{ status: 302, headers: { location: 'https://login.example/' } }])
    await t.rejects(sent.client.send(write), { message: /redirects to https:\/\/login\.example, another/ })
    t.same(sent.events, ['exchange bad-answer'])
  }
)

t.test('what is no JSON, and a redirect in circles, are trouble with who answers', async t => {
  for (const [status, body] of [
    [200, 'OK'],
    [201, '{"id":1,"na']
  ] as const) {
    const { client, events, troubles, guard } = guarded([{ status, body }])
    await t.rejects(client.send(write), { fault: 'bad-answer', message: /not complete JSON/ })
    t.same([events, troubles], [['exchange bad-answer'], ['bad-answer']])
    t.equal(guard.hasServed, false)
  }
  const text = guarded([{ body: 'OK' }])
  await t.rejects(text.client.graphql('query Q { x }', {}), { message: /not complete JSON/ })
  t.same([text.events, text.troubles], [['exchange bad-answer'], ['bad-answer']])
  const loop = guarded(Array(6).fill({ status: 302, headers: { location: '/again' } }))
  await t.rejects(loop.client.send(read), { fault: 'bad-answer', message: /in circles/ })
  t.equal(loop.events.at(-1), 'exchange bad-answer')
  t.same(loop.troubles, ['bad-answer'])
})

t.test(
  'a refusal that is a web page is trouble, and what one caller asks for has nobody left alone',
  async t => {
    const page = { status: 403, headers: { 'content-type': 'text/html' }, body: '<html>Blocked</html>' }
    const { client, events, troubles } = guarded(Array(3 * breakerLimits.volume).fill(page))
    for (let calls = 0; calls < 2 * breakerLimits.volume; calls++)
      await t.rejects(client.send(calls % 2 === 0 ? read : write), {
        name: 'Intercepted',
        message: /answered 403/
      })
    t.same([...new Set(events)], ['exchange bad-answer'])
    t.same([...new Set(troubles)], ['bad-answer'])
  }
)

t.test(
  'calls of one address that have waited go on a few in a turn of the event loop, whatever ends their wait',
  async t => {
    const turns: (() => void)[] = []
    const resumed = new FairTurns({ each: 4 }, next => turns.push(next))
    const settled = () => new Promise(resolve => setImmediate(resolve))
    const all = { queue: 100, waitMs: 60_000 }
    const circuit: boolean[] = []
    const guard = new Guard({
      limits: { ...all, limit: 1 },
      callers: new CallerGates({ ...all, limit: 1 }, busy('here')),
      resumed,
      onCircuit: open => circuit.push(open)
    })
    let ended = 0
    const call = (at: number, from: string) =>
      guard
        .call(
          { caller: `made up ${at}`, from, proves: false, reads: false, signal: undefined, end: Infinity },
          async () => {
            throw new ForgeError('unreachable', 'Nobody is there.')
          }
        )
        .catch(() => ended++)
    guard.enter('first')
    const calls = Array.from({ length: 40 }, (_, at) => call(at, 'one address'))
    guard.leave('first')
    for (let most = 0; ended < 40; most += 4) {
      await settled()
      t.ok(ended <= most + 4, `${ended} after ${turns.length} turns`)
      for (const next of turns.splice(0)) next()
    }
    await Promise.all(calls)
    t.same(circuit, [true], 'most of them were refused as it was left alone')
  }
)

const html = { 'content-type': 'text/html' }

t.test('a forge is silent as long as all that is answered are pages, redirects and failures', async t => {
  const page = { status: 200, headers: html, body: '<html>Down for maintenance</html>' }
  const elsewhere = { status: 302, headers: { location: 'https://login.example/' } }
  const fine = { body: '{}' }
  const streamed = {
    path: '/projects/1/jobs/1/trace',
    template: '/trace',
    accept: '*/*',
    maxBytes: 100
  } as const
  const refused = [{ status: 503 }, page, elsewhere]
  // The last page is that of the other host.
  const { client, guard, clock } = guarded([...refused, page, elsewhere, page, { status: 500 }, fine])
  const ask = async (asked: () => Promise<unknown>, silent: boolean) => {
    clock.ms += 100_000
    await asked().catch(() => {})
    t.equal(guard.silentMs > 0, silent, asked.toString())
  }
  await ask(() => client.send(write), false)
  for (let pages = 0; pages < 2; pages++) await ask(() => client.send(write), true)
  for (const pageIsFine of [true, false])
    await ask(() => client.stream({ ...streamed, pageIsFine }, async () => {}), true)
  await ask(() => client.send(write), true)
  t.equal(guard.silentMs, 500_000)
  await ask(() => client.send(write), false)
})

t.test(
  'a page that refuses a request says nothing: a firewall sends it for what one caller asks',
  async t => {
    const blocked = { status: 403, headers: html, body: '<html>Blocked</html>' }
    const { client, guard, clock } = guarded([blocked, blocked, blocked])
    for (let calls = 0; calls < 3; calls++) {
      clock.ms += 100_000
      await client.send(write).catch(() => {})
    }
    t.equal(guard.silentMs, 0)
  }
)

t.test(
  'a query of one caller that hangs says nothing of a forge, and one of a second caller does',
  async t => {
    const { guard, clock } = guarded([])
    const hang = (caller: string, from = '192.0.2.1') =>
      guard
        .call(
          { caller, from, at: '/issues', proves: true, reads: false, signal: undefined, end: 1e9 },
          async () => {
            clock.ms += 10_000
            throw new ForgeError('timeout', 'The forge did not answer in time.')
          }
        )
        .catch(() => {})
    for (let calls = 0; calls < breakerLimits.volume + 5; calls++) await hang('ada')
    await hang('made up', '192.0.2.1')
    t.equal(guard.silentMs, 0, 'nor does another token of the same address')
    await hang('bob', '192.0.2.2')
    t.ok(guard.silentMs > 180_000)
  }
)
