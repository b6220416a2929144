import t from 'tap'
import { SharedRoom } from '../../src/collections/shared-room.ts'
import { collect } from '../support/collect.ts'
import { cpuMsOf } from '../support/event-loop.ts'

/** A room that notes who lost a place. */
function room(limits: { all?: number; each?: number }) {
  const lost: string[] = []
  const shared = new SharedRoom(limits)
  return {
    shared,
    lost,
    take: (name: string, size = 1, what = name) => shared.take(name, size, () => lost.push(what))
  }
}

t.test('refuses nobody, and counts what is held', async t => {
  const { shared, take, lost } = room({ all: 10 })
  const first = take('a', 4)
  take('b', 6)
  t.same([shared.size, shared.holders], [10, 2])
  first.leave()
  first.leave()
  t.same([shared.size, shared.holders], [6, 1])
  t.same(lost, [])
})

t.test('takes room from the biggest holder, the oldest first', async t => {
  const { take, lost } = room({ all: 4 })
  take('small', 1)
  for (const at of [1, 2, 3]) take('big', 1, `big ${at}`)
  take('new')
  t.same(lost, ['big 1'])
  take('newer')
  t.same(lost, ['big 1', 'big 2'])
})

t.test('counts size, not number', async t => {
  const { take, lost } = room({ all: 1000 })
  for (let at = 0; at < 9; at++) take('many', 10, `many ${at}`)
  take('one', 700)
  take('new', 300)
  t.same(lost, ['one'])
})

t.test('takes the places of one who is over its share from itself', async t => {
  const { take, lost } = room({ all: 100, each: 3 })
  take('other')
  for (let at = 0; at < 6; at++) take('greedy', 1, `greedy ${at}`)
  t.same(lost, ['greedy 0', 'greedy 1', 'greedy 2'])
})

t.test('keeps what alone is larger than a share, until room is short', async t => {
  const { take, lost } = room({ all: 10, each: 3 })
  take('a', 8)
  t.same(lost, [])
  take('b', 3)
  t.same(lost, ['a'])
})

t.test('lets a place grow at the cost of its holder, or of the biggest', async t => {
  const { shared, take, lost } = room({ all: 20, each: 10 })
  take('a', 4, 'a 1')
  const growing = take('a', 1, 'a 2')
  growing.grow(6)
  t.same(lost, ['a 1'])
  take('b', 9)
  growing.grow(3)
  t.equal(shared.size, 19)
  take('c', 5)
  t.same(lost, ['a 1', 'a 2'], 'it is the biggest by then')
  growing.grow(100)
  t.equal(shared.size, 14, 'what has left does not grow')
})

t.test('a place that is touched is the youngest of its holder', async t => {
  const { take, lost } = room({ each: 2 })
  const first = take('a', 1, 'first')
  take('a', 1, 'second')
  first.touch()
  take('a', 1, 'third')
  t.same(lost, ['second'])
})

t.test('a holder of little keeps it, however many others come', async t => {
  const { shared, take, lost } = room({ all: 1000 })
  take('tenant', 1)
  for (let at = 0; at < 20_000; at++) take(`flood ${at % 3}`, 1)
  t.notOk(lost.includes('tenant'))
  t.equal(shared.size, 1000)
})

t.test('a network of many holders counts as one before others lose anything', async t => {
  const { shared, take, lost } = room({ all: 100 })
  for (let at = 0; at < 10; at++) take('192.0.2.1', 1, 'office')
  take('2001:db8:7:1', 1, 'home')
  for (let at = 0; at < 500; at++) take(`2001:db8:1:${at.toString(16)}`, 1, `flood ${at}`)
  t.equal(shared.size, 100)
  t.equal(lost.length, 411)
  t.same(new Set(lost.map(name => name.split(' ')[0])), new Set(['flood']))
  t.equal(lost[0], 'flood 0', 'the oldest of those that hold the same')
})

t.test('in a network, the holder with the most makes room', async t => {
  const { take, lost } = room({ all: 8 })
  take('2001:db8:1:1', 1, 'small')
  for (const at of [1, 2, 3, 4]) take('2001:db8:1:2', 1, `big ${at}`)
  for (const at of [1, 2, 3, 4]) take('192.0.2.1', 1, `other ${at}`)
  t.same(lost, ['big 1'])
})

t.test('a network whose holders have left is forgotten', async t => {
  const { shared, take, lost } = room({ all: 3 })
  const places = ['1', '2', '3'].map(at => take(`2001:db8:1:${at}`))
  for (const place of places) place.leave()
  t.same([shared.size, shared.holders, shared.biggest], [0, 0, undefined])
  take('2001:db8:1:4', 1, 'new')
  for (const at of [1, 2, 3]) take('192.0.2.1', 1, `${at}`)
  t.same(lost, ['1'])
})

t.test('drops one when asked, while there is any', async t => {
  const { shared, take, lost } = room({})
  take('a')
  take('b', 2)
  t.same([shared.dropOne(), shared.dropOne(), shared.dropOne()], [true, true, false])
  t.same(lost, ['b', 'a'])
})

t.test('finds the biggest of many holders in no time', async t => {
  const { shared, take } = room({ all: 50_000 })
  const took = await cpuMsOf(() => {
    for (let at = 0; at < 100_000; at++) take(`holder ${at}`, 1 + (at % 1000))
  })
  t.ok(shared.size <= 50_000)
  t.ok(took < 5000, `${took} ms`)
})

t.test('and of many networks, and many holders in one', async t => {
  const { shared, take } = room({ all: 20_000 })
  const hex = (number: number) => number.toString(16)
  const took = await cpuMsOf(() => {
    for (let at = 0; at < 50_000; at++) take(`2001:db8:1:${hex(at)}`)
    for (let at = 0; at < 50_000; at++) take(`2001:db8:${hex(at)}:1`)
  })
  t.equal(shared.size, 20_000)
  t.ok(took < 2500, `${took} ms`)
})

t.test('a place that has left, and is still held by somebody, keeps nothing that was counted', async t => {
  const shared = new SharedRoom({})
  const placed = () => {
    const thing = {}
    return { place: shared.take('a', 1, () => void thing), thing: new WeakRef(thing) }
  }
  const first = placed()
  const left = () => {
    const others = [placed(), placed()]
    first.place.leave()
    for (const { place } of others) place.leave()
    return others.map(({ thing }) => thing)
  }
  const things = [first.thing, ...left()]
  const stays = placed()
  await new Promise(setImmediate)
  collect()
  t.same(
    things.map(thing => thing.deref()),
    [undefined, undefined, undefined]
  )
  t.ok(stays.thing.deref())
  first.place.leave()
  stays.place.leave()
})
