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
    t.same(read(), [], 'nor is anything else')
    turn()
    t.same(read(), [])
    t.same(
      pauses.map(({ ms }) => ms),
      [2]
    )
    turn()
    t.equal(pauses.length, 1)
    rest()
    t.same(read(), ['dear 4096', 'cheap 10', 'dear 4096'])
  }
)

t.test('a holder that keeps many sockets busy has a piece for each of the others', async t => {
  const { read, rest, socket, turn } = scene()
  for (let at = 0; at < 50; at++) socket(`many${at}`, 100 * KB, 1, 'many').emit()
  const one = socket('one', 5 * KB, 0.1)
  one.emit()
  read()
  turn()
  rest()
  t.same(read().slice(0, 2), ['many0 4096', 'one 4096'])
  turn()
  rest()
  t.ok(read().includes('one 1024'))
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
