import { Readable as Stream } from 'node:stream'
import t from 'tap'
import { type Readable, ReadPace } from '../../../src/upstream/connections/read-pace.ts'

const KB = 1024

/** A pace of two milliseconds on a clock of the test's own, where a piece of a socket costs what the test says. */
function scene() {
  let clock = 0
  const turns: (() => void)[] = []
  const pauses: { ms: number; over: () => void }[] = []
  const pace = new ReadPace(
    2,
    () => clock,
    next => void turns.push(next),
    (over, ms) => void pauses.push({ over, ms })
  )
  const log: string[] = []
  /** Read as undici reads it: until there is nothing. */
  const socket = (name: string, bytes: number, costMs: number, holder = name) => {
    let left = bytes
    const one = {
      destroyed: false,
      get readableLength() {
        return left
      },
      read(size = left) {
        const length = Math.min(size, left)
        left -= length
        return length === 0 ? null : Buffer.alloc(length)
      },
      emit() {
        for (let piece = this.read(); piece !== null; piece = this.read()) {
          log.push(`${name} ${piece.length}`)
          clock += costMs
        }
        return true
      }
    }
    pace.keep(one as unknown as Readable, holder)
    return one
  }
  return {
    pauses,
    socket,
    /** What was read since it was last asked. */
    read: () => log.splice(0),
    turn: () => {
      for (const next of turns.splice(0)) next()
    },
    rest: () => {
      for (const { over } of pauses.splice(0)) over()
    }
  }
}

t.test('a look of Node’s own whether there is more takes nothing', async t => {
  const stream = new Stream({ read() {} })
  new ReadPace().keep(stream as unknown as Readable, 'forge')
  stream.push(Buffer.alloc(9 * KB))
  t.equal(stream.read(0), null)
  t.equal(stream.readableLength, 9 * KB)
  t.equal(stream.read()?.length, 4 * KB)
})

t.test('what costs next to nothing is read at once, in pieces', async t => {
  const { read, socket } = scene()
  socket('a', 9 * KB, 0).emit()
  socket('b', 300, 0).emit()
  t.same(read(), ['a 4096', 'a 4096', 'a 1024', 'b 300'])
})

t.test(
  'what costs much is read until it has taken its time in a turn, and on after as long a pause',
  async t => {
    const { pauses, read, rest, socket, turn } = scene()
    const dear = socket('dear', 100 * KB, 1)
    dear.emit()
    t.same(read(), ['dear 4096', 'dear 4096'])
    dear.emit()
    socket('cheap', 10, 0).emit()
    t.same(read(), [], 'nor is anything else in this turn')
    turn()
    t.same(
      pauses.map(({ ms }) => ms),
      [2]
    )
    read()
    turn()
    t.equal(pauses.length, 1)
    t.same(read(), [])
    rest()
    t.same(read(), ['dear 4096', 'dear 4096'])
  }
)

t.test('whose answers cost little need not wait for the pause after those that cost much', async t => {
  const { read, rest, socket, turn } = scene()
  for (let at = 0; at < 8; at++) socket(`dear${at}`, 400 * KB, 1).emit()
  for (let at = 0; at < 50; at++) {
    turn()
    rest()
  }
  const calm = socket('calm', 20 * KB, 0.01)
  calm.emit()
  read()
  turn()
  t.same(read(), ['calm 4096', 'calm 4096', 'calm 4096', 'calm 4096', 'calm 4096'])
})

t.test(
  'those whose answers cost much all wait for the pause to end, though not each costs the same',
  async t => {
    const { read, rest, socket, turn } = scene()
    for (let at = 0; at < 8; at++) socket(`dear${at}`, 4000 * KB, 0.3 + at / 20).emit()
    for (let at = 0; at < 50; at++) {
      turn()
      rest()
    }
    read()
    for (let at = 0; at < 50; at++) {
      turn()
      t.same(read(), [])
      rest()
      read()
    }
  }
)

t.test('in a pause no more is read than half of what is in a turn', async t => {
  const { read, socket, turn } = scene()
  socket('dear', 100 * KB, 1).emit()
  for (let at = 0; at < 9; at++) socket(`new${at}`, 4 * KB, 0.5).emit()
  read()
  turn()
  t.same(read(), ['new0 4096', 'new1 4096'])
  turn()
  t.same(read(), [])
})

t.test('what is read in a pause is taken from the turn that follows', async t => {
  const { read, rest, socket, turn } = scene()
  const dear = socket('dear', 100 * KB, 1)
  dear.emit()
  socket('new', 4 * KB, 1).emit()
  turn()
  t.ok(read().includes('new 4096'))
  rest()
  t.same(read(), ['dear 4096'])
})

t.test('after a pause that was read through, all who wait are served again', async t => {
  const { pauses, read, rest, socket, turn } = scene()
  socket('dear', 12 * KB, 1).emit()
  socket('new', 4 * KB, 4).emit()
  turn()
  turn()
  read()
  rest()
  t.same(read(), [], 'the pause cost more than a turn')
  turn()
  t.same(
    pauses.map(({ ms }) => ms),
    [4]
  )
  rest()
  t.same(read(), ['dear 4096'])
})

t.test('holders have as much of the time, whether they send what costs much or little', async t => {
  const { read, rest, socket, turn } = scene()
  socket('dear', 4000 * KB, 1).emit()
  socket('cheap', 4000 * KB, 0.1).emit()
  const log: string[] = []
  for (let at = 0; at < 50; at++) {
    turn()
    rest()
    log.push(...read())
  }
  const [dear, cheap] = ['dear', 'cheap'].map(name => log.filter(line => line.startsWith(name)).length)
  t.ok(cheap! > 8 * dear! && cheap! < 12 * dear! + 50, `${dear} pieces and ${cheap}`)
})

t.test('who sent nothing for long has no more before the others than a little', async t => {
  const { read, rest, socket, turn } = scene()
  const late = socket('late', 4000 * KB, 1)
  socket('always', 4000 * KB, 1).emit()
  const round = () => {
    turn()
    rest()
    return read()
  }
  for (let at = 0; at < 100; at++) round()
  late.emit()
  const log = Array.from({ length: 10 }, round).flat()
  t.ok(log.slice(0, 7).includes('always 4096'), log.join())
})

t.test('a holder that keeps many sockets busy has no more than one with one', async t => {
  const { read, rest, socket, turn } = scene()
  for (let at = 0; at < 50; at++) socket(`many${at}`, 100 * KB, 1, 'many').emit()
  socket('one', 4000 * KB, 1).emit()
  const log: string[] = []
  for (let at = 0; at < 100; at++) {
    turn()
    rest()
    log.push(...read())
  }
  const ofOne = log.filter(line => line.startsWith('one')).length
  t.ok(Math.abs(2 * ofOne - log.length) <= 10, `${ofOne} of ${log.length}`)
  const names = new Set(log.map(line => line.split(' ')[0]))
  t.equal(names.size, 51, 'and each of its sockets comes to its turn')
})

t.test('of many that wait each is read to its end', async t => {
  const { pauses, rest, socket, turn } = scene()
  const sockets = Array.from({ length: 300 }, (_, at) =>
    socket(`s${at}`, (1 + (at % 5)) * 3 * KB, (at % 7) / 5, `h${at % 40}`)
  )
  for (const one of sockets) one.emit()
  for (let at = 0; at < 5000; at++) {
    turn()
    rest()
  }
  t.same(
    sockets.filter(one => one.readableLength > 0),
    []
  )
  t.same(pauses, [], 'and then nothing is under way')
})

t.test('a machine that stands still makes nobody wait for as long again', async t => {
  const { pauses, socket, turn } = scene()
  socket('slow', 10 * KB, 60_000).emit()
  turn()
  t.same(
    pauses.map(({ ms }) => ms),
    [4]
  )
})

t.test('of a socket that was destroyed nothing more is read', async t => {
  const { read, rest, socket, turn } = scene()
  const one = socket('one', 100 * KB, 2)
  one.emit()
  one.emit()
  one.destroyed = true
  turn()
  rest()
  t.same(read(), ['one 4096'])
})
