import type { IncomingMessage, ServerResponse } from 'node:http'
import type { LookupFunction } from 'node:net'
import t, { type Test } from 'tap'
import { Agent } from 'undici'
import { Cancellation } from '../../src/base/cancellation.ts'
import { createDispatcher } from '../../src/upstream/connections/dispatcher.ts'
import { Forges, type ForgesOptions } from '../../src/upstream/forges.ts'
import { HostNames } from '../../src/upstream/hosts/names.ts'
import { mostInATurn } from '../support/in-turns.ts'
import { listen } from '../support/listen.ts'
import { ScriptedDispatcher } from '../support/scripted-dispatcher.ts'

const session = (token: string, apiUrl: string | undefined) => ({
  credential: { kind: 'private-token' as const, token },
  apiUrl,
  activated: 0,
  version: '2025-11-25' as const
})

const forgesWith = (t: Test, own: Partial<ForgesOptions> & Pick<ForgesOptions, 'dispatcher'>): Forges => {
  const forges = new Forges({
    home: 'https://home.example/api/v4',
    hosts: { home: undefined, callers: undefined },
    userAgent: 'test',
    concurrency: 256,
    poolSize: 20,
    poolIdleMs: 1000,
    now: () => 0,
    ...own
  })
  t.teardown(() => forges.close())
  return forges
}

const forgesOf = (t: Test, addresses: Record<string, string> = {}) => {
  const forges = forgesWith(t, {
    dispatcher: () => new ScriptedDispatcher([]),
    find: async hostname => ({ addresses: [addresses[hostname] ?? hostname] })
  })
  return (token: string, url: string, from?: string) => forges.lease(session(token, url), { from })
}

t.test('paths of one host fill half of the pool at most, whoever names them', async t => {
  const lease = forgesOf(t)
  const held = await Promise.all(
    Array.from({ length: 10 }, (_, at) => lease(`made-up ${at}`, `https://one.example:8443/${at}/api/v4`))
  )
  await t.rejects(async () => lease('made-up', 'https://one.example/more/api/v4'), {
    name: 'PoolCapacityError'
  })
  held[0]!.release()
  held[0]!.release()
  t.ok(await lease('made-up', 'https://one.example:8443/more/api/v4'), 'what was given back can be had')
  t.ok(await lease('somebody', 'https://one.example:8443/3/api/v4'), 'what is held already is no more')
})

t.test('and so do all names of one address', async t => {
  const addresses = Object.fromEntries(
    Array.from({ length: 11 }, (_, at) => [`name-${at}.example`, '198.51.100.1'])
  )
  const lease = forgesOf(t, addresses)
  for (let at = 0; at < 10; at++) await lease(`made-up ${at}`, `https://name-${at}.example/api/v4`)
  await t.rejects(async () => lease('made-up', 'https://name-10.example/api/v4'), {
    name: 'PoolCapacityError'
  })
})

t.test(
  'who goes while the name of a forge is looked up waits no longer, and gives back the place',
  async t => {
    const forges = forgesWith(t, {
      dispatcher: () => new ScriptedDispatcher([]),
      // Its name servers keep silent.
      find: () => new Promise(() => {})
    })
    const ask = (at: number, gone?: Cancellation) =>
      forges.lease(session('made-up', `https://silent-${at}.example/api/v4`), { from: '192.0.2.1' }, gone)
    const gone = new Cancellation()
    const waits = Array.from({ length: 8 }, (_, at) => ask(at, gone) as Promise<unknown>)
    t.throws(() => ask(8), { name: 'PoolCapacityError' }, 'an address has no more places')
    gone.abort()
    for (const wait of waits) await t.rejects(wait, { name: 'CancelledError' })
    t.ok(ask(8))
  }
)

t.test('what is asked is told apart by whose forge it is', async t => {
  const told: unknown[] = []
  const forges = forgesWith(t, {
    dispatcher: () => new ScriptedDispatcher([{ body: { version: '18.0.0' } }]),
    find: async hostname => ({ addresses: [hostname] }),
    onExchange: (outcome, _seconds, of) => told.push([outcome, of])
  })
  for (const url of [undefined, 'https://own.example/api/v4']) {
    const { client, release } = await forges.lease(session('glpat-one-one-one-one', url), {})
    await client.send({ method: 'GET', path: '/version', template: '/version' })
    release()
  }
  t.same(told, [
    [200, 'home'],
    [200, 'callers']
  ])
})

t.test(
  'large requests that a forge does not answer have a bound, and what is answered is given back',
  async t => {
    let answer: (() => void)[] = []
    const origin = await listen(t, (request, response) => {
      request.resume().on('end', () => answer.push(() => response.end('{"id":1}')))
    })
    const forges = forgesWith(t, {
      home: `${origin}/api/v4`,
      dispatcher: () => new Agent()
    })
    const credential = { kind: 'private-token' as const, token: 'glpat-one-one-one-one-one' }
    const lease = await forges.lease(
      { credential, apiUrl: undefined, activated: 0, version: '2025-11-25' },
      {}
    )
    const send = (size: number) =>
      lease.client.send({
        method: 'POST',
        path: '/things',
        template: '/things',
        body: { text: 'x'.repeat(size) }
      })
    const MB = 1024 * 1024
    const held = Array.from({ length: 3 }, () => send(5 * MB))
    await t.rejects(send(5 * MB), { fault: 'busy', message: /was not sent/ })
    const small = send(10)
    while (answer.length < 4) await new Promise(resolve => setTimeout(resolve, 5))
    for (const one of answer) one()
    answer = []
    await Promise.all([...held, small])
    const again = send(5 * MB)
    while (answer.length < 1) await new Promise(resolve => setTimeout(resolve, 5))
    answer[0]!()
    await again
  }
)

t.test(
  'the connection to a caller’s forge ends with the answer to a large request, and no other',
  async t => {
    const asked: (string | undefined)[] = []
    const origin = await listen(t, ({ headers }, response) => {
      asked.push(headers.connection)
      response.end('{"id":1}')
    })
    const forges = forgesWith(t, {
      home: `${origin}/api/v4`,
      dispatcher: () => new Agent()
    })
    for (const apiUrl of [`${origin}/api/v4`, undefined])
      for (const size of [10, 100_000]) {
        const lease = await forges.lease(session('one', apiUrl))
        const body = { text: 'x'.repeat(size) }
        await lease.client.send({ method: 'POST', path: '/things', template: '/things', body })
        lease.release()
      }
    t.same(asked, ['keep-alive', 'close', 'keep-alive', 'keep-alive'])
  }
)

t.test('those who wait for the name of a forge have it a few in a turn of the event loop', async t => {
  const lease = forgesOf(t)
  const all = Array.from({ length: 40 }, async (_, at) =>
    (await lease(`made-up ${at}`, 'https://one.example/api/v4', '192.0.2.1')).release()
  )
  const most = await mostInATurn(all)
  await Promise.all(all)
  t.ok(most < 10, `${most} in a turn`)
})

t.test('a new forge is looked up once, and asked at the address that it was counted by', async t => {
  const asked: string[] = []
  // By another name server each time, so to speak.
  const names = new HostNames([], {
    servers: (hostname, _options, callback) =>
      process.nextTick(callback, null, [{ address: `127.0.0.${1 + asked.push(hostname)}`, family: 4 }])
  })
  const origin = await listen(t, (_request, response) => response.end('{"id":1}'), { address: '127.0.0.2' })
  const forges = forgesWith(t, {
    dispatcher: (_of, known) => createDispatcher(known),
    find: hostname => names.find(hostname)
  })
  const url = `${origin.replace('127.0.0.2', 'forge.example')}/api/v4`
  const statuses = await Promise.all(
    ['one', 'another'].map(async token => {
      const { client } = await forges.lease(session(token, url))
      return (await client.send({ method: 'GET', path: '/version', template: '/version' })).status
    })
  )
  t.same(statuses, [200, 200])
  t.same(asked, ['forge.example'])
})

t.test('one address of callers has a bound at callers’ forges, by however many links', async t => {
  const sent: string[] = []
  class Silent extends ScriptedDispatcher {
    override dispatch({ origin }: { origin?: unknown }): boolean {
      return sent.push(String(origin)) > 0
    }
  }
  const forges = forgesWith(t, {
    dispatcher: () => new Silent(),
    poolSize: 40
  })
  const gone = new AbortController()
  const ask = async (at: number, from: string, apiUrl?: string) => {
    const { client } = await forges.lease(
      { ...session(`made-up ${at}`, ''), apiUrl },
      { from, signal: gone.signal }
    )
    client.send({ method: 'GET', path: '/x', template: '/x' }).catch(() => {})
  }
  for (let at = 0; at < 160; at++) await ask(at, '192.0.2.1', `https://one.example/q${at % 8}/api/v4`)
  t.equal(sent.length, 128)
  await ask(160, '192.0.2.1', 'https://another.example/api/v4')
  t.equal(sent.length, 128)
  await ask(161, '192.0.2.2', 'https://one.example/q1/api/v4')
  await ask(162, '192.0.2.1')
  t.same(sent.slice(128), ['https://one.example', 'https://home.example'])
  gone.abort()
})

/** Names that DNS gives some addresses when they are counted, and that lead to others once they are connected to. */
const namesOf = (t: Test, names: Record<string, { said: string[]; led: string }>) => {
  const lookup: LookupFunction = (hostname, { all }, callback) => {
    const { led } = names[hostname]!
    if (all) callback(null, [{ address: led, family: 4 }])
    else callback(null, led, 4)
  }
  const forges = forgesWith(t, {
    dispatcher: () => createDispatcher({ lookup }),
    find: async hostname => ({ addresses: names[hostname]!.said }),
    // Longer than a busy machine takes for the answer that does not hang.
    limits: { maxBytes: 1_000_000, deadlineMs: 40_000, streamMs: 40_000 }
  })
  return async (token: string, url: string) => {
    const { client } = await forges.lease(session(token, `${url}/api/v4`))
    return client.send({ method: 'GET', path: '/x' })
  }
}

const large = JSON.stringify(['x'.repeat(300_000)])

/** Asks a forge that answers while three calls hang at another. @returns whether it had to wait for them */
async function askedBeside(
  t: Test,
  hangingNames: readonly string[],
  names: Record<string, { said: string[]; led: string }>
): Promise<boolean> {
  const open: ServerResponse[] = []
  let isEnding = false
  const hang = (_request: IncomingMessage, response: ServerResponse) => {
    if (isEnding) return response.destroy()
    open.push(response)
    return response.write(large)
  }
  const hangs = new URL(await listen(t, hang, { address: '127.0.0.3' }))
  const answers = new URL(
    await listen(t, (_request, response) => response.end(large), { address: '127.0.0.2' })
  )
  const ask = namesOf(t, names)
  const hanging = Array.from({ length: 6 }, (_, at) =>
    ask(`made-up ${at}`, `http://${hangingNames[at % hangingNames.length]}:${hangs.port}`).catch(() => {})
  )
  let areOver = false
  const over = Promise.all(hanging).then(() => {
    areOver = true
  })
  await new Promise(resolve => setTimeout(resolve, 300))
  const { value } = await ask('somebody', `http://somebodys.example:${answers.port}`)
  t.equal((value as string[])[0]!.length, 300_000)
  const waited = areOver
  isEnding = true
  for (const response of open) response.destroy()
  await over
  return waited
}

const somebodys = { said: ['192.0.2.1'], led: '127.0.0.2' }

t.test(
  'a name that had another’s addresses when it was counted takes none of the turns of that one',
  async t => {
    const names = {
      'somebodys.example': somebodys,
      'another.example': { said: somebodys.said, led: '127.0.0.3' }
    }
    t.notOk(await askedBeside(t, ['another.example'], names))
  }
)

t.test(
  'names of one address, each with another one beside it that is made up, have the turns of one',
  async t => {
    const madeUp = Object.fromEntries(
      Array.from({ length: 6 }, (_, at) => [
        `name-${at}.example`,
        { said: ['192.0.2.2', `198.51.100.${at}`], led: '127.0.0.3' }
      ])
    )
    t.notOk(await askedBeside(t, Object.keys(madeUp), { 'somebodys.example': somebodys, ...madeUp }))
  }
)
