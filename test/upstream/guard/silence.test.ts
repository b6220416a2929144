import t from 'tap'
import { GIVEN_UP } from '../../../src/upstream/connections/transport-fault.ts'
import { ForgeError, Intercepted } from '../../../src/upstream/errors.ts'
import { isOfAll, Silence, silenceLimits } from '../../../src/upstream/guard/silence.ts'
import type { Trouble } from '../../../src/upstream/guard/trouble.ts'

const ada = { caller: 'ada', at: '/user' }

function silenceAt(anyTells = false) {
  const clock = { ms: 1_000_000 }
  const standstill = { endedAt: 0, stoodMs: 0 }
  const silence = new Silence(() => clock.ms, standstill, anyTells)
  /** One request that takes so long until it fails. */
  const fail = (call = ada, ms = 0, trouble: Trouble = 503) => {
    const started = clock.ms
    clock.ms += ms
    silence.failed(call, started, trouble)
  }
  const standStill = (ms: number) => {
    clock.ms += ms
    standstill.endedAt = clock.ms
    standstill.stoodMs += ms
  }
  return { silence, clock, fail, standStill }
}

t.test('it lasts from the first failure to the latest, however few there are', async t => {
  const { silence, clock, fail } = silenceAt()
  t.equal(silence.ms, 0)
  for (let calls = 0; calls < 4; calls++) {
    fail()
    clock.ms += 150_000
    t.equal(silence.ms, calls * 150_000, 'also between two of them')
  }
})

t.test('a request has had no answer from when it was sent on, or from when another had one', async t => {
  const { silence, clock, fail } = silenceAt()
  fail(ada, 60_000)
  t.equal(silence.ms, 60_000)
  const started = clock.ms
  clock.ms += 20_000
  silence.answered()
  t.equal(silence.ms, 0)
  clock.ms += 40_000
  silence.failed(ada, started, 503)
  t.equal(silence.ms, 40_000)
})

t.test('any answer ends it, and so do ten minutes in which nobody asks', async t => {
  const { silence, clock, fail } = silenceAt()
  fail(ada, 1000)
  fail(ada, 1000)
  silence.answered()
  t.equal(silence.ms, 0)
  fail(ada, 1000)
  clock.ms += silenceLimits.missedMs
  t.equal(silence.ms, 1000)
  clock.ms += 1
  t.equal(silence.ms, 0)
  fail(ada, 1000)
  t.equal(silence.ms, 1000, 'and the next begins with the next failure')
})

t.test('what was under way while the process stood still tells nothing of the forge', async t => {
  const { silence, clock, fail, standStill } = silenceAt()
  for (let stops = 0; stops < 20; stops++) {
    const started = clock.ms
    standStill(200_000)
    silence.failed(ada, started, 503)
    silence.failed({ ...ada, caller: 'bob' }, started, 500)
    t.equal(silence.ms, 0)
  }
  clock.ms += 40_000
  fail()
  clock.ms += 10_000
  fail()
  t.equal(silence.ms, 10_000, 'what is sent from then on and fails does')
})

t.test('a standstill ends no silence, and is none', async t => {
  const { silence, clock, fail, standStill } = silenceAt()
  for (const caller of ['ada', 'bob']) fail({ ...ada, caller }, 60_000, 500)
  standStill(200_000)
  t.equal(silence.ms, 120_000)
  fail(ada, 60_000, 500)
  t.equal(silence.ms, 180_000, 'that two callers have met it is known from before')
  standStill(silenceLimits.missedMs)
  t.equal(silence.ms, 180_000)
  clock.ms += 1
  t.equal(silence.ms, 0, 'nobody asks while it lasts, either')
  fail(ada, 1000)
  t.equal(silence.ms, 1000)
})

t.test('an outage is as long as it is however often the process stands still in it', async t => {
  for (const everyMs of [Number.POSITIVE_INFINITY, 170_000, 600_000]) {
    const { silence, clock, fail, standStill } = silenceAt()
    for (let ms = 5_000; ms <= 3_600_000; ms += 5_000) {
      fail({ ...ada, caller: ms % 10_000 === 0 ? 'bob' : 'ada' }, 5_000, 500)
      if (ms % everyMs === 0) standStill(6_000)
    }
    t.equal(silence.ms, 3_600_000)
    silence.answered()
    clock.ms += 5_000
    t.equal(silence.ms, 0, 'an answer still ends it')
  }
})

t.test(
  'what may be one caller’s heavy query counts with another caller, or another kind of request',
  async t => {
    for (const other of [
      { ...ada, caller: 'bob' },
      { ...ada, at: '/projects' }
    ]) {
      const { silence, fail } = silenceAt()
      for (let calls = 0; calls < 25; calls++) fail(ada, 10_000, 500)
      t.equal(silence.ms, 0)
      fail(other, 10_000, 500)
      t.equal(silence.ms, 260_000)
      fail(ada, 10_000, 500)
      t.equal(silence.ms, 270_000)
    }
    const { silence, fail } = silenceAt(true)
    fail(ada, 10_000, 500)
    t.equal(silence.ms, 10_000, 'where no request is heavy the first does')
  }
)

t.test(
  'a page that refuses a request counts only where all requests are alike, once a second caller has met it',
  async t => {
    const page = new Intercepted(403, 'It answered 403 with a web page.')
    const bob = { ...ada, caller: 'bob' }
    const ofAny = silenceAt()
    for (const caller of [ada, bob]) ofAny.fail(caller, 10_000, page)
    t.equal(ofAny.silence.ms, 0)
    const { silence, fail } = silenceAt(true)
    for (const at of ['/oauth/token/info', '/user']) fail({ ...ada, at }, 10_000, page)
    t.equal(silence.ms, 0, 'of one caller, whatever was asked for')
    fail(bob, 10_000, page)
    t.equal(silence.ms, 30_000)
    const login = silenceAt(true)
    login.fail(ada, 10_000, new Intercepted(401, 'It asks for a password.'))
    t.equal(login.silence.ms, 10_000, 'one that asks to log in does at once')
  }
)

t.test(
  'it is told of a forge that has no connection for anybody, or says that it does not serve',
  async t => {
    const unsent = (cause?: Error) =>
      Object.assign(new ForgeError('unreachable', 'No.', { cause }), { isUnsent: true })
    const coded = (code: string) => Object.assign(new Error(code), { code })
    t.equal(isOfAll(503), true)
    t.equal(isOfAll(unsent(coded('ECONNREFUSED'))), true)
    for (const status of [500, 502, 504]) t.equal(isOfAll(status), false, `${status}`)
    t.equal(isOfAll(new ForgeError('timeout', 'Late.')), false, 'it was sent')
    t.equal(isOfAll(unsent()), false, 'it waited for a connection that others had')
    for (const code of [GIVEN_UP, 'EMFILE']) t.equal(isOfAll(unsent(coded(code))), false, code)
  }
)
