import t from 'tap'
import type { Reply } from '../../src/upstream/answers/answer.ts'
import { AnswerRoom } from '../../src/upstream/guard/answer-room.ts'
import { KeptAnswers } from '../../src/upstream/kept-answers.ts'
import type { Reading } from '../../src/upstream/upstream.ts'

const answerOf = (chars: number) => ({ status: 200, headers: {}, body: `"${'x'.repeat(chars)}"` }) as Reply

t.test('what a call keeps is counted until it is over, and nothing that comes after that', async t => {
  const room = new AnswerRoom()
  const kept = new KeptAnswers({ room } as unknown as Reading, 'holder', {
    caller: 'ada',
    from: undefined,
    signal: undefined
  })
  kept.weigh(answerOf(20_000))
  t.ok(room.size > 0)
  kept.release()
  t.equal(room.size, 0)
  t.throws(() => kept.weigh(answerOf(20_000)), { message: 'The call was cancelled.' })
  t.throws(() => kept.keep(1), { message: 'The call was cancelled.' })
  t.equal(room.size, 0)
})
