import { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { UnreadAnswers } from '../../../src/edge/connections/unread-answers.ts'

const MIB = 1024 * 1024

/** Answers of an address that nobody has received for half a minute, and those of them whose connections were cut. */
function late(count: number) {
  const clock = { ms: 0 }
  const cuts: Socket[] = []
  const limits = { unread: { all: MIB, each: MIB }, unreadMs: 30_000 }
  const unread = new UnreadAnswers(
    limits,
    () => clock.ms,
    socket => cuts.push(socket)
  )
  const answers = Array.from({ length: count }, () => unread.begin('192.0.2.1', new Socket()))
  for (const answer of answers) unread.give(answer, 1)
  clock.ms = limits.unreadMs
  return { unread, cuts, answers }
}
const someTurns = async () => {
  for (let turn = 0; turn < 40; turn++) await nextTurn()
}

t.test('of an address, answers that wait for too long are cut a few in a turn of the event loop', async t => {
  const { unread, cuts } = late(40)
  unread.sweep()
  t.ok(cuts.length < 10, `${cuts.length} at once`)
  await someTurns()
  t.equal(cuts.length, 40)
})

t.test('an answer that is received before its turn is not cut', async t => {
  const { unread, cuts, answers } = late(20)
  unread.sweep()
  unread.end(answers[19]!)
  await someTurns()
  t.notOk(cuts.includes(answers[19]!.socket))
  t.equal(cuts.length, 19)
})
