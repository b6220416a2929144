import t from 'tap'
import { readParts, sideBySide } from '../../../src/engine/requests/side-by-side.ts'
import { CallProblem } from '../../../src/results/problem.ts'
import { ForgeError, ForgeStatusError } from '../../../src/upstream/errors.ts'

t.test('items are worked on side by side, within the width, and answered in their order', async t => {
  let [now, most] = [0, 0]
  const results = await sideBySide([3, 1, 2, 0], 2, async item => {
    most = Math.max(most, ++now)
    await new Promise(resolve => setTimeout(resolve, item))
    now--
    return item * 10
  })
  t.same(results, [30, 10, 20, 0])
  t.equal(most, 2)
})

t.test('after a failure nothing more is begun', async t => {
  const begun: number[] = []
  const run = async (item: number) => {
    begun.push(item)
    if (item === 2) throw new Error('no')
  }
  await t.rejects(sideBySide([1, 2, 3, 4], 1, run), { message: 'no' })
  t.same(begun, [1, 2])
})

t.test('a part that fails says why, hands on what it was, and takes no other with it', async t => {
  const error = new CallProblem('Not there.')
  const parts = await readParts({
    good: async () => 1,
    bad: async () => {
      throw error
    }
  })
  t.same(parts, { good: { value: 1 }, bad: { problem: 'Not there.', error } })
  t.equal(parts.bad.error, error)
})

t.test('a part that was not sent, or is out of scope, does not say that nothing was done', async t => {
  const unsent = Object.assign(new ForgeError('unreachable', 'The forge x could not be reached (E).'), {
    isUnsent: true
  })
  const scope = new ForgeStatusError(403, 'insufficient_scope: The request requires higher privileges.')
  const fails = (error: unknown) => async () => {
    throw error
  }
  const { out, narrow } = await readParts({ out: fails(unsent), narrow: fails(scope) })
  t.equal(
    out.problem,
    'The forge x could not be reached (E). Try again later, and tell who runs this server if it stays so.'
  )
  t.match(narrow.problem, /use one with the scope api \(read_api to read\)\.$/)
})

t.test('a fault of this service is no part', async t => {
  const bad = async () => {
    throw new TypeError('bug')
  }
  await t.rejects(readParts({ bad }), { message: 'bug' })
})
