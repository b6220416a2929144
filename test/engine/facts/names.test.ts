import t, { type Test } from 'tap'
import { KnownFacts } from '../../../src/engine/facts/known.ts'
import { mayBeOfName, Names } from '../../../src/engine/facts/names.ts'
import { sideBySide } from '../../../src/engine/requests/side-by-side.ts'
import { ArgumentError, CallProblem, FailedOutcome } from '../../../src/results/problem.ts'
import { ForgeError, ForgeStatusError } from '../../../src/upstream/errors.ts'

const graphql = (said: string) => new ForgeError('graphql', said)

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

t.test('a call that has waited for a person asks again', async t => {
  const { idIn, writes } = askedForge()
  const names = writes()
  await asksOnce(t, names, idIn, 1)
  names.forget()
  await asksOnce(t, names, idIn, 2)
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

t.test('a read that found nothing forgets what it went by', async t => {
  const { idIn, reads } = askedForge()
  const first = reads()
  await idIn(first)
  first.doubt()
  t.equal(await idIn(reads()), 1, 'it had asked itself')
  const second = reads()
  await idIn(second)
  second.doubt()
  t.equal(await idIn(reads()), 2)
})

/** A forge in which names stand for what `stand` says, and a read that goes by some of them as remembered. */
async function remembered(stand: Record<string, unknown>) {
  const known = new KnownFacts().of('ada')
  const asked: string[] = []
  const find = (names: Names, name: string) =>
    names.find(name, async () => {
      asked.push(name)
      if (stand[name] === undefined) throw new Error('There is none.')
      return stand[name] as object
    })
  const reads = new Names(known, false)
  const findAll = (names: Names) => Promise.all(Object.keys(stand).map(name => find(names, name)))
  await findAll(reads)
  asked.length = 0
  const later = new Names(known, false)
  await findAll(later)
  return { stand, asked, later, findAll }
}

t.test(
  'a read that failed asks again for what it went by, each once, and is worth another try if one changed',
  async t => {
    const { stand, asked, later, findAll } = await remembered({ ann: 4, 'Q1 of 9': { id: 5 } })
    stand['Q1 of 9'] = { id: 6 }
    t.ok(await later.changed())
    t.same(await findAll(later), [4, { id: 6 }])
    t.notOk(await later.changed(), 'there is no third try')
    t.same(asked, ['ann', 'Q1 of 9'])
  }
)

t.test(
  'a read is not worth another try where its names stand for the same, or could not be asked for',
  async t => {
    const same = await remembered({ ann: 4, 'Q1 of 9': { id: 5 } })
    same.stand['Q1 of 9'] = { id: 5 }
    t.notOk(await same.later.changed())
    t.same(same.asked, ['ann', 'Q1 of 9'])
    const gone = await remembered({ ann: 4 })
    gone.stand.ann = undefined
    t.notOk(await gone.later.changed())
  }
)

t.test('a failure is looked into for a name only where a name may be the reason', async t => {
  t.ok(mayBeOfName(new CallProblem('No milestone has that title.')))
  t.ok(mayBeOfName(new ForgeStatusError(404, '404 User Not Found')))
  t.ok(
    mayBeOfName(graphql("The resource does not exist or you don't have permission to perform this action"))
  )
  t.notOk(mayBeOfName(Object.assign(new ForgeStatusError(404, '404 Not Found'), { hasFixedPath: true })))
  t.notOk(mayBeOfName(new ArgumentError('page', 'is no number')))
  t.notOk(mayBeOfName(new FailedOutcome({}, 'It failed.')))
  for (const said of [
    'Query has complexity of 300, which exceeds max complexity of 250',
    'Timeout on Group.dependencyProxyBlobs',
    "Field 'color' doesn't exist on type 'WorkItem'",
    'boom'
  ])
    t.notOk(mayBeOfName(graphql(said)), said)
})
