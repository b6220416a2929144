import t from 'tap'
import type { CancelSignal } from '../../../src/base/cancellation.ts'
import { type AnswerReader, UnparsedAnswer } from '../../../src/upstream/answers/unparsed.ts'
import { KeptAnswers } from '../../../src/upstream/kept-answers.ts'
import { AnswerRoom } from '../../../src/upstream/reading/answer-room.ts'
import { LargeAnswers } from '../../../src/upstream/reading/large-answers.ts'
import type { Reading } from '../../../src/upstream/upstream.ts'

const largeAnswers = new LargeAnswers()
t.teardown(() => largeAnswers.close())
const ada = { caller: 'ada', holder: 'ada' }
const keptIn = (room: AnswerRoom) =>
  new KeptAnswers({ room } as unknown as Reading, ada, undefined, () => true)
/** One of a call that keeps it in this room. */
const unparsed = (text: string, headers = {}, room = new AnswerRoom(), done = () => {}) =>
  new UnparsedAnswer(Buffer.from(text), headers, largeAnswers, ada, keptIn(room), done)

/** Reads none of what is to be read. */
class Waiting implements AnswerReader {
  readonly signals: (CancelSignal | undefined)[] = []
  read(_bytes: Buffer, { signal }: { signal: CancelSignal | undefined }): Promise<never> {
    this.signals.push(signal)
    return new Promise(() => {})
  }
  write = this.read.bind(this) as unknown as AnswerReader['write']
}

const branches = Array.from({ length: 3_000 }, (_, at) => ({
  name: `branch ${at}\u200b`,
  web_url: null,
  commit: { id: 'f'.repeat(40), avatar_url: 'https://forge.example/a.png', title: `title ${at}` }
}))
const tool = {
  inputs: new Set(['page', 'per_page']),
  structured: false,
  class: 'read',
  record: undefined
} as const
const policy = { output: 'compact', maxChars: 10_000 } as const

t.test(
  'what is only shown is compacted, cleaned and cut as any result, with what is said besides',
  async t => {
    const output = { page: { 'x-next-page': '2', 'x-page': '1' }, notices: ['Seen.'] }
    const { cuts, result } = await unparsed(JSON.stringify(branches)).written({ output, policy, tool })
    const texts = result.content.map(block => (block.type === 'text' ? block.text : ''))
    const shown = JSON.parse(texts[0]!)
    t.same(shown[0], { name: 'branch 0', commit: { id: 'f'.repeat(40), title: 'title 0' } })
    t.match(cuts[0], new RegExp(`^Result cut at 10000 characters: ${shown.length} of 3000 records are shown`))
    t.same(texts.slice(1), ['{"pagination":{"page":1,"next_page":2}}', 'Seen.', cuts[0]])
  }
)

t.test('its value can be had in place of that', async t => {
  t.same(await unparsed(JSON.stringify(branches)).value(), branches)
})

t.test('what is no answer fails as one that is read would', async t => {
  const wide = `[${'1,'.repeat(200_000)}1]`
  const failing: [text: string, headers: object, fault: string, message: RegExp][] = [
    [wide, {}, 'too-large', /too many values/],
    ['['.repeat(200_000), {}, 'too-large', /too deeply/],
    ['[1', {}, 'bad-answer', /not complete JSON/],
    ['<html>', {}, 'bad-answer', /web page/],
    ['[1', { 'content-type': 'text/html' }, 'bad-answer', /web page/]
  ]
  for (const [text, headers, fault, message] of failing) {
    const expected = { name: 'ForgeError', fault, message }
    await t.rejects(unparsed(text, headers).written({ output: {}, policy, tool }), expected)
    await t.rejects(unparsed(text, headers).value(), expected)
  }
})

t.test('one that waits for its turn and has lost its room is dropped, and says why', async t => {
  const room = new AnswerRoom({ each: 1_000 })
  const kept = keptIn(room)
  const waiting = new Waiting()
  let ended = 0
  const answer = () => new UnparsedAnswer(Buffer.from('[]'), {}, waiting, ada, kept, () => ended++)
  kept.keep(900)
  const asked = [answer().written({ output: {}, policy, tool }), answer().value()]
  room.kept(ada, () => {}).grow(900)
  for (const one of asked) await t.rejects(one, { fault: 'too-large', message: /lack of memory/ })
  t.same(
    waiting.signals.map(signal => signal?.aborted),
    [true, true]
  )
  t.equal(ended, 2, 'its turn is over then')
})

t.test(
  'it has its turn until it is read: more would be collected meanwhile than there is room for',
  async t => {
    for (const use of ['value', 'written'] as const) {
      let ended = 0
      const answer = unparsed('[]', {}, undefined, () => ended++)
      await new Promise(setImmediate)
      t.equal(ended, 0)
      await answer[use]({ output: {}, policy, tool })
      t.equal(ended, 1, use)
    }
  }
)

t.test('its value counts as what it takes, not as its bytes', async t => {
  const room = new AnswerRoom()
  await unparsed(`[${'{},'.repeat(5_000)}{}]`, {}, room).value()
  t.ok(room.size > 5_000 * 64, `${room.size} bytes`)
})
