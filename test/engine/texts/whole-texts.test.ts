import t from 'tap'
import type { ToolContext } from '../../../src/engine/context.ts'
import { LookupBudget } from '../../../src/engine/lookup-budget.ts'
import { wholeStep } from '../../../src/engine/texts/whole-texts.ts'
import { toolNames, toolsets } from '../../../tools/index.ts'

const rows = toolsets.flatMap(({ rows }) => rows)
const names = new Set<string>(toolNames)
const place = {
  ...{ project_id: '1', issue_iid: '1', merge_request_iid: '1', note_id: '1', snippet_id: '1' },
  ...{ slug: 'a', tag_name: 'v1', work_item_iid: '1' }
}

/** What a change is refused with, and what was read. @param stored the record; undefined if it cannot be read */
async function changing(tool: string, args: object, stored?: object, maxChars = 200) {
  const asked: string[] = []
  const forge = {
    send: async ({ method, path }: { method: string; path: string }) => {
      asked.push(`${method} ${path}`)
      if (stored === undefined) throw new Error('not found')
      return { value: stored }
    }
  }
  const context = { forge, lookups: new LookupBudget(), maxChars } as unknown as ToolContext
  const step = wholeStep(rows.find(row => row.name === tool)!, name => names.has(name))
  const refusal = await Promise.resolve(step?.({ ...place, ...args }, context)).then(
    () => undefined,
    error => (error as Error).message
  )
  return { refusal, asked }
}

t.test('a changed text is refused in which a line stands for what was there', async t => {
  const description = '[rest of description unchanged]\n- [x] Fuel'
  const { refusal, asked } = await changing('update_issue', { description }, { description: '- [ ] Fuel' })
  t.equal(
    refusal,
    'description has the line "[rest of description unchanged]", which would be all that stays of what it stands for: the whole text is replaced. Nothing was done. Read it whole with get_issue. A part is changed by update_issue_description_patch. Where the line is meant, add a word to it.'
  )
  t.same(asked, ['GET /projects/1/issues/1'])
})

t.test('a text with such a line is changed where the line was stored before', async t => {
  const description = 'Fuel\n\n[rest of description unchanged]'
  const stored = { title: 'a', description }
  t.equal(
    (await changing('update_issue', { description: `${description}\nmore` }, stored)).refusal,
    undefined
  )
})

t.test('each text that a change replaces is looked at, also where it cannot be read', async t => {
  const line = '... existing content ...'
  for (const [tool, args, said] of [
    ['update_wiki_page', { content: line }, /^content .* get_wiki_page\./],
    ['update_release', { description: line }, /^description .* get_release\./],
    ['update_merge_request', { description: line }, /^description .* get_merge_request\./],
    ['update_work_item', { description: line }, /^description /],
    ['update_issue_note', { body: line }, /^body /],
    ['update_snippet', { description: line }, /^description /]
  ] as const)
    t.match((await changing(tool, args)).refusal, said, tool)
})

t.test('what is made anew, or only quotes what is stored, may hold such a line', async t => {
  const line = '... existing content ...'
  for (const [tool, args] of [
    ['create_issue', { description: line }],
    ['create_issue_note', { body: line }],
    ['update_issue_description_patch', { patch: line }]
  ] as const)
    t.equal((await changing(tool, args)).refusal, undefined, tool)
})

t.test('a text that is nothing but a mark does not replace another one', async t => {
  const stored = { description: 'Fuel\n...\n' }
  t.match((await changing('update_issue', { description: '...' }, stored)).refusal, /has the line "\.\.\."/)
})

const page = Array.from({ length: 50 }, (_, at) => `Line ${at + 1}\n`)

t.test('a text is refused that is only the beginning of a long one that is stored', async t => {
  const content = page.slice(0, 20).join('')
  const { refusal } = await changing('update_wiki_page', { content }, { slug: 'a', content: page.join('') })
  t.equal(
    refusal,
    'content is the beginning of what is stored, without its last 30 lines (read them with start_line 21), which would be lost. Nothing was done. Read it whole with get_wiki_page. Where they are to go, change a word of the rest, too.'
  )
})

t.test('a text is refused that is only the end of a long one that is stored', async t => {
  const content = page.slice(30).join('')
  t.match(
    (await changing('update_wiki_page', { content }, { content: page.join('') })).refusal,
    /^content is the end of what is stored, without its first 30 lines \(read them with end_line 30\), which/
  )
})

t.test('a short text is refused that is a window of a page, whose lines can be shown', async t => {
  const content = page.slice(19, 25).join('').replace('Line 22', 'LINE 22')
  t.equal(
    (await changing('update_wiki_page', { content }, { content: page.join('') })).refusal,
    'content is lines 20 to 25 of what is stored, without its first 19 and its last 25 lines, which would be lost. Nothing was done. Read it whole with get_wiki_page. Where they are to go, take them off one end first, then off the other.'
  )
  const description = content
  const { asked } = await changing('update_issue', { description }, { description: page.join('') })
  t.same(asked, [], 'an issue is shown whole')
})

t.test('a long text is refused that is cut where a result is, also with a change', async t => {
  const description = page.slice(0, 22).join('').replace('Line 5', 'LINE 5')
  t.match(
    (await changing('update_issue', { description }, { description: page.join('') })).refusal,
    /^description is the beginning .* its last 28 lines .* update_issue_description_patch\. Where they are to go, leave out more first, and add that again\.$/
  )
})

t.test('a long text with a change of its own is stored', async t => {
  const content = `${page.slice(0, 20).join('')}Line 99\n`
  const stored = { content: page.join('') }
  t.equal((await changing('update_wiki_page', { content }, stored, 100)).refusal, undefined)
})

t.test('nothing is read for a text that a result shows as a whole', async t => {
  const { asked } = await changing('update_wiki_page', { content: 'Line 1\n' }, { content: page.join('') })
  t.same(asked, [])
})
