import { PassThrough, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { Outbox } from '../../src/stdio/outbox.ts'

const LINE = `${'x'.repeat(999)}\n`

/** An outbox of which nothing is taken until its client reads. */
function outboxWith(lines: number) {
  const output = new PassThrough({ highWaterMark: 1 })
  const told: string[] = []
  const outbox = new Outbox(output, () => told.push('room'))
  for (let at = 0; at < lines; at++) told.push(outbox.send(LINE) ? 'more' : 'full')
  return { outbox, output, told }
}

t.test('lines that a slow client has not taken yet are waited for, and come in their order', async t => {
  const { outbox, output, told } = outboxWith(4)
  t.same(told, ['full', 'full', 'full', 'full'])
  let isOver = false
  const over = outbox.taken(60_000).then(() => {
    isOver = true
  })
  let read = ''
  while (read.length < 4 * LINE.length) {
    t.notOk(isOver)
    await sleep(5)
    read += output.read() ?? ''
  }
  await over
  t.equal(read, LINE.repeat(4))
  t.equal(told.at(-1), 'room')
})

t.test('a client that takes a long line slowly is waited for as long as it takes more of it', async t => {
  const pieces: Buffer[] = []
  const output = new Writable({
    highWaterMark: 1,
    write(piece: Buffer, _, done) {
      pieces.push(piece)
      setTimeout(done, piece.length / 400)
    }
  })
  const outbox = new Outbox(output, () => {})
  const lines = [`é${LINE.repeat(300)}`, LINE]
  for (const line of lines) outbox.send(line)
  await outbox.taken(300)
  t.equal(output.writableLength, 0)
  t.equal(Buffer.concat(pieces).toString(), lines.join(''))
})

t.test('a client that takes nothing is not waited for any longer', async () => {
  await outboxWith(2).outbox.taken(40)
})

t.test('nor is one that has gone, for which nothing is kept', async t => {
  const { outbox, output } = outboxWith(2)
  const over = outbox.taken(1e9)
  output.destroy()
  await over
  const { writableLength } = output
  t.equal(outbox.send(LINE), true)
  t.equal(output.writableLength, writableLength)
})
