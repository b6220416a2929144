import t from 'tap'
import { failureLimits } from '../../../src/fairness/credential-failures.ts'
import {
  CredentialChecker,
  checkLimits,
  TooManyFailuresError
} from '../../../src/oauth/credentials/credential-checker.ts'
import { KnownCredentials } from '../../../src/oauth/credentials/known-credentials.ts'
import { CheckUnavailableError } from '../../../src/oauth/forge/credential-check.ts'
import type { Dispatching } from '../../../src/upstream/connections/sent-request.ts'
import { breakerLimits } from '../../../src/upstream/guard/breaker.ts'

const [HERE, THERE] = ['192.0.2.1', '192.0.2.2']
const made = (at: number) => `made-up-made-up-made-${at}`
const REAL = 'real-real-real-real-real'

/** A forge that answers when it is told to, or at once with a status. @param isPage what stands before it answers */
function setup(status?: number, isPage = false) {
  const clock = { now: 0 }
  const open: ((status: number) => void)[] = []
  const dispatcher = {
    dispatch(_options, handler) {
      const answer = (status: number) => {
        const controller = {} as never
        handler.onResponseStart?.(
          controller,
          status,
          isPage ? { 'content-type': 'text/html', location: '/login' } : {},
          ''
        )
        handler.onResponseData?.(controller, Buffer.from(isPage ? '<html>Log in</html>' : '{}'))
        handler.onResponseEnd?.(controller, {})
      }
      open.push(answer)
      if (status !== undefined) setImmediate(answer, status)
      return true
    }
  } as Dispatching
  const checker = new CredentialChecker(
    {
      apiUrl: 'https://forge.example/api/v4',
      appId: '',
      dispatcher: dispatcher as never,
      userAgent: 'test'
    },
    {},
    () => clock.now
  )
  const ask = (token: string, from = HERE, isSealed = false) =>
    checker.ask({ kind: 'bearer', token }, from, isSealed)
  const vouch = (token: string, from = HERE) => checker.vouch({ kind: 'bearer', token }, from)
  /** Answers all that is asked, now and for the answers before. */
  const drain = async () => {
    for (; open.length > 0; await new Promise(resolve => setImmediate(resolve))) open.shift()!(401)
  }
  return { clock, checker, open, ask, vouch, drain }
}

t.test('an address whose credentials are refused is asked about no more, for a minute', async t => {
  const { clock, open, ask } = setup(401)
  for (let at = 0; at < failureLimits.failures; at++) t.same(await ask(made(at)), { good: false })
  await t.rejects(ask(made(100)), TooManyFailuresError)
  t.equal(open.length, failureLimits.failures)
  t.same(await ask(made(101), THERE), { good: false }, 'another address is')
  clock.now += 60_000
  t.same(await ask(made(102)), { good: false })
})

t.test('those that wait their turn are not asked about either', async t => {
  const { open, ask } = setup(401)
  const all = await Promise.allSettled(Array.from({ length: 400 }, (_, at) => ask(made(at))))
  t.ok(open.length < failureLimits.failures + checkLimits.strangers.limit, `${open.length} requests`)
  t.ok(all.some(({ status }) => status === 'rejected'))
})

t.test('a credential that the forge has taken is asked about whatever comes from its address', async t => {
  const { checker, open, ask, drain } = setup()
  const real = ask(REAL)
  open.shift()!(200)
  t.same(await real, { good: true })
  for (let at = 0; at < failureLimits.failures; at++) {
    const failing = ask(made(at))
    open.shift()!(401)
    await failing
  }
  await t.rejects(ask(made(100)), TooManyFailuresError)
  const again = ask(REAL)
  open.shift()!(200)
  t.same(await again, { good: true })
  checker.vouch({ kind: 'bearer', token: 'new-new-new-new-new-new' }, HERE)
  void ask('new-new-new-new-new-new').catch(() => {})
  t.equal(open.length, 1, 'and so is one that a login here has given')
  await drain()
})

t.test('who goes on for hours is known, and asked about whatever comes from its address', async t => {
  const { clock, open, ask } = setup()
  const go = async (token: string, status: number) => {
    const verdict = ask(token)
    open.shift()?.(status)
    return verdict
  }
  t.same(await go(REAL, 200), { good: true })
  for (let minute = 0; minute < 70; minute++) {
    clock.now += 60_000
    for (let at = 0; at < failureLimits.failures; at++) await go(made(at), 401)
    await t.rejects(ask(made(100)), TooManyFailuresError)
    t.same(await go(REAL, 200), { good: true }, `minute ${minute}`)
  }
})

t.test('made-up credentials leave turns to those that the forge has taken', async t => {
  const { checker, open, ask, drain } = setup()
  const asked = Array.from({ length: 20 }, (_, address) =>
    Array.from({ length: 50 }, (_, at) => ask(made(at), `198.51.100.${address}`).catch(() => {}))
  )
  t.equal(open.length, checkLimits.strangers.limit)
  checker.vouch({ kind: 'bearer', token: REAL }, HERE)
  void ask(REAL).catch(() => {})
  t.equal(open.length, checkLimits.strangers.limit + 1)
  await drain()
  await Promise.all(asked.flat())
})

t.test('one address leaves turns to others', async t => {
  const { open, ask, drain } = setup()
  for (let at = 0; at < 200; at++) void ask(made(at)).catch(() => {})
  const before = open.length
  void ask(made(200), THERE).catch(() => {})
  t.equal(open.length, before + 1)
  await drain()
})

t.test('tokens of renewed logins leave turns to those of another address', async t => {
  const { open, ask, vouch, drain } = setup()
  for (let at = 0; at < 280; at++) vouch(made(at))
  const asked = Array.from({ length: 280 }, (_, at) => ask(made(at)).catch(() => {}))
  const before = open.length
  t.ok(before < checkLimits.all.limit, `${before} at once`)
  vouch(REAL, THERE)
  const real = ask(REAL, THERE)
  t.equal(open.length, before + 1)
  open.pop()!(200)
  t.same(await real, { good: true })
  await drain()
  await Promise.all(asked)
})

t.test('a token that has ended is no known one any more, and many such count as failures', async t => {
  const { clock, open, ask, vouch } = setup(401)
  const most = checkLimits.ended + failureLimits.failures
  for (let at = 0; at < most; at++) {
    vouch(made(at))
    await ask(made(at))
    if (at === checkLimits.ended - 1) t.same(await ask(REAL), { good: false }, 'some are no attack')
  }
  await t.rejects(ask(made(0)), TooManyFailuresError, 'it is a stranger')
  t.equal(open.length, most + 1)
  clock.now += 60_000
  t.same(await ask(made(0)), { good: false })
})

t.test('whose session has a token that has ended is asked about as a stranger from then on', async t => {
  const { open, ask, drain } = setup()
  const dead = ask(REAL, HERE, true)
  open.shift()!(401)
  t.same(await dead, { good: false })
  for (let at = 0; at < failureLimits.failures; at++) {
    const failing = ask(made(at))
    open.shift()!(401)
    await failing
  }
  void ask('sealed-sealed-sealed-sealed', HERE, true).catch(() => {})
  t.equal(open.length, 1, 'while that of another is no made-up one')
  await t.rejects(ask(REAL, HERE, true), TooManyFailuresError)
  await drain()
})

t.test('whose logins are renewed on and on makes no stranger of another address', t => {
  const known = new KnownCredentials(() => 1, 100)
  known.taken('real', THERE)
  for (let at = 0; at < 1_000; at++) known.taken(`renewed ${at}`, HERE)
  t.equal(known.has('real'), true)
  t.equal(known.has('renewed 0'), false)
  t.equal(known.has('renewed 999'), true)
  t.end()
})

t.test('a forge that does not answer is left alone', async t => {
  const { open, ask } = setup(503)
  for (let at = 0; at < breakerLimits.volume; at++) await t.rejects(ask(made(at)), CheckUnavailableError)
  const asked = open.length
  await t.rejects(ask(made(100)), CheckUnavailableError)
  t.equal(open.length, asked)
})

t.test(
  'a page that refuses is no word on a credential, and asked for by strangers so often only',
  async t => {
    for (const status of [302, 400, 401]) {
      const { clock, open, ask, vouch } = setup(status, true)
      for (let at = 0; at < failureLimits.byPages; at++) await t.rejects(ask(made(at)), CheckUnavailableError)
      await t.rejects(ask(made(0)), TooManyFailuresError)
      vouch(REAL)
      for (let at = 0; at < 3; at++)
        await t.rejects(ask(REAL), CheckUnavailableError, 'whose is known goes on')
      t.equal(open.length, failureLimits.byPages + 3)
      await t.rejects(ask(made(0), THERE), CheckUnavailableError)
      clock.now += 60_000
      await t.rejects(ask(made(0)), CheckUnavailableError)
    }
  }
)

t.test(
  'a page that answers each check in place of the forge is its silence, once two addresses have met it',
  async t => {
    const { clock, checker, ask } = setup(403, true)
    const meets = async (at: number, from: string) => {
      await t.rejects(ask(made(at), from), CheckUnavailableError)
      clock.now += 100_000
    }
    for (let at = 0; at < 3; at++) await meets(at, HERE)
    t.equal(checker.silentMs, 0, 'one caller may have a firewall send it')
    await meets(3, THERE)
    t.equal(checker.silentMs, 300_000)
  }
)
