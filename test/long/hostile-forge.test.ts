import type { LookupFunction } from 'node:net'
import t, { type Test } from 'tap'
import { createDispatcher } from '../../src/upstream/connections/dispatcher.ts'
import { ForgeError, ForgeStatusError } from '../../src/upstream/errors.ts'
import { Forges } from '../../src/upstream/forges.ts'
import { HostPolicy } from '../../src/upstream/hosts/hosts.ts'
import { faultNames, hostileForge, pathOf, rawServer } from '../support/hostile-forge.ts'
import { keepsNothing } from '../support/keeps-nothing.ts'
import { listen } from '../support/listen.ts'
import { ScriptedDispatcher } from '../support/scripted-dispatcher.ts'
import { until } from '../support/until.ts'

/* A forge is whatever a caller names: broken, overloaded, or out to do harm. */

const TOKEN = 'glpat-hostile-hostile-1'
/** For what never ends by itself. */
const DEADLINE_MS = 700
/** Longer than a test may run: what ends by anything else than a deadline does so however slow the machine is. */
const NEVER_MS = 600_000
const MAX_BYTES = 1024 * 1024

interface Setting {
  denyPrivate?: boolean
  allowed?: string[]
  lookup?: LookupFunction
  home?: string
  deadlineMs?: number
}

function forgesOf(
  t: Test,
  { denyPrivate = false, allowed = [], lookup, home, deadlineMs = NEVER_MS }: Setting = {}
): Forges {
  const hosts = {
    home: new HostPolicy({ allowed, denyPrivate, home: home ?? 'https://home.example' }),
    callers: new HostPolicy({ allowed, denyPrivate })
  }
  const forges = new Forges({
    home: `${home ?? 'https://home.example'}/api/v4`,
    dispatcher: of =>
      createDispatcher({
        addresses: origin => hosts[of].addresses(origin),
        ...(lookup !== undefined && { lookup })
      }),
    hosts,
    userAgent: 'test',
    concurrency: 512,
    poolSize: 10,
    poolIdleMs: 60_000,
    now: Date.now,
    limits: { maxBytes: MAX_BYTES, deadlineMs, streamMs: deadlineMs }
  })
  t.teardown(() => forges.close())
  return forges
}

/** @param origin of a caller's own forge; undefined for the home forge */
const clientOf = async (forges: Forges, origin: string | undefined) => {
  const lease = await forges.lease({
    credential: { kind: 'private-token', token: TOKEN },
    apiUrl: origin === undefined ? undefined : `${origin}/api/v4`,
    activated: 0,
    version: ''
  })
  return lease.client
}

const record = async (forges: Forges, origin: string | undefined, path = '/x') =>
  (await clientOf(forges, origin)).send({ method: 'GET', path })

const text = async (forges: Forges, origin: string | undefined, path = '/x') =>
  (await clientOf(forges, origin)).stream({ path, accept: '*/*', maxBytes: MAX_BYTES }, async ({ body }) => {
    let bytes = 0
    for await (const chunk of body(keepsNothing)) bytes += chunk.length
    return bytes
  })

/** What a failure is, in a word a test can compare. */
const failureOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    value => `no failure${typeof value === 'number' ? `: ${value}` : ''}`,
    (error: unknown) =>
      error instanceof ForgeStatusError
        ? String(error.status)
        : error instanceof ForgeError
          ? error.fault
          : `fault: ${error}`
  )

const expected: Record<string, [record: string, text: string]> = {
  'stalls before its headers': ['timeout', 'timeout'],
  'stalls in its body': ['timeout', 'timeout'],
  'drips its body': ['timeout', 'timeout'],
  'resets the connection before its headers': ['unreachable', 'unreachable'],
  'resets the connection in its body': ['unreachable', 'unreachable'],
  'sends less than it said': ['unreachable', 'unreachable'],
  'sends half of its JSON': ['bad-answer', 'no failure: 12'],
  'sends without end': ['too-large', 'too-large'],
  'sends a gzip bomb': ['too-large', 'too-large'],
  'sends a bomb in a bomb': ['bad-answer', 'bad-answer'],
  'sends damaged gzip': ['bad-answer', 'bad-answer'],
  'sends a huge header': ['bad-answer', 'bad-answer'],
  'sends very many headers': ['bad-answer', 'bad-answer'],
  'sends a login page': ['bad-answer', 'bad-answer'],
  'sends very deep JSON': ['too-large', 'no failure: 200000'],
  'answers 429 with a long Retry-After': ['429', '429'],
  'answers 429 without Retry-After': ['429', '429'],
  'answers 500': ['500', '500'],
  'redirects in circles': ['bad-answer', 'bad-answer'],
  'redirects to nowhere': ['bad-answer', 'bad-answer'],
  'redirects off HTTP': ['bad-answer', 'bad-answer']
}

t.test('a forge that', async t => {
  const forge = await hostileForge(t, (_request, response) => response.end('{}'))
  for (const fault of faultNames)
    t.test(fault, async t => {
      const neverEnds = expected[fault]!.includes('timeout')
      // Connections of their own, so that one fault does not have the breaker answer for the next.
      const failures = [record, text].map(ask =>
        failureOf(ask(forgesOf(t, neverEnds ? { deadlineMs: DEADLINE_MS } : {}), forge.origin, pathOf(fault)))
      )
      t.same(await Promise.all(failures), expected[fault])
    })
  t.test('takes no memory to speak of', async t => {
    const before = process.memoryUsage().rss
    for (const fault of ['sends without end', 'sends a gzip bomb', 'sends a bomb in a bomb'])
      for (const ask of [record, text]) await failureOf(ask(forgesOf(t), forge.origin, pathOf(fault)))
    const grown = process.memoryUsage().rss - before
    // As much as one bomb, where six came.
    t.ok(grown < 64 * 1024 * 1024, `the process grew by ${grown >> 20} MiB`)
  })
  t.test('did all that has no connection left', async () => {
    await until(() => forge.open === 0)
  })
})

t.test('what is no HTTP, or only a byte of it at a time, ends too', async t => {
  const faults: [string, string, (socket: import('node:net').Socket) => void][] = [
    ['other protocols', 'bad-answer', socket => socket.end('SSH-2.0-OpenSSH_9.6\r\n')],
    ['silence', 'unreachable', socket => socket.end()],
    [
      'dripped headers',
      'timeout',
      socket => {
        socket.write('HTTP/1.1 200 OK\r\nx-drip: ')
        const timer = setInterval(() => socket.write('x'), 20)
        socket.on('close', () => clearInterval(timer))
      }
    ],
    [
      'endless informational answers',
      'bad-answer',
      socket => {
        const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'), 20)
        socket.on('close', () => clearInterval(timer))
      }
    ],
    [
      'two lengths',
      'bad-answer',
      socket => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n[]')
    ]
  ]
  for (const [name, fault, serve] of faults) {
    const origin = await rawServer(t, serve)
    for (const ask of [record, text])
      t.equal(
        await failureOf(ask(forgesOf(t, fault === 'timeout' ? { deadlineMs: DEADLINE_MS } : {}), origin)),
        fault,
        name
      )
  }
})

t.test('redirects of every kind take no credential to another host', async t => {
  const elsewhere: Record<string, unknown>[] = []
  const other = await listen(t, ({ headers }, response) => {
    elsewhere.push(headers)
    response.end('from elsewhere')
  })
  const back = await listen(t, ({ headers, url }, response) => {
    elsewhere.push(headers)
    response.writeHead(302, { location: `${forge.origin}/api/v4/back${url}` }).end()
  })
  let home: unknown[] = []
  const forge = await hostileForge(t, ({ url, headers }, response) => {
    home.push(headers['private-token'])
    const [, status, via] = /\/(\d{3})\/(\w+)/.exec(url ?? '') ?? []
    if (status === undefined) response.end('home again')
    else response.writeHead(Number(status), { location: `${via === 'back' ? back : other}/x` }).end()
  })
  for (const status of [301, 302, 303, 307, 308]) {
    elsewhere.length = 0
    t.equal(await failureOf(record(forgesOf(t), forge.origin, `/${status}/other`)), 'bad-answer')
    const write = (await clientOf(forgesOf(t), forge.origin)).send({
      method: 'POST',
      path: `/${status}/other`,
      body: {}
    })
    t.equal(await failureOf(write), 'bad-answer', 'a write is not repeated anywhere')
    t.same(elsewhere, [], 'a record is not fetched from elsewhere')
    t.equal(await text(forgesOf(t), forge.origin, `/${status}/other`), 14)
    home = []
    t.equal(await text(forgesOf(t), forge.origin, `/${status}/back`), 10)
    t.same(home, [TOKEN, undefined], 'nor is it given to the forge when another host sends one back')
    t.equal(elsewhere.length, 2)
    for (const headers of elsewhere)
      t.same(
        Object.keys(headers).filter(name => /token|authorization|cookie/.test(name)),
        []
      )
  }
})

t.test('redirects lead nowhere that policy refuses', async t => {
  const inside = await listen(t, (_request, response) => response.end('inside'))
  const lookup: LookupFunction = (_host, { all }, done) =>
    all ? done(null, [{ address: '169.254.169.254', family: 4 }]) : done(null, '169.254.169.254', 4)
  const to = async (location: string, setting: Setting = {}) => {
    const forge = await listen(t, (_request, response) => response.writeHead(302, { location }).end())
    return failureOf(text(forgesOf(t, { ...setting, home: forge }), undefined))
  }
  for (const location of [
    'http://169.254.169.254/latest/meta-data/',
    '//169.254.169.254/',
    'http://2852039166/',
    'http://0xa9.0xfe.0xa9.0xfe/',
    'http://[::ffff:169.254.169.254]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://metadata.google.internal/',
    'http://0.0.0.0/',
    'http://224.0.0.1/'
  ])
    t.equal(await to(location), 'forbidden', location)
  t.equal(await to('http://objects.example/', { lookup }), 'forbidden', 'a name that resolves to one')
  t.equal(await to(inside), 'no failure: 6')
  t.equal(await to(inside, { denyPrivate: true }), 'forbidden')
  t.equal(await to('http://localhost/', { denyPrivate: true }), 'forbidden')
  t.equal(await to(inside, { allowed: ['forge.example'] }), 'forbidden')
  t.equal(await to(inside, { allowed: ['127.0.0.1'] }), 'forbidden', 'another port of it is another place')
  t.equal(await to(inside, { allowed: [new URL(inside).host] }), 'no failure: 6')
})

t.test('a caller’s own forge leads nowhere on a home forge that only its own sessions may reach', async t => {
  const inside = await listen(t, ({ url }, response) => {
    if (url === '/api/v4/x') response.writeHead(302, { location: `${inside}/secret` }).end()
    else response.end('inside')
  })
  const at = (lookup: LookupFunction) => forgesOf(t, { denyPrivate: true, home: inside, lookup })
  const none: LookupFunction = (_host, _options, done) => done(new Error('no look-up'), '')
  const home = at(none)
  t.equal(await failureOf(text(home, undefined)), 'no failure: 6', 'its own sessions may')
  t.equal(await failureOf(text(home, `${inside}/other`)), 'forbidden', 'a path beside it is another forge')
  const forge = new ScriptedDispatcher([
    { status: 302, headers: { location: `${inside}/secret` } },
    { body: 'inside' }
  ])
  const forges = new Forges({
    home: `${inside}/api/v4`,
    dispatcher: () => forge,
    hosts: {
      home: new HostPolicy({ allowed: [], denyPrivate: true, home: inside }),
      callers: new HostPolicy({ allowed: [], denyPrivate: true })
    },
    userAgent: 'test',
    concurrency: 512,
    poolSize: 10,
    poolIdleMs: 60_000,
    now: Date.now
  })
  t.equal(await failureOf(text(forges, 'https://forge.example')), 'forbidden')
  t.equal(forge.sent.length, 1)
})

t.test('a name is judged by what it resolves to, anew at each connection', async t => {
  const origin = await listen(t, (_request, response) =>
    response.setHeader('connection', 'close').end('{"id":1}')
  )
  const { port } = new URL(origin)
  const named = `http://forge.example:${port}`
  const answers: string[] = []
  const lookup: LookupFunction = (_host, { all }, done) => {
    const address = answers.shift() ?? '192.0.2.1'
    const family = address.includes(':') ? 6 : 4
    return all ? done(null, [{ address, family }]) : done(null, address, family)
  }
  for (const address of ['169.254.169.254', '::ffff:a9fe:a9fe', '100.100.100.200', 'fe80::1', '0.0.0.0']) {
    answers.push(address)
    t.equal(await failureOf(record(forgesOf(t, { lookup }), named)), 'forbidden', address)
  }
  for (const address of ['127.0.0.1', '10.0.0.1', '::1', 'fd00::1', '::ffff:192.168.0.1']) {
    answers.push(address)
    t.equal(await failureOf(record(forgesOf(t, { lookup, denyPrivate: true }), named)), 'forbidden', address)
  }
  const forges = forgesOf(t, { lookup })
  answers.push('127.0.0.1', '169.254.169.254')
  t.match(await record(forges, named), { value: { id: 1 } })
  t.equal(await failureOf(record(forges, named)), 'forbidden', 'a kept client connects again')
})

t.test('a storm of 500s ends: the forge is left alone, and asked again later', async t => {
  let well = false
  const forge = await hostileForge(t, (_request, response) => {
    response.writeHead(well ? 200 : 500, { 'content-type': 'application/json' }).end('{"id":1}')
  })
  const forges = forgesOf(t)
  const outcomes: Record<string, number> = {}
  // All that is refused comes at once, so that no slow machine has time for a probe.
  for (const calls of [10, 10, 80])
    for (const outcome of await Promise.all(
      Array.from({ length: calls }, () => failureOf(record(forges, forge.origin)))
    ))
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  t.same(outcomes, { 500: 20, down: 80 })
  t.equal(forge.asked, 20)
  well = true
  await until(async () => (await failureOf(record(forges, forge.origin))) !== 'down')
  t.match(await record(forges, forge.origin), { value: { id: 1 } })
})

t.test('a storm of 503s is not tripled by retries', async t => {
  const forge = await hostileForge(t, (_request, response) => response.writeHead(503).end())
  const forges = forgesOf(t)
  await Promise.all(Array.from({ length: 19 }, () => failureOf(record(forges, forge.origin))))
  t.ok(forge.asked <= 19 + 11, `${forge.asked} requests for 19 calls`)
})

t.test('a burst of one caller waits its turn, and all of it is served', async t => {
  let [now, peak] = [0, 0]
  let full = (): void => {}
  const first = new Promise<void>(resolve => {
    full = resolve
  })
  const forge = await hostileForge(t, async (_request, response) => {
    peak = Math.max(peak, ++now)
    await first
    setTimeout(() => {
      now--
      response.end('{"id":1}')
    }, 20)
  })
  const forges = forgesOf(t)
  const burst = Array.from({ length: 500 }, () => failureOf(record(forges, forge.origin)))
  await until(() => now >= 64)
  full()
  t.same([...new Set(await Promise.all(burst))], ['no failure'])
  t.equal(peak, 64)
})

t.test('one caller’s stalled calls take a share of a forge, not all of it', async t => {
  const forge = await hostileForge(t, (_request, response) => response.end('{"id":1}'))
  const forges = forgesOf(t)
  const stalled = Array.from({ length: 100 }, () =>
    failureOf(record(forges, forge.origin, pathOf('stalls before its headers')))
  )
  await until(() => forge.asked >= 64)
  await new Promise(resolve => setTimeout(resolve, 200))
  t.equal(forge.asked, 64)
  const other = await forges.lease({
    credential: { kind: 'private-token', token: 'glpat-other-other-other-2' },
    apiUrl: `${forge.origin}/api/v4`,
    activated: 0,
    version: ''
  })
  // It would wait for ever.
  t.match(await other.client.send({ method: 'GET', path: '/x' }), { value: { id: 1 } })
  await forges.close()
  for (const outcome of new Set(await Promise.all(stalled))) t.match(outcome, /^(cancelled|busy|down)$/)
})
