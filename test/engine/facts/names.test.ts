import t, { type Test } from 'tap'
import { KnownFacts } from '../../../src/engine/facts/known.ts'
import { mayBeOfName, Names } from '../../../src/engine/facts/names.ts'
import { sideBySide } from '../../../src/engine/requests/side-by-side.ts'
import { ArgumentError, CallProblem, FailedOutcome } from '../../../src/results/problem.ts'

/** A forge where `Q1` stands for something else each time it is asked. */
function askedForge() {
  const known = new KnownFacts().of('ada')
  const forge = {
    asked: 0,
    ask: async () => {
      if (forge.isDown) throw new Error('down')
      return ++forge.asked
    },
    isDown: false
  }
  const idIn = (names: Names) => names.find('milestone Q1', forge.ask)
  return { known, forge, idIn, reads: () => new Names(known, false), writes: () => new Names(known, true) }
}

const asksOnce = async (t: Test, names: Names, idIn: (names: Names) => Promise<number>, id: number) => {
  t.same(await sideBySide([0, 1, 2, 3], 2, () => idIn(names)), [id, id, id, id])
}

t.test('a call that changes things asks for a name once, and the next one again', async t => {
  const { idIn, writes } = askedForge()
  await asksOnce(t, writes(), idIn, 1)
  await asksOnce(t, writes(), idIn, 2)
})

t.test('what reads have remembered is not written with', async t => {
  const { idIn, reads, writes } = askedForge()
  t.equal(await idIn(reads()), 1)
  t.equal(await idIn(writes()), 2)
  t.equal(await idIn(reads()), 1)
})

t.test('a name that could not be asked for is asked for again', async t => {
  const { forge, idIn, writes } = askedForge()
  const names = writes()
  forge.isDown = true
  const outcomes = await Promise.allSettled([idIn(names), idIn(names), idIn(names)])
  t.same(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected']
  )
  forge.isDown = false
  t.equal(await idIn(names), 1)
})

t.test('after a change of the caller nothing that was asked before counts', async t => {
  const { known, idIn, reads } = askedForge()
  t.equal(await idIn(reads()), 1)
  t.equal(await idIn(reads()), 1)
  const late = reads().find('milestone Q2', async () => {
    known.changed()
    return 'before the change'
  })
  t.equal(await late, 'before the change')
  t.equal(await reads().find('milestone Q2', async () => 'after it'), 'after it')
  t.equal(await idIn(reads()), 2)
})

t.test('a read that came to nothing forgets what it went by, once', async t => {
  const { idIn, reads } = askedForge()
  const first = reads()
  await idIn(first)
  t.notOk(first.doubted(), 'it had asked itself')
  const second = reads()
  await idIn(second)
  t.ok(second.doubted())
  t.equal(await idIn(second), 2)
  t.notOk(second.doubted())
})

t.test('what is wrong with arguments, or came to nothing, is not read again for a name', async t => {
  t.ok(mayBeOfName(new CallProblem('No milestone has that title.')))
  t.notOk(mayBeOfName(new ArgumentError('page', 'is no number')))
  t.notOk(mayBeOfName(new FailedOutcome({}, 'It failed.')))
})
