import t from 'tap'
import type { Reply } from '../../src/upstream/answers/answer.ts'
import { KeptAnswers } from '../../src/upstream/kept-answers.ts'
import { AnswerRoom } from '../../src/upstream/reading/answer-room.ts'
import type { Reading } from '../../src/upstream/upstream.ts'

const answerOf = (body: string) => ({ status: 200, headers: {}, body }) as Reply
const long = answerOf(`"${'x'.repeat(40_000)}"`)

const keptIn = (room: AnswerRoom) =>
  new KeptAnswers({ room } as unknown as Reading, { caller: 'ada', holder: 'holder' }, undefined)

t.test('what a call keeps is counted until it is over, and nothing that comes after that', async t => {
  const room = new AnswerRoom()
  const kept = keptIn(room)
  kept.weigh(long)
  t.ok(room.size > 0)
  kept.release()
  t.equal(room.size, 0)
  t.throws(() => kept.weigh(long), { message: 'The call was cancelled.' })
  t.throws(() => kept.keep(1), { message: 'The call was cancelled.' })
  t.equal(room.size, 0)
})

t.test(
  'a short answer of many values counts as what they take, and those before it count with it',
  async t => {
    const room = new AnswerRoom()
    const kept = keptIn(room)
    kept.weigh(answerOf('{"name":"main"}'))
    t.equal(room.size, 0)
    kept.weigh(answerOf(`[${'{},'.repeat(5000)}{}]`))
    t.ok(room.size > 5000 * 64, `${room.size} bytes`)
    const before = room.size
    kept.weigh(answerOf('{"name":"main"}'))
    t.ok(room.size > before)
    kept.release()
  }
)
