import t from 'tap'
import { Backlog, type Turn } from '../../src/stdio/backlog.ts'

/** A backlog of two that run, three that wait, and ten bytes of each. */
function backlogOf() {
  const state = { takes: true, room: 0 }
  const turns: string[] = []
  const backlog = new Backlog(
    () => state.takes,
    () => void state.room++,
    { running: 2, waiting: 3, bytes: 10 }
  )
  const ask = (id: string, bytes = 1) =>
    void backlog.turn(id, bytes).then((turn: Turn) => turns.push(`${id} ${turn}`))
  const seen = async () => {
    await new Promise(setImmediate)
    return turns.splice(0)
  }
  return { backlog, state, ask, seen }
}

t.test('so many requests run at once, and the others begin in their order', async t => {
  const { backlog, ask, seen } = backlogOf()
  for (const id of ['a', 'b', 'c', 'd']) ask(id)
  t.same(await seen(), ['a begin', 'b begin'])
  backlog.done(1)
  t.same(await seen(), ['c begin'])
})

t.test('large requests run one by one, however large one is', async t => {
  const { backlog, ask, seen } = backlogOf()
  ask('a', 11)
  ask('b', 1)
  t.same(await seen(), ['a begin'])
  backlog.done(11)
  t.same(await seen(), ['b begin'])
})

t.test('a request that is cancelled while it waits never begins', async t => {
  const { backlog, ask, seen } = backlogOf()
  for (const id of ['a', 'b', 'c', 'd']) ask(id)
  backlog.cancel('c')
  backlog.cancel(undefined)
  backlog.done(1)
  t.same(await seen(), ['a begin', 'b begin', 'c cancelled', 'd begin'])
})

for (const [title, bytes] of [
  ['many', [1, 1, 1]],
  ['large ones', [10]]
] as const)
  t.test(`it is full of ${title} that wait, until fewer do`, async t => {
    const { backlog, state, ask } = backlogOf()
    for (const id of ['a', 'b']) ask(id)
    t.notOk(backlog.isFull)
    for (const [at, size] of bytes.entries()) ask(`waits ${at}`, size)
    t.ok(backlog.isFull)
    const before = state.room
    backlog.cancel('waits 0')
    t.same([backlog.isFull, state.room], [false, before + 1])
  })

t.test('nothing begins for a client that takes no answers, but the last', async t => {
  const { backlog, state, ask, seen } = backlogOf()
  state.takes = false
  ask('a')
  t.same(await seen(), [])
  state.takes = true
  backlog.next()
  t.same(await seen(), ['a begin'])
  state.takes = false
  ask('b')
  backlog.last()
  t.same(await seen(), ['b begin'])
})
