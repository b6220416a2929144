import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { Cancellation } from '../../src/base/cancellation.ts'
import { FairTurns } from '../../src/fairness/fair-turns.ts'
import type { Credential } from '../../src/session/credential.ts'
import { ForgeError, ForgeStatusError } from '../../src/upstream/errors.ts'
import { CallerForgeClient } from '../../src/upstream/forge.ts'
import { CallerGates } from '../../src/upstream/guard/caller-gates.ts'
import { busy } from '../../src/upstream/guard/gate.ts'
import { Guard } from '../../src/upstream/guard/guard.ts'
import { troubleIn } from '../../src/upstream/guard/trouble.ts'
import { apiBase } from '../../src/upstream/hosts/url.ts'
import type { ForgeRequest } from '../../src/upstream/request.ts'
import { Requester } from '../../src/upstream/requester.ts'
import { ScriptedDispatcher, type ScriptedReply } from '../support/scripted-dispatcher.ts'
import { ownReading, upstreamOf } from '../support/upstream.ts'

const token = 'glpat-0123456789abcdef'

function clientFor(
  replies: ScriptedReply[],
  apiUrl = 'https://forge.example/team/api/v4',
  maxBytes = 1000,
  credential: Credential = { kind: 'private-token', token }
) {
  const dispatcher = new ScriptedDispatcher(replies)
  const upstream = upstreamOf({
    base: apiBase(apiUrl),
    dispatcher,
    limits: { maxBytes, deadlineMs: 1000 },
    userAgent: 'test/1'
  })
  return { dispatcher, upstream, client: new CallerForgeClient(upstream, credential) }
}

/** A guard by whose clock requests are timed, and that lets everything through. */
const guardOf = (now: () => number) => ({
  now,
  call: <T>({ end }: { end: number }, attempt: (ms: number) => Promise<T>) => attempt(end - now()),
  trouble: () => {}
})

const get = { method: 'GET', path: '/user' } as const

t.test('a request carries one credential, to the origin and below the prefix of the API URL', async t => {
  const { client, dispatcher } = clientFor([{ body: { id: 1 }, headers: { 'x-next-page': '2' } }])
  const { value, headers, status } = await client.send(get)
  t.same({ value, status, next: headers['x-next-page'] }, { value: { id: 1 }, status: 200, next: '2' })
  t.match(dispatcher.sent, [{ origin: 'https://forge.example', path: '/team/api/v4/user', method: 'GET' }])
  t.same(dispatcher.sent[0]?.headers, {
    accept: 'application/json',
    'accept-encoding': 'gzip',
    'user-agent': 'test/1',
    'private-token': token
  })
})

t.test('a redirect on the same origin is followed, for GET only', async t => {
  const moved = { status: 301, headers: { location: '/team/api/v4/users/1?x=1' } }
  const { client, dispatcher } = clientFor([moved, { body: 1 }, moved])
  t.equal((await client.send(get)).value, 1)
  t.equal(dispatcher.sent[1]?.path, '/team/api/v4/users/1?x=1')
  await t.rejects(client.send({ method: 'POST', path: '/x', body: {} }), {
    fault: 'bad-answer',
    message: /answered 301 Moved Permanently, a redirect that is not followed: .* not a login page/
  })
  t.equal(dispatcher.sent.length, 3)
})

t.test('a redirect to a page or file of a project is not followed: no record is there', async t => {
  const raw = { status: 302, headers: { location: '/acme/rocket/-/raw/main/api/v4/projects/1' } }
  const { client, dispatcher } = clientFor([raw])
  await t.rejects(client.send(get), { fault: 'bad-answer', message: /a redirect that is not followed/ })
  t.equal(dispatcher.sent.length, 1)
})

t.test(
  'the search of a project that was renamed is followed, and so is a query with anything in it',
  async t => {
    for (const location of ['/team/api/v4/projects/1/-/search?search=x', '/team/api/v4/users?search=/-/']) {
      const { client, dispatcher } = clientFor([{ status: 301, headers: { location } }, { body: [] }])
      t.same((await client.send(get)).value, [])
      t.equal(dispatcher.sent[1]?.path, location)
    }
    for (const location of ['/api/v4/projects/1/-/search', '/team/api/v4/../../acme/rocket/-/raw/main/a']) {
      const { client } = clientFor([{ status: 301, headers: { location } }])
      await t.rejects(client.send(get), { message: /a redirect that is not followed/ }, 'outside the API')
    }
  }
)

t.test('a redirect to another origin is not followed: the token stays', async t => {
  for (const location of [
    'https://evil.example/x',
    '//evil.example/x',
    'http://forge.example/x',
    'https://forge.example:8443/',
    'https://forge.example@evil.example/'
  ]) {
    const { client, dispatcher } = clientFor([{ status: 302, headers: { location } }])
    await t.rejects(client.send(get), {
      fault: 'bad-answer',
      message: /another address, and the token stays here/
    })
    t.equal(dispatcher.sent.length, 1)
    const write = clientFor([{ status: 302, headers: { location } }])
    const error = await write.client.send({ method: 'POST', path: '/x', body: {} }).catch(error => error)
    t.match(error, {
      status: 302,
      message: `The forge redirects to ${new URL(location, 'https://forge.example').origin}, another address`
    })
    t.equal(troubleIn(error), 'bad-answer')
    t.equal(write.dispatcher.sent.length, 1)
  }
})

t.test('a redirect in circles, or to nowhere, ends', async t => {
  const loop = clientFor(Array(9).fill({ status: 302, headers: { location: '/again' } }))
  await t.rejects(loop.client.send(get), { message: /circles/ })
  t.equal(loop.dispatcher.sent.length, 6)
  await t.rejects(clientFor([{ status: 302 }]).client.send(get), { message: /nowhere/ })
})

t.test('a read whose path has nothing to fill in is told from one that names a thing', async t => {
  const fixed = async (request: Parameters<ReturnType<typeof clientFor>['client']['send']>[0]) =>
    (
      await clientFor([{ status: 404 }])
        .client.send(request)
        .catch(error => error)
    ).hasFixedPath
  t.equal(await fixed({ method: 'GET', path: '/issues?scope=all', template: '/issues' }), true)
  t.equal(await fixed({ method: 'GET', path: '/issues/7', template: '/issues/{id}' }), false)
  t.equal(await fixed({ method: 'GET', path: '/issues/7' }), false)
  t.equal(await fixed({ method: 'POST', path: '/projects', template: '/projects', body: {} }), false)
  const { client } = clientFor([{ status: 404 }])
  t.match(await client.graphql('query { x }', {}).catch(error => error), { hasFixedPath: true })
})

t.test(
  'a token is struck out of the forge’s words in whichever way a URL, a form or JSON writes it',
  async t => {
    const odd = 'abc+DEF/0123456789~xyz=='
    const encoded = encodeURIComponent(odd)
    const inForm = new URLSearchParams({ odd }).toString().slice('odd='.length)
    const small = (text: string) => text.replace(/%../g, code => code.toLowerCase())
    const faults: string[] = []
    for (const form of [odd, encoded, small(encoded), inForm, small(inForm), odd.replace('/', '\\/')]) {
      const refusal = { status: 400, body: { message: `GET /x?a=${form}&b=1, ${form}` } }
      const { client } = clientFor([refusal], undefined, undefined, { kind: 'private-token', token: odd })
      const { message } = (await client.send(get).catch((error: unknown) => error)) as Error
      if (message !== 'GET /x?a=[token]&b=1, [token]') faults.push(message)
    }
    t.same(faults, [])
  }
)

t.test('an error status carries the forge’s words, flat, cut and without the token', async t => {
  for (const [body, says] of [
    [{ message: '404 Project Not Found' }, '404 Project Not Found'],
    [{ error: 'insufficient_scope', error_description: 'needs api' }, 'insufficient_scope: needs api'],
    [
      { message: { title: ["can't be blank", 'is too long'], base: ['x'] } },
      "title: can't be blank, is too long; base: x"
    ],
    [
      { message: '400 Bad request - Note {:note=>["can\'t be blank"]}' },
      "400 Bad request - Note (note: can't be blank)"
    ],
    [{ error: `bad token ${token} at https://u:p@h/` }, 'bad token [token] at https://h/'],
    ['<html><body>secret page</body></html>', ''],
    ['plain words', 'plain words'],
    ['"quoted"', 'quoted']
  ] as const) {
    const { client } = clientFor([{ status: 400, body }])
    const error = await client.send(get).catch((error: unknown) => error)
    t.ok(error instanceof ForgeStatusError)
    t.equal((error as ForgeStatusError).message, says)
  }
  const long = await clientFor([{ status: 400, body: 'x'.repeat(900) }])
    .client.send(get)
    .catch((error: Error) => error.message)
  t.equal(long, 'x'.repeat(900))
})

t.test('no part of a token is told that stands where a refusal is cut', async t => {
  for (const message of [`${' '.repeat(7980)}${token} x`, token.repeat(1000)])
    for (let moved = 0; moved < 20; moved++) {
      const body = { message: `${' '.repeat(moved)}${message}` }
      const { client } = clientFor([{ status: 400, body }], undefined, 100_000)
      const said = String(await client.send(get).catch((error: Error) => error.message))
      t.notOk(said.includes(token.slice(0, 4)), said.slice(-40))
    }
})

t.test('Retry-After is read as seconds from both of its forms', async t => {
  const error = async (value: string) =>
    (await clientFor([{ status: 429, headers: { 'retry-after': value } }])
      .client.send(get)
      .catch((error: unknown) => error)) as ForgeStatusError
  t.equal((await error('7')).retryAfter, 7)
  const inAMinute = (await error(new Date(Date.now() + 60_000).toUTCString())).retryAfter!
  t.ok(inAMinute >= 58 && inAMinute <= 60)
  for (const odd of ['soon', '-5', '1e9', '+3', '05/06/2099'])
    t.equal((await error(odd)).retryAfter, undefined, odd)
  const aDay = 24 * 60 * 60
  for (const long of ['999999999', 'Fri, 31 Dec 9999 23:59:59 GMT'])
    t.equal((await error(long)).retryAfter, aDay)
})

t.test(
  'an answer that is one long text is none: taken apart, each of its characters would be a field',
  async t => {
    const text = (length: number) =>
      clientFor([{ body: `"${'x'.repeat(length)}"` }], undefined, 10_000).client.send(get)
    t.equal((await text(4_096)).value, 'x'.repeat(4_096))
    await t.rejects(text(4_097), { fault: 'bad-answer', message: /not of the shape/ })
  }
)

t.test('an answer that is no JSON is a fault of the forge, and said to be one', async t => {
  const titled = `<!doctype html><html><title>Log in, ${token}</title>`
  const html = clientFor([{ body: titled, headers: { 'content-type': 'text/html' } }])
  await t.rejects(html.client.send(get), {
    fault: 'bad-answer',
    message: /web page instead of JSON/,
    cause: { message: 'Log in, [token]' }
  })
})

t.test('an answer that is not complete JSON is said to be that, and not quoted', async t => {
  for (const [body, headers, message] of [
    ['{"id":1,"na', {}, /not complete JSON/],
    ['{"pin":private}', {}, /not complete JSON/],
    ['{"pin":private}', { 'content-type': 'text/html' }, /web page instead of JSON/]
  ] as const) {
    const error = await clientFor([{ body, headers }])
      .client.send(get)
      .catch(error => error)
    t.match(error, { fault: 'bad-answer', message })
    t.notMatch(inspect(error), 'private')
  }
})

t.test('a record that is missing is an answer of no forge, as to a read only', async t => {
  const empty = { status: 200, body: '' }
  for (const none of [empty, { status: 204 }])
    await t.rejects(clientFor([none]).client.send(get), { fault: 'bad-answer', message: /without a record/ })
  const { client } = clientFor([empty])
  t.equal((await client.send({ method: 'POST', path: '/x', body: {} })).value, undefined)
})

t.test('a refusal that is a web page is none of the forge’s, with the name of the page', async t => {
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  const body = `<html><title>\n Blocked,  ${token} </title>`
  const told = (status: number, request: ForgeRequest = get, page: object = { headers, body }) =>
    clientFor([{ status, ...page }])
      .client.send(request)
      .catch((error: unknown) => error)
  for (const request of [get, { method: 'DELETE', path: '/x' } as const])
    for (const status of [400, 401, 403, 404, 407])
      t.match(await told(status, request), {
        name: 'Intercepted',
        fault: 'bad-answer',
        status,
        message: new RegExp(`^The forge answered ${status} .* with a web page, .* not a login page or proxy`),
        cause: { message: 'Blocked, [token]' }
      })
  for (const [status, page] of [
    [403, { body }],
    [404, { headers, body: '' }],
    [413, { headers, body }],
    [429, { headers, body }],
    [503, { headers, body }]
  ] as const)
    t.match(await told(status, get, page), { name: 'ForgeStatusError', status }, `${status}`)
})

t.test('a gate that asks for a password of its own is no forge, whatever it says', async t => {
  const headers = { 'content-type': 'text/plain', 'www-authenticate': 'Basic realm="staff"' }
  const told = (reply: ScriptedReply) =>
    clientFor([{ status: 401, headers, ...reply }])
      .client.send(get)
      .catch((error: unknown) => error)
  for (const body of ['', 'Unauthorized'])
    t.match(await told({ body }), {
      name: 'Intercepted',
      status: 401,
      message: /^The forge answered 401 Unauthorized and asks for a password \(Basic\), .* not a login page/
    })
  const json = await told({ body: { message: '401 Unauthorized' } })
  t.match(json, { name: 'ForgeStatusError', isText: false }, 'as forges ask for it at their registries')
  const bearer = await told({ body: 'Unauthorized', headers: { 'www-authenticate': 'Bearer realm="basic"' } })
  t.match(bearer, { name: 'ForgeStatusError', status: 401, isText: true })
})

t.test('an answer is counted after decompression and capped', async t => {
  const headers = { 'content-encoding': 'gzip' }
  t.equal((await clientFor([{ body: gzipSync('[1]'), headers }]).client.send(get)).value?.toString(), '1')
  await t.rejects(clientFor([{ body: gzipSync('x'.repeat(1001)), headers }]).client.send(get), {
    name: 'ForgeError',
    fault: 'too-large'
  })
  await t.rejects(clientFor([{ body: 'x'.repeat(1001) }]).client.send(get), {
    name: 'ForgeError',
    fault: 'too-large'
  })
  await t.rejects(clientFor([{ body: Buffer.from('no gzip'), headers }]).client.send(get), {
    message: /damaged gzip/
  })
  const double = { 'content-encoding': 'gzip, gzip' }
  await t.rejects(clientFor([{ body: gzipSync('1'), headers: double }]).client.send(get), {
    message: /not asked for/
  })
})

t.test('GraphQL', async t => {
  t.test('posts a constant document with variables and gives its data', async t => {
    const { client, dispatcher } = clientFor([{ body: { data: { group: null } } }])
    t.same(await client.graphql('query Q { x }', { path: 'a/b' }), { group: null })
    t.match(dispatcher.sent, [
      {
        method: 'POST',
        path: '/team/api/graphql',
        body: { query: 'query Q { x }', variables: { path: 'a/b' } }
      }
    ])
  })

  t.test('fails on top-level errors, joined, and on an answer without data', async t => {
    const errors = { errors: [{ message: 'first' }, { message: `second ${token}` }] }
    await t.rejects(clientFor([{ body: errors }]).client.graphql('q', {}), {
      fault: 'graphql',
      message: 'first; second [token]'
    })
    for (const odd of ['first', { message: 'first' }])
      await t.rejects(clientFor([{ body: { data: { x: 1 }, errors: odd } }]).client.graphql('q', {}), {
        name: 'ForgeError',
        fault: 'graphql'
      })
    await t.rejects(clientFor([{ body: {} }]).client.graphql('q', {}), {
      name: 'ForgeError',
      fault: 'bad-answer'
    })
    await t.rejects(clientFor([{ status: 401, body: {} }]).client.graphql('q', {}), {
      name: 'ForgeStatusError',
      status: 401
    })
  })

  t.test('says that GraphQL may not be let through where what answers is no forge', async t => {
    const reason =
      /^This tool asks the forge by GraphQL: .* let \/api\/graphql through, not only \/api\/v4\.$/
    for (const answer of [
      { status: 404, body: '<html>' },
      { status: 404, body: {} }
    ])
      t.match(
        await clientFor([answer])
          .client.graphql('q', {})
          .catch(error => error),
        { reason }
      )
    const refused = { status: 403, body: { message: 'insufficient_scope' } }
    t.notMatch(
      await clientFor([refused])
        .client.graphql('q', {})
        .catch(error => error),
      { reason }
    )
  })
})

t.test('a signal that aborts ends the call, before and while it runs', async t => {
  const dispatcher = new ScriptedDispatcher()
  const upstream = upstreamOf({
    base: apiBase('https://forge.example/api/v4'),
    dispatcher,
    limits: { maxBytes: 1000, deadlineMs: 1000 },
    userAgent: 'test'
  })
  const gone = new CallerForgeClient(upstream, { kind: 'bearer', token }, { signal: AbortSignal.abort() })
  await t.rejects(gone.send(get), { name: 'ForgeError', fault: 'cancelled' })
  t.equal(dispatcher.sent.length, 0)
})

t.test('a write that waits for its turn ends with its caller, and goes on once any is sent', async t => {
  const gate = { limit: 1, queue: 9, waitMs: 60_000 }
  const guard = new Guard({
    limits: gate,
    callers: new CallerGates(gate, busy('of this caller')),
    resumed: new FairTurns({ each: 4 })
  })
  const dispatcher = new ScriptedDispatcher([{ body: 1 }, { body: 2 }, { body: 3 }])
  const upstream = upstreamOf({
    base: apiBase('https://forge.example/api/v4'),
    dispatcher,
    limits: { maxBytes: 1000, deadlineMs: 60_000 },
    userAgent: 'test',
    guard
  })
  const gone = new Cancellation()
  const clientOf = () => new CallerForgeClient(upstream, { kind: 'bearer', token }, { gone })
  const post = { method: 'POST', path: '/x', body: {} } as const
  const begun = clientOf()
  await begun.send(post)
  guard.enter(token)
  const waits = [clientOf().send(get), clientOf().send(post), begun.send(post)] as const
  gone.abort()
  for (const wait of waits.slice(0, 2)) await t.rejects(wait, { name: 'ForgeError', fault: 'cancelled' })
  t.equal(dispatcher.sent.length, 1)
  guard.leave(token)
  t.equal((await waits[2]).value, 2)
})

t.test('a call waits once for a forge that answers nothing, and then asks no more', async t => {
  let [now, asked] = [0, 0]
  const dispatcher = {
    dispatch: (_: unknown, handler: { onResponseError: (controller: undefined, error: Error) => void }) => {
      asked++
      now += 30_000
      handler.onResponseError(
        undefined,
        Object.assign(new Error('late'), { code: 'UND_ERR_HEADERS_TIMEOUT' })
      )
      return true
    }
  }
  const upstream = {
    base: apiBase('https://forge.example/api/v4'),
    dispatcher,
    limits: { maxBytes: 1000, deadlineMs: 55_000 },
    userAgent: 'test',
    guard: guardOf(() => now),
    reading: ownReading()
  }
  const client = new CallerForgeClient(upstream as never, { kind: 'bearer', token })
  for (const message of [/did not answer in time/, /did not answer in time/, /was not asked more/])
    await t.rejects(client.send(get), { fault: 'timeout', message })
  t.equal(asked, 2)
  const other = new CallerForgeClient(upstream as never, { kind: 'bearer', token })
  await t.rejects(other.send({ method: 'PUT', path: '/x', body: {} }), { message: /in time/ })
  await t.rejects(other.graphql('query { x }', {}), { message: /in time/ })
  await t.rejects(other.send({ method: 'PUT', path: '/y', body: {} }), { message: /was not asked more/ })
  t.equal(asked, 4)
})

t.test('what a call asks side by side is waited for once', t => {
  let now = 0
  const limits = { maxBytes: 1000, deadlineMs: 55_000 }
  const upstream = { ...clientFor([]).upstream, limits, guard: guardOf(() => now) }
  const requester = new Requester(upstream as never, { kind: 'bearer', token }, {})
  const late = new ForgeError('timeout', 'The forge did not answer in time.')
  now = 30_000
  requester.failed(late, 0)
  requester.failed(late, 1)
  requester.failed(new ForgeError('unreachable', 'x'), 1)
  t.equal(requester.end(), 55_000, 'a next one has the rest')
  now = 55_000
  requester.failed(late, 30_000)
  t.throws(() => requester.end(), { message: /was not asked more/ })
  t.end()
})

t.test('a forge that is not there is unreachable, its address left out', async t => {
  const error = (await clientFor([])
    .client.send(get)
    .catch((error: unknown) => error)) as ForgeError
  t.ok(error instanceof ForgeError)
  t.equal(error.fault, 'unreachable')
})

t.test('a client knows whether it sent anything that may change the forge', async t => {
  const reads = clientFor([{ body: 1 }, { body: { data: {} } }]).client
  await reads.send(get)
  await reads.graphql('query { currentUser { id } }', {})
  t.equal(reads.wrote, false)
  const writes = clientFor([]).client
  await t.rejects(writes.send({ method: 'PUT', path: '/x', body: {} }))
  t.equal(writes.wrote, true, 'also when no answer came')
  const mutates = clientFor([{ body: { data: {} } }]).client
  await mutates.graphql('\n  mutation { todoMarkDone { id } }', {})
  t.equal(mutates.wrote, true)
})

t.test('a path that no server takes is refused before it is sent, also of a stream', async t => {
  const { client, dispatcher } = clientFor([{ body: 1 }])
  const path = `/user?search=${'!'.repeat(9_000_000)}`
  const refusal = { fault: 'too-long', message: /more than 32768 characters.*: it was not sent/ }
  await t.rejects(client.send({ method: 'GET', path }), refusal)
  await t.rejects(
    client.stream({ path, accept: '*/*', maxBytes: 10 }, async () => undefined),
    refusal
  )
  t.same([dispatcher.sent.length, client.requests], [0, 0])
})

t.test(
  'a refused token of a kind that opens nothing here is told as that, but in the header of its kind',
  async t => {
    const reasonOf = async (credential: Credential) => {
      const { client } = clientFor([{ status: 401, body: {} }], undefined, undefined, credential)
      return client.send(get).then(
        () => t.fail(),
        ({ reason, isExplained }) => ({ reason, isExplained })
      )
    }
    const bare = 'own-own-own-own-own-own'
    t.match(await reasonOf({ kind: 'bearer', token: `gldt-${bare}` }), {
      reason: /^By its beginning the token is a deploy token/,
      isExplained: true
    })
    for (const credential of [
      { kind: 'private-token', token: `glpat-${bare}` },
      { kind: 'job-token', token: `glcbt-${bare}` }
    ] as const)
      t.same(await reasonOf(credential), { reason: undefined, isExplained: false })
  }
)
