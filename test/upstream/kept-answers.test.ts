import t from 'tap'
import type { ToolContext } from '../../src/engine/context.ts'
import { keepMade } from '../../src/engine/requests/made-text.ts'
import type { Reply } from '../../src/upstream/answers/answer.ts'
import { KeptAnswers } from '../../src/upstream/kept-answers.ts'
import { AnswerRoom } from '../../src/upstream/reading/answer-room.ts'
import { LargeAnswers } from '../../src/upstream/reading/large-answers.ts'
import type { Reading } from '../../src/upstream/upstream.ts'
import { spend } from '../support/event-loop.ts'

const answerOf = (body: string) => ({ status: 200, headers: {}, body }) as Reply
const long = answerOf(`"${'x'.repeat(40_000)}"`)

const ada = { caller: 'ada', holder: 'holder', signal: undefined }
const keptBy = (reading: object) => new KeptAnswers(reading as Reading, ada, undefined, () => true)
const keptIn = (room: AnswerRoom) => keptBy({ room })

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

t.test('an answer of more than a call counts by itself is counted, one of a few words is not', async t => {
  const room = new AnswerRoom()
  const [few, much] = [keptIn(room), keptIn(room)]
  few.weigh(answerOf(`"${'x'.repeat(1000)}"`))
  t.equal(room.size, 0)
  much.weigh(answerOf(`"${'x'.repeat(10_000)}"`))
  t.ok(room.size >= 10_000, `${room.size} bytes`)
})

t.test('a text that a call makes and has no room for is not said to be an answer that is read', async t => {
  const kept = keptIn(new AnswerRoom({ all: 1000 }))
  t.throws(() => keepMade('x'.repeat(1000), { forge: kept } as unknown as Pick<ToolContext, 'forge'>), {
    fault: 'too-large',
    message: /what is made of them, at once, and this call was given up/
  })
})

t.test('what a call waits for ends as soon as what it keeps has no room, whatever that is', async t => {
  const room = new AnswerRoom({ each: 100_000 })
  const kept = keptIn(room)
  kept.keep(60_000)
  const never = new Promise(() => {})
  const lost = t.rejects(kept.orLost(never), { name: 'ForgeError', fault: 'too-large' })
  keptIn(room).keep(60_000)
  await lost
  await t.rejects(kept.wroteOrLost(Promise.reject(new Error('cancelled'))), {
    name: 'ForgeError',
    fault: 'too-large'
  })
  t.equal(await kept.wroteOrLost(Promise.resolve('what has been written')), 'what has been written')
})

/** Ways to keep so much that work on it takes turns. */
const keeping: Readonly<Record<string, (kept: KeptAnswers) => void>> = {
  'a large answer': kept => kept.weigh({ ...long, parsed: { value: [], size: 2, weight: 60_000 } }),
  'a stream': kept => {
    kept.streams('holder')
    kept.keep(60_000)
  }
}

for (const [what, keep] of Object.entries(keeping))
  t.test(`work on ${what} that waits for its turn is dropped once that has no room`, async t => {
    const largeAnswers = new LargeAnswers()
    const room = new AnswerRoom({ each: 100_000 })
    const keptHere = () => keptBy({ room, largeAnswers })
    const kept = keptHere()
    keep(kept)
    // Others have their turns first, and it rests.
    void largeAnswers.paced(ada, () => spend(100))
    largeAnswers.timed(ada)
    spend(100)
    await new Promise(resolve => setImmediate(resolve))
    let isDone = false
    const work = async () =>
      kept.paced(() => {
        isDone = true
      })
    const lost = t.rejects(work, { name: 'ForgeError', fault: 'too-large' })
    keptHere().keep(60_000)
    await lost
    await Promise.all([largeAnswers.paced(ada, () => {}), largeAnswers.piece(ada)])
    t.notOk(isDone)
  })

t.test('what has had to be dropped is not worked on, whether or not work takes turns', async t => {
  const room = new AnswerRoom({ each: 100_000 })
  const kept = keptIn(room)
  kept.keep(60_000)
  keptIn(room).keep(60_000)
  const work = async () => kept.paced(() => t.fail('worked on'))
  await t.rejects(work, { name: 'ForgeError', fault: 'too-large' })
})

t.test(
  'a call that has read a large answer works in turns of such, also while it reads a stream',
  async t => {
    const turns: string[] = []
    const largeAnswers = { paced: async () => turns.push('large'), stretch: async () => turns.push('piece') }
    const kept = keptBy({ room: new AnswerRoom(), largeAnswers })
    kept.streams('holder')
    await kept.paced(() => {})
    keeping['a large answer']!(kept)
    kept.streams('holder')
    await kept.paced(() => {})
    t.same(turns, ['piece', 'large'])
  }
)
