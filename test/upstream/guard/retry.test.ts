import t from 'tap'
import { ForgeError } from '../../../src/upstream/errors.ts'
import { type AttemptOutcome, RetryBudget, retryWait } from '../../../src/upstream/guard/retry.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const wait = (attempt: number, outcome: AttemptOutcome, random = 0) =>
  retryWait(
    attempt,
    outcome,
    () => NOW,
    () => random
  )

const failure = (code: string) => ({
  error: new ForgeError('unreachable', 'x', { cause: Object.assign(new Error('x'), { code }) })
})

t.test('statuses of a forge that is busy or away are asked again, others are not', async t => {
  for (const status of [429, 502, 503, 504]) t.ok(wait(0, { status, headers: {} }), String(status))
  for (const status of [200, 204, 301, 400, 401, 403, 404, 408, 409, 422, 500, 501])
    t.equal(wait(0, { status, headers: {} }), undefined, String(status))
})

t.test('failures of a connection are asked again, those that stay are not', async t => {
  for (const code of [
    'ECONNREFUSED',
    'ECONNRESET',
    'EAI_AGAIN',
    'UND_ERR_SOCKET',
    'UND_ERR_CONNECT_TIMEOUT',
    'TUNNEL_TIMEOUT'
  ])
    t.ok(wait(0, failure(code)), code)
  for (const code of [
    'ENOTFOUND',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'UND_ERR_HEADERS_TIMEOUT',
    'FORBIDDEN_ADDRESS'
  ])
    t.equal(wait(0, failure(code)), undefined, code)
  t.equal(wait(0, { error: new ForgeError('cancelled', 'x') }), undefined)
  t.equal(wait(0, { error: new TypeError('x') }), undefined)
})

t.test('there are two retries, the second after twice as long, each with jitter', async t => {
  const headers = {}
  t.same(
    [
      wait(0, { status: 503, headers }),
      wait(0, { status: 503, headers }, 1),
      wait(1, { status: 503, headers })
    ],
    [100, 200, 200]
  )
  t.equal(wait(2, { status: 503, headers }), undefined)
})

t.test(
  'Retry-After is honoured up to five seconds, in both of its forms, else left to the caller',
  async t => {
    const asked = (value: string) => wait(0, { status: 429, headers: { 'retry-after': value } })
    t.equal(asked('0'), 50)
    t.equal(asked('5'), 5050)
    t.equal(asked('6'), undefined)
    t.equal(asked(new Date(NOW + 2000).toUTCString()), 2050)
    t.equal(asked(new Date(NOW + 60_000).toUTCString()), undefined)
    t.equal(asked('soon'), 100, 'nonsense counts as not sent')
  }
)

t.test('a budget allows ten retries at once and one for each ten calls', async t => {
  const budget = new RetryBudget()
  const spend = () => budget.spend('one') || budget.spend('another') || budget.spend('a third')
  for (let retries = 0; retries < 10; retries++) t.equal(spend(), true)
  t.equal(spend(), false)
  for (let calls = 0; calls < 9; calls++) budget.earn('a fourth')
  t.equal(spend(), false)
  budget.earn('a fourth')
  t.equal(spend(), true)
  for (let calls = 0; calls < 1000; calls++) for (const caller of ['one', 'another']) budget.earn(caller)
  for (let retries = 0; retries < 10; retries++) t.equal(spend(), true)
  t.equal(spend(), false, 'nothing is saved beyond ten')
})

t.test('a caller whose calls all fail leaves retries to the others', async t => {
  const budget = new RetryBudget()
  let retries = 0
  for (let calls = 0; calls < 1000; calls++) {
    budget.earn('fails')
    for (let again = 0; again < 2; again++) if (budget.spend('fails')) retries++
  }
  t.ok(retries <= 105, 'five at once, and a tenth of its calls')
  t.equal(budget.spend('another'), true)
})
