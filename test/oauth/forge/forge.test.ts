import { mock } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import type { Dispatcher } from 'undici'
import { Cancellation } from '../../../src/base/cancellation.ts'
import { CredentialCache } from '../../../src/oauth/credentials/credential-cache.ts'
import { askForge, CheckUnavailableError, type Verdict } from '../../../src/oauth/forge/credential-check.ts'
import { ForgeOAuth, loginTurns } from '../../../src/oauth/forge/forge-oauth.ts'
import type { CredentialKind } from '../../../src/session/credential.ts'
import { mostInATurn } from '../../support/in-turns.ts'
import { ScriptedDispatcher, type ScriptedReply } from '../../support/scripted-dispatcher.ts'

const TOKEN = 't'.repeat(64)
const FROM = { holder: '192.0.2.1', ip: '192.0.2.1', requestId: 'r-1' }
const gate = { status: 401, headers: { 'www-authenticate': 'Basic realm="staff"' } }
const page = { body: '<!doctype html>', headers: { 'content-type': 'text/html' } }

t.test('a credential is asked about', async t => {
  const ask = async (kind: CredentialKind, replies: ScriptedReply[], appId = 'app') => {
    const dispatcher = new ScriptedDispatcher(replies)
    const apiUrl = 'https://forge.example/base/api/v4'
    let why: unknown
    const answer = await askForge(
      { kind, token: TOKEN },
      { apiUrl, appId, dispatcher, userAgent: 'test' }
    ).catch(error => {
      if (!(error instanceof CheckUnavailableError)) throw error
      why = error.cause
      return `unavailable ${error.retryAfter ?? ''}`.trim()
    })
    return {
      answer,
      why,
      sent: dispatcher.sent.map(({ method, path, headers }) => ({ method, path, headers }))
    }
  }
  const info = (application: unknown, expires: object = { expires_in: 100 }) => ({
    body: { resource_owner_id: 1, application, ...expires }
  })

  t.test('a bearer at token/info, never in a URL', async t => {
    const { answer, sent } = await ask('bearer', [info({ uid: 'app' })])
    t.same(answer, { good: true, expiresIn: 100, user: '1' })
    t.match(sent, [
      { method: 'GET', path: '/base/oauth/token/info', headers: { authorization: `Bearer ${TOKEN}` } }
    ])
    t.equal(sent.length, 1)
  })

  t.test('and it must be of this application', async t => {
    for (const [application, appId, good] of [
      [{ uid: 'other' }, 'app', false],
      [{ uid: ['app'] }, 'app', false],
      [{}, 'app', false],
      [{ uid: null }, 'app', false],
      [null, 'app', false],
      [{ uid: 'other' }, '', true]
    ] as const)
      t.match((await ask('bearer', [info(application)], appId)).answer, { good })
  })

  t.test('and where token/info tells of its token and not of an application, it is of any', async t => {
    const { answer, sent } = await ask('bearer', [info(undefined)])
    t.same(answer, { good: true, expiresIn: 100, user: '1', ofAnyApp: true })
    t.equal(sent.length, 1)
    t.same((await ask('bearer', [info(undefined)], '')).answer, { good: true, expiresIn: 100, user: '1' })
    t.match((await ask('bearer', [info(undefined, { scope: ['read_user'] })])).answer, { lacksScope: true })
    t.match((await ask('bearer', [info(undefined, { expires_in: 0 })])).answer, { good: false })
  })

  t.test(
    'but what token/info answers without a word of a token is proof of none: /user is asked',
    async t => {
      for (const body of [{}, { status: 'ok' }, { resource_owner_id: null, scope: 'api' }]) {
        const { answer, sent } = await ask('bearer', [{ body }, { body: { id: 1 } }])
        t.same(answer, { good: true, user: '1', ofAnyApp: true }, JSON.stringify(body))
        t.match(sent[1], { path: '/base/api/v4/user' })
        t.same((await ask('bearer', [{ body }, { status: 401 }])).answer, { good: false })
      }
    }
  )

  t.test('and may say how long it lives in the old or the new way, or not at all', async t => {
    const uid = { uid: 'app' }
    t.same((await ask('bearer', [info(uid, { expires_in: null })])).answer, { good: true, user: '1' })
    t.same((await ask('bearer', [info(uid, { expires_in_seconds: 7 })])).answer, {
      good: true,
      expiresIn: 7,
      user: '1'
    })
    t.match((await ask('bearer', [info(uid, { expires_in: 0 })])).answer, { good: false })
  })

  const noInfo = { status: 404, body: { error: '404 Not Found' } }

  t.test('at /user where the forge has no token/info, which then does not name the application', async t => {
    const { answer, sent } = await ask('bearer', [noInfo, { body: { id: 1 } }])
    t.same(answer, { good: true, user: '1', ofAnyApp: true })
    t.match(sent[1], { path: '/base/api/v4/user', headers: { authorization: `Bearer ${TOKEN}` } })
    t.same((await ask('bearer', [noInfo, { status: 401 }])).answer, { good: false })
    t.same((await ask('bearer', [noInfo, { body: { id: 1 } }], '')).answer, { good: true, user: '1' })
  })

  t.test('and so where it says so in a page of its own, or without a word', async t => {
    for (const missing of [page, { body: '404 page not found' }, { body: '' }]) {
      const { answer } = await ask('bearer', [{ status: 404, ...missing }, { body: { id: 1 } }])
      t.same(answer, { good: true, user: '1', ofAnyApp: true }, JSON.stringify(missing))
    }
    const missing = { status: 404, ...page }
    t.equal((await ask('bearer', [missing, missing])).answer, 'unavailable', 'which its API has none of')
  })

  t.test('a personal token at /user, a job token at /job', async t => {
    t.match(await ask('private-token', [{ body: { id: 1 } }]), {
      answer: { good: true },
      sent: [{ path: '/base/api/v4/user', headers: { 'private-token': TOKEN } }]
    })
    t.match(await ask('job-token', [{ body: { id: 1 } }]), {
      answer: { good: true },
      sent: [{ path: '/base/api/v4/job', headers: { 'job-token': TOKEN } }]
    })
    const noJob = { status: 404, body: { error: '404 Not Found' } }
    t.match(
      await ask('job-token', [noJob, { body: { id: 1 } }]),
      { answer: { good: true }, sent: [{}, { path: '/base/api/v4/user', headers: { 'job-token': TOKEN } }] },
      'of a forge that has no endpoint for jobs'
    )
    for (const kind of ['private-token', 'job-token'] as const)
      t.same((await ask(kind, [{ status: 401, body: { message: '401 Unauthorized' } }])).answer, {
        good: false
      })
    const narrow = { status: 403, body: { error: 'insufficient_scope' } }
    t.same((await ask('private-token', [narrow])).answer, { good: true }, 'the forge decides on each call')
  })

  t.test('and its user is the owner of a bearer, or of the job, if the forge names one', async t => {
    const userOf = async (kind: CredentialKind, body: unknown) => (await ask(kind, [{ body }], '')).answer
    t.match(await userOf('bearer', { resource_owner_id: 7 }), { user: '7' })
    t.match(await userOf('private-token', { id: 7 }), { user: '7' })
    t.match(await userOf('job-token', { id: 1, user: { id: 7 } }), { user: '7' })
    t.same(await userOf('bearer', { resource_owner_id: null }), { good: true })
    t.same(await userOf('job-token', { id: 1 }), { good: true })
    t.same(
      await userOf('bearer', { resource_owner_id: '7'.repeat(65) }),
      { good: true },
      'nor by a long text'
    )
  })

  t.test('and nothing is concluded from an answer that is none', async t => {
    for (const reply of [
      { status: 500 },
      { status: 502, ...page },
      { status: 403 },
      { status: 400, ...page },
      { status: 401, ...page },
      gate,
      { status: 302, headers: { location: 'https://login.example/' } },
      page,
      { body: '{"application":' },
      { body: Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`name-${at}`, at])) },
      { body: 'null' },
      { body: '' }
    ])
      t.equal((await ask('bearer', [reply])).answer, 'unavailable', JSON.stringify(reply))
    for (const reply of [
      { status: 500 },
      page,
      { status: 401, ...page },
      { status: 403, ...page },
      { body: {} },
      { body: [] },
      { body: 'null' },
      { body: '' }
    ])
      t.equal((await ask('private-token', [reply])).answer, 'unavailable', JSON.stringify(reply))
    t.equal((await ask('bearer', [{ status: 429, headers: { 'retry-after': '7' } }])).answer, 'unavailable 7')
    t.equal((await ask('bearer', [])).answer, 'unavailable', 'no connection')
  })

  t.test('and whoever reads the log is told why', async t => {
    for (const [kind, reply, says] of [
      ['bearer', page, /web page/],
      ['bearer', { body: 'null' }, /answered 200 and nothing about the credential: check that FORGE_API_URL/],
      ['bearer', { status: 302, headers: { location: '/users/sign_in' } }, /302 .*not a login page or proxy/],
      ['bearer', { status: 401, ...page }, /answered 401 .* web page, .* not a login page or proxy/],
      ['private-token', page, /web page .* not a login page or proxy/],
      ['private-token', { status: 500 }, /answered 500/]
    ] as const)
      t.match((await ask(kind, [reply])).why, { message: says })
  })
})

t.test('verdicts', async t => {
  const setup = (verdict: Verdict | Error) => {
    const clock = { now: 1_800_000_000_000 }
    const state = { asked: 0, verdict }
    const cache = new CredentialCache(
      async () => {
        state.asked++
        await new Promise(resolve => setImmediate(resolve))
        if (state.verdict instanceof Error) throw state.verdict
        return state.verdict
      },
      () => clock.now,
      2
    )
    const isGood = (token = TOKEN, kind: CredentialKind = 'bearer') =>
      cache.verdictOn({ kind, token }, '192.0.2.1').then(({ good }) => good)
    return { clock, state, cache, isGood }
  }

  t.test('are asked for once however many wait', async t => {
    const { state, isGood } = setup({ good: true })
    t.same(await Promise.all([isGood(), isGood(), isGood()]), [true, true, true])
    t.equal(state.asked, 1)
    await isGood(TOKEN, 'private-token')
    t.equal(state.asked, 2, 'the same text in another header is another credential')
  })
  for (const [what, verdict] of [
    ['that is good', { good: true }],
    ['that is not', { good: false }],
    ['that there is none', new Error('no answer')]
  ] as const)
    t.test(`${what} are told to those who wait a few in a turn of the event loop`, async t => {
      const { isGood } = setup(verdict)
      const most = await mostInATurn(Array.from({ length: 40 }, () => isGood()))
      t.ok(most < 10, `${most} in a turn`)
    })
  t.test('that the forge gives at once have each its caller go on in a turn', async t => {
    const { isGood } = setup({ good: true })
    const most = await mostInATurn(Array.from({ length: 40 }, (_, at) => isGood(`${TOKEN}${at}`)))
    t.ok(most < 10, `${most} in a turn`)
  })
  t.test('are waited for no longer by whoever has gone, and stand for the next', async t => {
    const { state, cache, isGood } = setup({ good: true })
    const gone = new Cancellation()
    const waits = [1, 2].map(() => cache.verdictOn({ kind: 'bearer', token: TOKEN }, '192.0.2.1', gone))
    gone.abort()
    for (const wait of waits) await t.rejects(wait, { name: 'CancelledError' })
    t.same(await Promise.all([isGood(), isGood()]), [true, true])
    t.equal(state.asked, 1)
  })
  t.test('stand for a minute when good', async t => {
    const { clock, state, isGood } = setup({ good: true, expiresIn: 7200 })
    await isGood()
    clock.now += 60_000
    await isGood()
    t.equal(state.asked, 1)
    clock.now += 1
    state.verdict = { good: false }
    t.equal(await isGood(), false)
  })
  t.test('stand no longer though the clock of the machine is set back', async t => {
    const clock = { wall: 1_800_000_000_000, elapsed: 1 }
    const mocked = [
      mock.method(Date, 'now', () => clock.wall),
      mock.method(performance, 'now', () => clock.elapsed)
    ]
    t.teardown(() => {
      for (const { mock } of mocked) mock.restore()
    })
    const verdicts = [{ good: true }, { good: false }]
    const cache = new CredentialCache(async () => verdicts.shift()!)
    const isGood = () =>
      cache.verdictOn({ kind: 'bearer', token: TOKEN }, '192.0.2.1').then(({ good }) => good)
    t.equal(await isGood(), true)
    clock.wall -= 3_600_000
    t.equal(await isGood(), true)
    clock.elapsed += 60_001
    t.equal(await isGood(), false)
  })
  t.test('stand no longer than the token lives', async t => {
    const { clock, state, isGood } = setup({ good: true, expiresIn: 10 })
    await isGood()
    clock.now += 10_001
    await isGood()
    t.equal(state.asked, 2)
  })
  t.test('stand for a minute when bad', async t => {
    const { clock, state, isGood } = setup({ good: false })
    t.equal(await isGood(), false)
    clock.now += 60_000
    t.equal(await isGood(), false)
    t.equal(state.asked, 1)
    clock.now += 1
    await isGood()
    t.equal(state.asked, 2)
  })
  t.test('that there are none of are not remembered', async t => {
    const { state, isGood } = setup(new CheckUnavailableError('/user', 503, new Error('It is away.')))
    await Promise.all([t.rejects(isGood()), t.rejects(isGood())])
    t.equal(state.asked, 1)
    state.verdict = { good: true }
    t.equal(await isGood(), true)
  })
  t.test('are forgotten with the token, and when there are too many', async t => {
    const { state, cache, isGood } = setup({ good: true })
    await isGood()
    cache.forget({ kind: 'bearer', token: TOKEN })
    await isGood()
    t.equal(state.asked, 2)
    await isGood('b'.repeat(20))
    await isGood('c'.repeat(20))
    await isGood()
    t.equal(state.asked, 5)
  })
})

t.test('the forge’s OAuth endpoints', async t => {
  const options = { base: 'https://forge.example/base', appId: 'app', appSecret: () => '', userAgent: 'test' }
  const setup = (replies: ScriptedReply[], appSecret = '') => {
    const dispatcher = new ScriptedDispatcher(replies)
    const trouble: string[] = []
    const forge = new ForgeOAuth({
      ...options,
      appSecret: () => appSecret,
      dispatcher,
      onTrouble: ({ reason }) => void trouble.push(reason)
    })
    return { forge, dispatcher, trouble }
  }
  const code = { code: 'c', redirectUri: 'https://mcp.example/callback', verifier: 'v' }
  const good = {
    body: {
      access_token: TOKEN,
      token_type: 'bearer',
      expires_in: 7200,
      refresh_token: 'r'.repeat(64),
      scope: 'api'
    }
  }

  t.test('a login begins with the application, PKCE and a state', async t => {
    const url = new URL(
      setup([]).forge.authorizeUrl({
        redirectUri: code.redirectUri,
        challenge: 'h',
        scope: 'api read_user',
        state: 's'
      })
    )
    t.equal(url.origin + url.pathname, 'https://forge.example/base/oauth/authorize')
    t.same(Object.fromEntries(url.searchParams), {
      client_id: 'app',
      response_type: 'code',
      redirect_uri: code.redirectUri,
      scope: 'api read_user',
      code_challenge: 'h',
      code_challenge_method: 'S256',
      state: 's'
    })
  })

  t.test('a code is redeemed by form, with the secret of a confidential application', async t => {
    for (const secret of ['', 'hush']) {
      const { forge, dispatcher } = setup([good], secret)
      t.same(await forge.redeem(code, FROM), {
        access: TOKEN,
        refresh: 'r'.repeat(64),
        expiresIn: 7200,
        scope: 'api'
      })
      t.match(dispatcher.sent[0], { method: 'POST', path: '/base/oauth/token' })
      t.same(Object.fromEntries(new URLSearchParams(dispatcher.sent[0]!.body as string)), {
        grant_type: 'authorization_code',
        code: 'c',
        redirect_uri: code.redirectUri,
        code_verifier: 'v',
        client_id: 'app',
        ...(secret !== '' && { client_secret: secret })
      })
    }
  })

  t.test('a token that the forge calls created is one', async t => {
    const { forge } = setup([{ ...good, status: 201 }])
    t.match(await forge.redeem(code, FROM), { access: TOKEN })
  })

  t.test('a refresh sends what it has', async t => {
    const { forge, dispatcher } = setup([good, good])
    await forge.refresh('r1', FROM)
    await forge.refresh('r2', FROM, 'read_api')
    t.same(
      dispatcher.sent.map(({ body }) => body),
      [
        'grant_type=refresh_token&refresh_token=r1&client_id=app',
        'grant_type=refresh_token&refresh_token=r2&scope=read_api&client_id=app'
      ]
    )
  })

  t.test('what is wrong is told apart: the grant, the application, the forge', async t => {
    const secret = 'the forge says glpat-aaaaaaaaaaaaaaaaaaaa'
    for (const [reply, status, error, says] of [
      [
        { status: 400, body: { error: 'invalid_grant', error_description: secret } },
        400,
        'invalid_grant',
        undefined
      ],
      [{ status: 401, body: { error: 'invalid_client' } }, 502, 'server_error', /invalid_client/],
      [{ status: 400, body: { error: 'invalid_scope' } }, 502, 'server_error', /invalid_scope/],
      [{ status: 400, body: { error: secret } }, 502, 'server_error', /no OAuth error/],
      [{ status: 400, ...page }, 502, 'server_error', /not one of OAuth/],
      [page, 502, 'server_error', /not one of OAuth/],
      [{ body: '{"access_token":' }, 502, 'server_error', /not one of OAuth/],
      [{ body: '' }, 502, 'server_error', /not one of OAuth/],
      [{ body: { access_token: TOKEN, more: 'x'.repeat(17_000) } }, 502, 'server_error', /not one of OAuth/],
      [{ body: { access_token: 'short' } }, 502, 'server_error', /without a usable token/],
      [{ body: { access_token: 7 } }, 502, 'server_error', /without a usable token/],
      [{ body: { access_token: `${TOKEN} x` } }, 502, 'server_error', /without a usable token/],
      [
        { body: { access_token: `${TOKEN}${'='.repeat(5000)}` } },
        502,
        'server_error',
        /without a usable token/
      ],
      [{ body: { access_token: TOKEN, token_type: 'mac' } }, 502, 'server_error', /without a usable token/],
      [{ status: 500 }, 503, 'temporarily_unavailable', /status 500/],
      [{ status: 429 }, 503, 'temporarily_unavailable', /status 429/],
      [{ status: 302 }, 503, 'temporarily_unavailable', /status 302/],
      [{ body: 'x'.repeat(70_000) }, 503, 'temporarily_unavailable', /too-large/],
      [undefined, 503, 'temporarily_unavailable', /unreachable/]
    ] as const) {
      const { forge, trouble } = setup(reply === undefined ? [] : [reply])
      const failure = await forge.redeem(code, FROM).catch(error => error)
      t.match(failure, { status, code: error }, JSON.stringify(reply)?.slice(0, 80))
      t.notMatch(failure.message, /glpat/)
      t.match(trouble, says === undefined ? [] : [says])
      t.equal(trouble.length, says === undefined ? 0 : 1, 'what is not the client’s doing is told of')
    }
  })

  t.test('a code that was asked for otherwise is told of as one', async t => {
    const { forge } = setup([{ status: 400, body: { error: 'invalid_grant' } }])
    await t.rejects(forge.redeem(code, FROM), { message: /another redirect_uri or code_verifier/ })
  })

  t.test('a scope that the forge does not give is the business of the client that asked for it', async t => {
    const narrow = { status: 400, body: { error: 'invalid_scope' } }
    const { forge, trouble } = setup([narrow, narrow, narrow])
    await t.rejects(forge.refresh('r1', FROM, 'api'), { status: 400, code: 'invalid_scope' })
    t.same(trouble, [])
    await t.rejects(forge.refresh('r1', FROM), { code: 'server_error' }, 'it asked for none')
    await t.rejects(forge.redeem(code, FROM), { code: 'server_error' })
    t.equal(trouble.length, 2)
  })

  t.test('odd extras of a token answer are left out', async t => {
    const { forge } = setup([
      { body: { access_token: TOKEN, refresh_token: 'short', expires_in: -1, scope: 'x'.repeat(300) } }
    ])
    t.same(await forge.redeem(code, FROM), { access: TOKEN })
  })

  t.test('a token that is said to live for ever lives for a year', async t => {
    for (const expires_in of ['1e400', '1e308', '9007199254740993']) {
      const { forge } = setup([{ body: `{"access_token":"${TOKEN}","expires_in":${expires_in}}` }])
      t.same(await forge.redeem(code, FROM), { access: TOKEN, expiresIn: 31_536_000 })
    }
  })

  t.test('are asked a few things at once of one address, and of another meanwhile', async t => {
    const dispatcher = new HeldDispatcher(() => ({ body: {} }))
    const forge = new ForgeOAuth({ ...options, dispatcher, onTrouble() {} })
    const asked = Array.from({ length: 40 }, () => forge.revoke(TOKEN, FROM))
    await nextTurn()
    const ofOne = dispatcher.held.length
    t.ok(ofOne < 16, `${ofOne} of one address`)
    asked.push(forge.revoke(TOKEN, { ...FROM, holder: '192.0.2.2' }))
    await nextTurn()
    t.equal(dispatcher.held.length, ofOne + 1)
    for (; dispatcher.held.length > 0; await nextTurn())
      for (const answer of dispatcher.held.splice(0)) answer()
    await Promise.all(asked)
    t.equal(dispatcher.sent.length, 41, 'all had their turn')
  })

  t.test('that keep silent, those who wait for a turn give up a few in a turn of the event loop', async t => {
    const dispatcher = new SilentDispatcher()
    const forge = new ForgeOAuth({ ...options, dispatcher, deadlineMs: 20, onTrouble() {} })
    mock.timers.enable({ apis: ['setTimeout'] })
    for (let at = 0; at < 16; at++) forge.revoke(TOKEN, FROM).catch(() => {})
    const waiting = Array.from({ length: 40 }, () => forge.revoke(TOKEN, FROM))
    mock.timers.tick(loginTurns.waitMs)
    mock.timers.reset()
    const most = await mostInATurn(waiting)
    t.ok(most < 10, `${most} in a turn`)
  })

  t.test('that answer many addresses at once, those go on a few in a turn of the event loop', async t => {
    const dispatcher = new HeldDispatcher(() => good)
    const forge = new ForgeOAuth({ ...options, dispatcher, onTrouble() {} })
    const asked = Array.from({ length: 24 }, (_, at) =>
      forge.redeem(code, { ...FROM, holder: `192.0.2.${at % 8}` })
    )
    await nextTurn()
    for (const answer of dispatcher.held.splice(0)) answer()
    const most = await mostInATurn(asked)
    t.ok(most < 10, `${most} in a turn`)
  })

  t.test('revoking is done whether there was anything to revoke or not', async t => {
    const { forge, dispatcher, trouble } = setup([{ body: {} }, { status: 403 }, { status: 400 }])
    await forge.revoke(TOKEN, FROM)
    await forge.revoke(TOKEN, FROM, 'refresh_token')
    await forge.revoke(TOKEN, FROM)
    t.equal(dispatcher.sent[1]!.body, `token=${TOKEN}&token_type_hint=refresh_token&client_id=app`)
    t.same(trouble, [])
    for (const [reply, code] of [
      [{ status: 401 }, 'server_error'],
      [{ status: 500 }, 'temporarily_unavailable']
    ] as const)
      await t.rejects(setup([reply]).forge.revoke(TOKEN, FROM), { code })
    await t.rejects(setup([]).forge.revoke(TOKEN, FROM), { code: 'temporarily_unavailable' })
  })
})

/** A forge that answers when it is told to. */
class HeldDispatcher extends ScriptedDispatcher {
  readonly held: (() => void)[] = []
  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.held.push(() => super.dispatch(options, handler))
    return true
  }
}

/** A forge that takes a request and never answers. */
class SilentDispatcher extends ScriptedDispatcher {
  override dispatch(): boolean {
    return true
  }
}

t.test('a forge that does not answer is given up in time, at each step', async t => {
  const dispatcher = new SilentDispatcher()
  const common = { appId: 'app', dispatcher, userAgent: 'test', deadlineMs: 20 }
  const credential = { kind: 'bearer', token: TOKEN } as const
  await t.rejects(
    askForge(credential, { apiUrl: 'https://forge.example/api/v4', ...common }),
    CheckUnavailableError
  )
  const trouble: string[] = []
  const forge = new ForgeOAuth({
    base: 'https://forge.example',
    appSecret: () => '',
    onTrouble: ({ reason }) => void trouble.push(reason),
    ...common
  })
  const late = { code: 'temporarily_unavailable' }
  await t.rejects(forge.redeem({ code: 'c', redirectUri: 'r', verifier: 'v' }, FROM), late)
  await t.rejects(forge.refresh('r', FROM), late)
  await t.rejects(forge.revoke(TOKEN, FROM), late)
  t.same(trouble, Array(3).fill('the forge could not be asked: timeout'))
})
