import t, { type Test } from 'tap'
import type { SentRequest } from '../../../src/upstream/connections/sent-request.ts'
import type { ForgeError } from '../../../src/upstream/errors.ts'
import { LARGE_ANSWER_BYTES } from '../../../src/upstream/reading/answer-cost.ts'
import { LargeAnswers } from '../../../src/upstream/reading/large-answers.ts'
import { LargeArrival } from '../../../src/upstream/reading/large-arrival.ts'
import { LargeTurn } from '../../../src/upstream/reading/large-turn.ts'
import { AWAY_BYTES } from '../../../src/upstream/reading/slow-arrivals.ts'
import { until } from '../../support/until.ts'

/** Longer than a test may run. */
const NEVER_MS = 600_000

/** An answer of a caller's forge; each has a token, and where nothing else is said an address, of its own. */
function arriving(t: Test, answers: LargeAnswers, name: string, from = name) {
  const turn = new LargeTurn(
    answers,
    { caller: `token of ${name}`, from, holder: `forge of ${name}` },
    undefined
  )
  const told: string[] = []
  let error: ForgeError | undefined
  const sentRequest: SentRequest = {
    source: undefined,
    stop: why => {
      error = why
      end()
    },
    leave: () => {},
    pause: () => void told.push('pause'),
    resume: () => void told.push('resume')
  }
  const arrival = new LargeArrival(turn, sentRequest)
  const end = () => {
    arrival.end()
    turn.end()
  }
  t.teardown(end)
  return { arrival, turn, told, end, error: () => error }
}

t.test('answers that all drip keep the turns of nobody who waits', async t => {
  const answers = new LargeAnswers(NEVER_MS)
  const drips = [1, 2, 3, 4].map(at => arriving(t, answers, `${at}`))
  for (const { arrival } of drips) arrival.grow(LARGE_ANSWER_BYTES + 1)
  const other = arriving(t, answers, 'another')
  other.arrival.grow(LARGE_ANSWER_BYTES + 1)
  t.same(other.told, ['pause'])
  await until(() => other.told.includes('resume'))
  t.equal(drips.filter(({ told }) => told.length > 0).length, 0, 'and go on themselves')
})

t.test(
  'one that has lost its turn is paused once it has gone on for a while, until it has another',
  async t => {
    const answers = new LargeAnswers(NEVER_MS)
    const drips = [1, 2, 3, 4].map(at => arriving(t, answers, `${at}`))
    for (const { arrival } of drips) arrival.grow(LARGE_ANSWER_BYTES + 1)
    const [first] = drips
    first!.arrival.loseTurn()
    const other = arriving(t, answers, 'another')
    t.equal(other.turn.begin(), undefined)
    first!.arrival.grow(LARGE_ANSWER_BYTES + 1 + AWAY_BYTES)
    t.same(first!.told, [])
    first!.arrival.grow(LARGE_ANSWER_BYTES + 2 + AWAY_BYTES)
    t.same(first!.told, ['pause'])
    other.end()
    await until(() => first!.told.includes('resume'))
  }
)

t.test('one that has lost its turn still counts among those of its address', t => {
  const answers = new LargeAnswers(NEVER_MS)
  const drips = [1, 2, 3].map(at => arriving(t, answers, `${at}`, '192.0.2.1'))
  for (const { arrival } of drips) {
    arrival.grow(LARGE_ANSWER_BYTES + 1)
    arrival.loseTurn()
  }
  const fourth = arriving(t, answers, '4', '192.0.2.1')
  fourth.arrival.grow(LARGE_ANSWER_BYTES + 1)
  t.same(fourth.told, ['pause'])
  t.equal(arriving(t, answers, 'another').turn.begin(), undefined, 'and of no other')
  t.end()
})

t.test('one that is given up, whatever it has or waits for, leaves nothing behind', async t => {
  const answers = new LargeAnswers(NEVER_MS)
  const all = [1, 2, 3, 4].map(at => arriving(t, answers, `${at}`))
  const [first, second] = all
  for (const { arrival } of all) arrival.grow(LARGE_ANSWER_BYTES + 1)
  for (const one of [first, second]) one!.arrival.loseTurn()
  const others = [5, 6].map(at => arriving(t, answers, `${at}`))
  for (const { arrival } of others) arrival.grow(LARGE_ANSWER_BYTES + 1)
  second!.arrival.grow(2 * LARGE_ANSWER_BYTES)
  t.same(second!.told, ['pause'])
  for (const { end } of [...all, ...others]) end()
  await until(() => second!.error() !== undefined)
  const next = [1, 2, 3, 4].map(at => arriving(t, answers, `${at}`))
  t.same(
    next.map(({ turn }) => turn.begin()),
    next.map(() => undefined)
  )
})

t.test(
  'the time that an answer may take passes while it waits for its forge, with a turn or without',
  async t => {
    const answers = new LargeAnswers(200)
    const { arrival, error } = arriving(t, answers, 'slow')
    arrival.grow(LARGE_ANSWER_BYTES + 1)
    arrival.loseTurn()
    await until(() => error() !== undefined)
    t.match(error(), { fault: 'timeout' })
  }
)

t.test('it does not pass while the answer waits for a turn', async t => {
  const answers = new LargeAnswers(200)
  const { arrival, told, error } = arriving(t, answers, 'slow')
  arrival.grow(LARGE_ANSWER_BYTES + 1)
  arrival.loseTurn()
  const others = [1, 2, 3, 4].map(at => arriving(t, answers, `${at}`))
  for (const { turn } of others) t.equal(turn.begin(), undefined)
  arrival.grow(2 * LARGE_ANSWER_BYTES)
  t.same(told, ['pause'])
  await new Promise(resolve => setTimeout(resolve, 500))
  t.equal(error(), undefined)
  others[0]!.end()
  await until(() => error() !== undefined)
  t.same(told, ['pause', 'resume'])
})
