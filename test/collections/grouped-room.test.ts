import t from 'tap'
import { GroupedRoom } from '../../src/collections/grouped-room.ts'

/** A room that notes who lost a place. */
function room(limits: { all?: number; each?: number }) {
  const lost: string[] = []
  const grouped = new GroupedRoom(limits)
  return {
    grouped,
    lost,
    take: (group: string, name: string, size = 1) =>
      grouped.take(group, name, size, () => lost.push(`${group} ${name}`))
  }
}

t.test('takes room from the biggest group, however little each of its holders has', async t => {
  const { grouped, take, lost } = room({ all: 100 })
  for (let at = 0; at < 60; at++) take('many', `${at}`)
  take('few', 'big', 45)
  t.same(lost, ['many 0', 'many 1', 'many 2', 'many 3', 'many 4'])
  t.equal(grouped.size, 100)
})

t.test('within a group, takes it from the holder with the most', async t => {
  const { take, lost } = room({ all: 10 })
  take('a', 'small', 1)
  take('a', 'big', 6)
  take('b', 'new', 4)
  t.same(lost, ['a big'])
})

t.test('a group alone may fill the room, and a holder has its limit in it', async t => {
  const { grouped, take, lost } = room({ all: 10, each: 4 })
  for (const name of ['a', 'b', 'c']) take('one', name, 3)
  t.same([lost, grouped.size], [[], 9])
  take('one', 'c', 2)
  t.same(lost, ['one c'])
})

t.test('what has left takes no room, and leaves nothing behind', async t => {
  const { grouped, take, lost } = room({ all: 10 })
  const first = take('a', 'x', 5)
  first.grow(1)
  first.leave()
  t.same([grouped.size, grouped.groups], [0, 0])
  const second = take('a', 'y', 2)
  first.leave()
  first.grow(100)
  take('b', 'z', 9)
  t.same([lost, grouped.size], [['b z'], 2])
  second.leave()
  t.same([grouped.size, grouped.groups], [0, 0])
})

t.test('a place that is touched is the youngest of its holder', async t => {
  const { grouped, take, lost } = room({ all: 3 })
  const first = grouped.take('a', 'x', 1, () => lost.push('first'))
  grouped.take('a', 'x', 1, () => lost.push('second'))
  first.touch()
  take('a', 'x', 2)
  t.same(lost, ['second'])
})
