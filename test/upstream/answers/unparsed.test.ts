import t from 'tap'
import { UnparsedAnswer } from '../../../src/upstream/answers/unparsed.ts'
import { LargeAnswers } from '../../../src/upstream/reading/large-answers.ts'

const largeAnswers = new LargeAnswers()
t.teardown(() => largeAnswers.close())
const ada = { caller: 'ada', signal: undefined }
const unparsed = (text: string, headers = {}) =>
  new UnparsedAnswer(Buffer.from(text), headers, largeAnswers, ada)

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
