import { createServer } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import t from 'tap'
import { Cancellation } from '../../../src/base/cancellation.ts'
import {
  documentDispatch,
  fetchDocument,
  isDocumentUrl,
  UnansweredDocumentError,
  UnaskedDocumentError
} from '../../../src/oauth/clients/client-document.ts'
import { Clients } from '../../../src/oauth/clients/clients.ts'
import { createDispatcher } from '../../../src/upstream/connections/dispatcher.ts'
import { GivenUp } from '../../../src/upstream/connections/given-up.ts'
import { documentNames, TOO_MANY_LOOKUPS } from '../../../src/upstream/hosts/lookup.ts'
import { exchange } from '../../../src/upstream/reading/exchange.ts'
import { mostInATurn } from '../../support/in-turns.ts'
import { ScriptedDispatcher, type ScriptedReply } from '../../support/scripted-dispatcher.ts'

const FROM = '192.0.2.1'
const URL_ID = 'https://app.example/client.json'
const document = { client_id: URL_ID, client_name: 'App', redirect_uris: ['http://127.0.0.1/cb'] }

t.test('a client id that is the URL of a document is https, with a path, in one spelling', async t => {
  for (const id of [URL_ID, 'https://app.example/a/b', 'https://app.example/a/'])
    t.equal(isDocumentUrl(id), true, id)
  for (const id of [
    'http://app.example/client.json',
    'https://app.example',
    'https://app.example/',
    'https://app.example:8443/client.json',
    'https://app.example:443/client.json',
    'https://APP.example/client.json',
    'https://user@app.example/client.json',
    'https://app.example/client.json#x',
    'https://app.example/client.json#',
    'https://app.example/client.json?x=1',
    'https://app.example/a/../client.json',
    'https://app.example/./client.json',
    'https://app.example\\client.json',
    ' https://app.example/client.json',
    'https://',
    'v1.cid.x',
    `https://app.example/${'x'.repeat(500)}`
  ])
    t.equal(isDocumentUrl(id), false, id)
})

const get = (reply: ScriptedReply | undefined) => {
  const dispatcher = new ScriptedDispatcher(reply === undefined ? [] : [reply])
  return { dispatcher, found: fetchDocument(URL_ID, dispatcher, 'test') }
}

t.test('a document becomes a client', async t => {
  const { dispatcher, found } = get({ body: document })
  t.same(await found, {
    client: { id: URL_ID, name: 'App', redirectUris: ['http://127.0.0.1/cb'] },
    ttlMs: 300_000
  })
  t.match(dispatcher.sent, [{ method: 'GET', origin: 'https://app.example', path: '/client.json' }])
  t.notOk('authorization' in dispatcher.sent[0]!.headers)
})

t.test('and stands as long as it says, within 5 minutes and a day', async t => {
  for (const [control, ttlMs] of [
    ['max-age=3600', 3_600_000],
    ['public, max-age=1', 300_000],
    ['no-store', 300_000],
    ['max-age=99999999', 86_400_000]
  ] as const)
    t.equal(
      (await get({ body: document, headers: { 'cache-control': control } }).found).ttlMs,
      ttlMs,
      control
    )
})

t.test('a document that cannot be used says why, and nothing of the network', async t => {
  for (const [reply, says] of [
    [{ status: 302, headers: { location: 'http://169.254.169.254/' } }, /status 302/],
    [{ status: 404 }, /status 404/],
    [{ body: document, headers: { 'content-type': 'text/html' } }, /not JSON/],
    [{ body: '{"client_id":' }, /not JSON/],
    [{ body: 'null' }, /own URL/],
    [{ body: { ...document, client_id: `${URL_ID}/` } }, /own URL/],
    [{ body: { ...document, client_name: undefined } }, /client_name/],
    [{ body: { ...document, client_secret: 'x' } }, /public client/],
    [{ body: { ...document, token_endpoint_auth_method: 'client_secret_basic' } }, /public client/],
    [{ body: { ...document, redirect_uris: ['javascript:x'] } }, /redirect URI/],
    [{ body: { ...document, client_uri: 'x'.repeat(6000) } }, /larger than 5 KiB/],
    [undefined, /cannot be fetched/]
  ] as const)
    await t.rejects(get(reply).found, { status: 400, code: 'invalid_client', message: says }, String(says))
})

t.test(
  'a document that cannot be fetched leads to whoever runs the service, and its line names the host',
  async t => {
    await t.rejects(get(undefined).found, {
      message: /it needs a way to app\.example:443, or FORGE_OAUTH_CLIENT_DOCUMENTS=false\.$/,
      hint: /^app\.example could not be reached(?!.*forge)/
    })
  }
)

t.test('a document is gone by its host’s word alone, not by that of a firewall in front of it', async t => {
  const page = { 'content-type': 'text/html' }
  const replies: (ScriptedReply | undefined)[] = [
    undefined,
    ...[202, 302, 401, 403, 405, 429, 500, 503].map(status => ({ status })),
    { body: '<html>Are you human?', headers: page },
    { body: 'x'.repeat(6000), headers: page },
    { body: '<html>' }
  ]
  for (const reply of replies)
    t.ok(
      (await get(reply).found.catch(error => error)) instanceof UnansweredDocumentError,
      JSON.stringify(reply)
    )
  const large = { body: { ...document, client_uri: 'x'.repeat(6000) } }
  for (const reply of [{ status: 404 }, { status: 410 }, { body: 'null' }, large])
    t.notOk(
      (await get(reply).found.catch(error => error)) instanceof UnansweredDocumentError,
      JSON.stringify(reply)
    )
})

t.test('limits of this service are told as what they are, not as the fault of a document', async t => {
  const busy: LookupFunction = (_host, _options, done) =>
    done(Object.assign(new Error('busy'), { code: TOO_MANY_LOOKUPS, syscall: 'getaddrinfo' }), '')
  const dispatcher = createDispatcher({ ...documentDispatch, lookup: busy })
  const full = Object.assign(new ScriptedDispatcher(), { givenUp: new GivenUp() })
  for (let at = 0; at < 1000; at++) full.givenUp.add(FROM, 'https://app.example')
  t.teardown(() => dispatcher.destroy())
  for (const one of [dispatcher, full])
    t.match(await fetchDocument(URL_ID, one, 'test', FROM).catch(error => error), {
      constructor: UnaskedDocumentError,
      status: 503,
      code: 'temporarily_unavailable'
    })
})

t.test('a document is asked for on public addresses alone, whatever the dispatcher would reach', async t => {
  for (const host of [
    '127.0.0.1',
    '10.0.0.1',
    '[::1]',
    '169.254.169.254',
    'localhost',
    'metadata.google.internal'
  ]) {
    const dispatcher = new ScriptedDispatcher([{ body: document }])
    await t.rejects(
      fetchDocument(`https://${host}/client.json`, dispatcher, 'test'),
      { code: 'invalid_client', message: /cannot be fetched/ },
      host
    )
    t.same(dispatcher.sent, [])
  }
})

t.test('and by what a name resolves to, at the connect', async t => {
  const lookup: LookupFunction = (_host, _options, done) => done(null, [{ address: '10.1.2.3', family: 4 }])
  const dispatcher = createDispatcher({ ...documentDispatch, lookup })
  t.teardown(() => dispatcher.destroy())
  const limits = { maxBytes: 1000, deadlineMs: 60_000 }
  await t.rejects(
    exchange(dispatcher, { origin: 'https://app.example', path: '/client.json', method: 'GET' }, limits),
    { name: 'ForgeError', fault: 'forbidden' }
  )
})

t.test('documents that a few addresses wait for leave others room at the same host', async t => {
  const server = createServer((request, response) => {
    if (request.url !== '/slow') response.end('{}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const addresses = () => ({ denyPrivate: false })
  const dispatcher = createDispatcher({ ...documentDispatch, addresses })
  t.teardown(async () => {
    await dispatcher.destroy()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const limits = { maxBytes: 1000, deadlineMs: 60_000 }
  const get = (path: string) => exchange(dispatcher, { origin, path, method: 'GET' }, limits)
  // Two by an address, and two by the pages there.
  for (let at = 0; at < 4 * 10; at++) get('/slow').catch(() => {})
  t.match(await get('/'), { status: 200 })
})

t.test('clients', async t => {
  const registered = { id: 'x', redirectUris: ['https://a.example/cb'] }
  const storage = { client: (id: string) => (id === 'x' ? registered : undefined) }
  const found = { client: { id: URL_ID, redirectUris: ['https://a.example/cb'] }, ttlMs: 1000 }

  t.test('are those that registered, where documents are off', async t => {
    const clients = new Clients(storage)
    t.equal(await clients.find('x', FROM), registered)
    t.equal(await clients.find('y', FROM), undefined)
    await t.rejects(clients.find(URL_ID, FROM), {
      code: 'invalid_client',
      message: /^No clients are known by URL here/
    })
  })

  t.test('are told of a URL that names no document why it does not', async t => {
    const clients = new Clients(storage, () => t.fail('nothing is fetched') as never)
    for (const id of [
      'http://app.example/client.json',
      'https://app.example',
      'https://app.example:8443/client.json',
      'HTTPS://app.example/client.json'
    ])
      await t.rejects(clients.find(id, FROM), {
        code: 'invalid_client',
        message: /must be https, with a path/
      })
  })

  t.test('are documents too where they are on, each fetched once', async t => {
    let fetched = 0
    let now = 1_800_000_000_000
    const fetch = async () => {
      fetched++
      return found
    }
    const clients = new Clients(storage, fetch, () => now)
    t.equal(await clients.find('x', FROM), registered)
    t.same(await Promise.all([clients.find(URL_ID, FROM), clients.find(URL_ID, FROM)]), [
      found.client,
      found.client
    ])
    t.equal(fetched, 1)
    now += 1001
    await clients.find(URL_ID, FROM)
    t.equal(fetched, 2)
  })

  t.test('whose document failed are not asked for again for half a minute', async t => {
    let fetched = 0
    let now = 1_800_000_000_000
    const fetch = async () => {
      fetched++
      throw new Error('down')
    }
    const clients = new Clients(storage, fetch, () => now)
    await t.rejects(clients.find(URL_ID, FROM), /down/)
    await t.rejects(clients.find(URL_ID, FROM), /down/)
    t.equal(fetched, 1)
    now += 30_001
    await t.rejects(clients.find(URL_ID, FROM), /down/)
    t.equal(fetched, 2)
  })

  t.test('are waited for no longer by who has gone while their document comes', async t => {
    let come = (): void => {}
    const fetch = () =>
      new Promise<typeof found>(resolve => {
        come = () => resolve(found)
      })
    const clients = new Clients(storage, fetch)
    const first = clients.find(URL_ID, FROM)
    const gone = new Cancellation()
    const left = clients.find(URL_ID, '192.0.2.2', gone)
    const stays = clients.find(URL_ID, '192.0.2.2')
    gone.abort()
    await t.rejects(left, { name: 'Refusal', status: 499 })
    come()
    t.same(await Promise.all([first, stays]), [found.client, found.client])
  })
  t.test('whose document was not asked for are asked for as soon as somebody wants them', async t => {
    let isBusy = true
    const fetch = async () => {
      if (isBusy) throw new UnaskedDocumentError(503, 'temporarily_unavailable', 'busy')
      return found
    }
    const clients = new Clients(storage, fetch, () => 1_800_000_000_000)
    await t.rejects(clients.find(URL_ID, '192.0.2.2'), { code: 'temporarily_unavailable' })
    isBusy = false
    t.equal(await clients.find(URL_ID, FROM), found.client)
  })

  t.test('are for a day what their document said while its host does not answer', async t => {
    let now = 1_800_000_000_000
    let fetched = 0
    let failure: Error | undefined
    const fetch = async () => {
      fetched++
      if (failure !== undefined) throw failure
      return found
    }
    const clients = new Clients(storage, fetch, () => now)
    await clients.find(URL_ID, FROM)
    failure = new UnansweredDocumentError(400, 'invalid_client', 'busy')
    now += 1001
    for (let at = 0; at < 2; at++) t.equal(await clients.find(URL_ID, FROM), found.client)
    t.equal(fetched, 2, 'it is asked for again after half a minute')
    now += 30_001
    t.equal(await clients.find(URL_ID, FROM), found.client)
    t.equal(fetched, 3)
    now += 86_400_000
    await t.rejects(clients.find(URL_ID, FROM), /busy/)
  })

  t.test('are no more once their host says that their document is gone', async t => {
    let now = 1_800_000_000_000
    const answers = [new Error('gone'), new UnansweredDocumentError(400, 'invalid_client', 'busy')]
    let first = true
    const fetch = async () => {
      if (first) return found
      throw answers.shift()
    }
    const clients = new Clients(storage, fetch, () => now)
    await clients.find(URL_ID, FROM)
    first = false
    for (const says of [/gone/, /busy/]) {
      now += 30_001
      await t.rejects(clients.find(URL_ID, FROM), says)
    }
  })

  t.test('of one address push out no other’s', async t => {
    const fetched: string[] = []
    const fetch = async (id: string) => {
      fetched.push(id)
      if (id.includes('missing')) throw new Error('missing')
      return { ...found, ttlMs: 1_000_000 }
    }
    const clients = new Clients(storage, fetch)
    const missing = 'https://app.example/missing.json'
    await clients.find(URL_ID, FROM)
    await t.rejects(clients.find(missing, FROM), /missing/)
    for (let at = 0; at < 600; at++) {
      await clients.find(`https://other.example/${at}.json`, '192.0.2.2')
      await clients.find(`https://other.example/missing-${at}.json`, '192.0.2.2').catch(() => {})
    }
    await clients.find(URL_ID, FROM)
    await t.rejects(clients.find(missing, FROM), /missing/)
    t.same(fetched.slice(-1), ['https://other.example/missing-599.json'])
  })

  t.test('stay whose they were when another asks for their document after its time', async t => {
    let now = 1_800_000_000_000
    let isDown = false
    const fetch = async (id: string) => {
      if (isDown) throw new UnansweredDocumentError(400, 'invalid_client', 'busy')
      return { ...found, ttlMs: id === URL_ID ? 1000 : 1_000_000 }
    }
    const clients = new Clients(storage, fetch, () => now)
    await clients.find(URL_ID, FROM)
    now += 1001
    await clients.find(URL_ID, '192.0.2.2')
    for (let at = 0; at < 500; at++) await clients.find(`https://other.example/${at}.json`, '192.0.2.2')
    now += 1001
    isDown = true
    t.equal(await clients.find(URL_ID, FROM), found.client)
  })

  t.test('of one site are fetched a few at a time for an address, of another meanwhile', async t => {
    const fetching: string[] = []
    const fetch = (id: string) => {
      fetching.push(id)
      return new Promise<typeof found>(() => {})
    }
    const clients = new Clients(storage, fetch)
    const find = (host: string, from = FROM) =>
      clients.find(`https://${host}/client.json`, from).catch(({ code }) => code)
    const begun = async () => {
      await new Promise(resolve => setImmediate(resolve))
      return fetching.splice(0).map(id => new URL(id).hostname)
    }
    const asked = Array.from({ length: 20 }, (_, at) => find(`silent${at}.example.com`))
    t.equal(await Promise.race(asked), 'temporarily_unavailable')
    t.same(await begun(), ['silent0.example.com', 'silent1.example.com'])
    for (const host of ['192.0.2.3', '192.0.2.4', '[2001:db8::1]']) void find(host)
    t.same(await begun(), ['192.0.2.3'], 'addresses are one')
    void find('app.example')
    t.same(await begun(), ['app.example'])
    void find('silent20.example.com', '192.0.2.2')
    t.same(await begun(), ['silent20.example.com'])
  })

  t.test(
    'at a host where many addresses wait for documents are fetched for those who wait for none',
    async t => {
      const fetching = new Map<string, () => void>()
      const fetch = (id: string) =>
        new Promise<typeof found>(resolve => fetching.set(id, () => resolve(found)))
      const clients = new Clients(storage, fetch)
      const find = (from: string, name: string) => {
        clients.find(`https://app.example/${name}.json`, from).catch(() => {})
        return new Promise(resolve => setImmediate(resolve))
      }
      const { connections } = documentDispatch.bounds
      for (let at = 0; at < connections / 2; at++)
        for (const document of [0, 1]) await find(`192.0.2.${at}`, `${at}-${document}`)
      t.ok(fetching.size < connections, 'some wait, and leave room')
      for (let at = 0; fetching.size < connections; at++) await find(`198.51.100.${at}`, `new-${at}`)
      await find('203.0.113.1', 'last')
      t.equal(fetching.size, connections)
      fetching.get('https://app.example/0-0.json')!()
      await new Promise(resolve => setImmediate(resolve))
      t.equal([...fetching.keys()].at(-1), 'https://app.example/last.json', 'before those that wait longer')
    }
  )

  t.test('leave look-ups for who has none beside 130 addresses of silent names', async t => {
    const fetching: string[] = []
    const fetch = (id: string) => {
      fetching.push(id)
      return new Promise<typeof found>(() => {})
    }
    const clients = new Clients(storage, fetch)
    const find = async (from: string, name: string) => {
      clients.find(`https://${name}.example/client.json`, from).catch(() => {})
      await new Promise(resolve => setImmediate(resolve))
    }
    for (let at = 0; at < 130; at++)
      for (const site of [0, 1, 2, 3]) await find(`192.0.2.${at}`, `d${at}.s${site}silent`)
    t.ok(fetching.length < documentNames.atOnce, `${fetching.length} are looked up`)
    await find('198.51.100.1', 'app')
    t.equal(fetching.at(-1), 'https://app.example/client.json')
  })

  t.test('are what their document said while all turns of the address are taken', async t => {
    let now = 1_800_000_000_000
    let isSilent = false
    const fetch = async () => (isSilent ? new Promise<typeof found>(() => {}) : found)
    const clients = new Clients(storage, fetch, () => now)
    await clients.find(URL_ID, FROM)
    isSilent = true
    now += 1001
    for (let at = 0; at < 12; at++)
      clients.find(`https://silent${at}.example/client.json`, FROM).catch(() => {})
    t.equal(await clients.find(URL_ID, FROM), found.client)
  })

  for (const [what, fetched] of [
    ['came', () => Promise.resolve(found)],
    ['failed', () => Promise.reject(new Error('gone'))]
  ] as const)
    t.test(`are not fetched again for who had no turn until their document ${what}`, async t => {
      const ends: (() => void)[] = []
      let fetches = 0
      const fetch = (id: string) => {
        if (!id.includes('slow')) {
          fetches++
          return fetched()
        }
        return new Promise<typeof found>(resolve => ends.push(() => resolve(found)))
      }
      const clients = new Clients(storage, fetch, () => 1_800_000_000_000)
      const find = (host: string) =>
        clients.find(`https://${host}.example.com/client.json`, FROM).catch(error => error)
      const slow = [find('slow0'), find('slow1')]
      const asked = [find('app'), find('app')]
      ends[0]!()
      await Promise.all(asked)
      t.equal(fetches, 1)
      ends[1]!()
      await Promise.all(slow)
    })

  t.test('are fetched for all who ask for the same one by one turn', async t => {
    const clients = new Clients(storage, () => new Promise(resolve => setImmediate(resolve, found)))
    const asked = Array.from({ length: 40 }, () => clients.find(URL_ID, FROM))
    t.same(await Promise.all(asked), Array(40).fill(found.client))
  })

  for (const [what, fetched] of [
    ['is there', () => Promise.resolve(found)],
    ['is not', () => Promise.reject(new Error('gone'))]
  ] as const)
    t.test(`go on a few in a turn when a document that all wait for ${what}`, async t => {
      const clients = new Clients(storage, () => new Promise(setImmediate).then(fetched))
      const most = await mostInATurn(Array.from({ length: 40 }, () => clients.find(URL_ID, FROM)))
      t.ok(most < 10, `${most} in a turn`)
    })

  t.test(
    'keep what they were given until their registration ends, and nothing is fetched for it',
    async t => {
      const clients = new Clients(storage, () => t.fail('nothing is fetched') as never)
      t.same([clients.knows('x'), clients.knows('y'), clients.knows(URL_ID)], [true, false, true])
      for (const id of ['http://app.example/client.json', 'https://app.example'])
        t.throws(() => clients.knows(id), { code: 'invalid_client', message: /must be https/ })
      t.throws(() => new Clients(storage).knows(URL_ID), { code: 'invalid_client' })
    }
  )
})
