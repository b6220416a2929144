import t from 'tap'
import { escapedTwiceStep, isEscapedTwice, uncutCheck } from '../../../src/engine/texts/written-texts.ts'
import { withRest } from '../../../src/results/shortened.ts'
import { toolNames, toolsets } from '../../../tools/index.ts'

const rows = toolsets.flatMap(({ rows }) => rows)
const names = new Set<string>(toolNames)
const rowOf = (name: string) => rows.find(row => row.name === name)!

/** What a call is refused with for a text that was cut. */
function refused(tool: string, args: Record<string, unknown>): string | undefined {
  try {
    uncutCheck(rowOf(tool), name => names.has(name))?.(args)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

const cut = withRest('Step 0\nStep 1\nStep 2', 15)

t.test('a text that a result cut is not written back, and what has the whole is named', async t => {
  t.equal(
    refused('update_issue', { description: `${cut}\n- [ ] Follow-up` }),
    'description has "… [6 more]" at the end of a line, by which a result says that a text was cut: what it left out would be lost. Nothing was done. Read it whole with get_issue. A part is changed by update_issue_description_patch. Where the mark is meant, let a blank follow it.'
  )
})

t.test('the mark of a cut is one with three dots, too', async t => {
  t.match(
    refused('update_issue', { description: 'burn... [200 more]' }),
    /^description has "\.\.\. \[200 more\]"/
  )
  for (const text of ['burn [200 more]', 'burn... [200 more] of it', 'burn... [0 more]', 'and ... [more]'])
    t.equal(refused('update_issue', { description: text }), undefined, text)
})

t.test('every text that is stored whole is looked at, that of a file too', async t => {
  const file = [{ file_path: 'a', content: cut }]
  for (const [tool, args, said] of [
    ['create_issue', { description: cut }, /^description .* get_issue\. Where/],
    ['update_issues', { issues: [{}, { description: cut }] }, /^issues\.1\.description .* get_issue\./],
    ['create_issue_note', { body: cut }, /^body /],
    ['update_merge_request', { description: cut }, /get_merge_request\./],
    ['update_release', { description: cut }, /get_release\./],
    ['update_wiki_page', { content: cut }, /get_wiki_page\./],
    ['create_snippet', { files: file }, /^files\.0\.content /],
    ['commit_files', { actions: file }, /^actions\.0\.content .* get_file_contents\./],
    [
      'commit_files',
      { actions: [{ edits: [{ find: 'a', replace: cut }] }] },
      /^actions\.0\.edits\.0\.replace /
    ]
  ] as const)
    t.match(refused(tool, args), said, tool)
})

t.test('what quotes the mark within a line, or with a blank after it, is written', async t => {
  for (const text of [`It said \`${cut}\`.`, `${cut} `, '… [0 more]', '… [and more]'])
    t.equal(refused('update_issue', { description: text }), undefined, text)
})

t.test('what only finds a text may have the mark: so it can be taken out', async t => {
  const edits = [{ find: cut, replace: 'Step' }]
  t.equal(refused('commit_files', { actions: [{ edits }] }), undefined)
  t.equal(refused('update_issue_description_patch', { patch: `-${cut}\n+Step` }), undefined)
  t.equal(refused('list_issues', { search: cut }), undefined)
})

t.test('a text whose line breaks are all written out is told, with its place', async t => {
  const readme = '# Rocket\\n\\nFlight software.\\n'
  const said = (tool: string, args: object) => escapedTwiceStep(rowOf(tool))?.({ ...args })
  t.same(said('update_issue', { description: readme }), [
    'description has no line break but \\n as two characters, and was stored so: if line breaks are meant, write it again with them, which JSON escapes once.'
  ])
  const file = { file_path: 'a', content: readme }
  t.match(said('commit_files', { actions: [{}, file, file] }), [
    /^actions\.1\.content \(and 1 more of its texts\) has/
  ])
  t.same(said('update_issue', { description: 'Fine.' }), [])
  t.equal(said('list_issues', {}), undefined)
})

t.test('the message of a commit or tag whose line breaks are written out is told, too', async t => {
  const message = 'Fix drift\\n\\nThe pump was late.\\n'
  const said = [
    ['commit_files', 'commit_message'],
    ['create_tag', 'message'],
    ['create_release', 'tag_message'],
    ['merge_merge_request', 'merge_commit_message'],
    ['merge_merge_request', 'squash_commit_message'],
    ['apply_suggestions', 'commit_message'],
    ['cherry_pick_commit', 'message']
  ].map(([tool, name]) => escapedTwiceStep(rowOf(tool!))?.({ [name!]: message })[0]?.split(' ')[0])
  t.same(said, [
    ...['commit_message', 'message', 'tag_message', 'merge_commit_message', 'squash_commit_message'],
    ...['commit_message', 'message']
  ])
})

t.test('line breaks that are written out in quotes or beside real ones are meant', async t => {
  for (const text of [
    'const lines = text.split("\\n").join(\'\\n\') // `\\n`',
    '# Rocket\n\\n and \\n are line breaks',
    'It ends with \\n.',
    '{"a":"b\\nc","d":"e\\n"}'
  ])
    t.equal(isEscapedTwice(text), false, text)
  t.equal(isEscapedTwice("Don't\\nIt isn't\\n"), true, 'an apostrophe begins no quote')
})

t.test('one line break that is written out between lines of words is told, too', async t => {
  for (const text of [
    'first line\\nsecond line',
    'It failed again.\\n- the probe is late',
    'Fix the drift:\\n1. hold the clock',
    "We don't know.\\nSigned-off-by: Ada"
  ])
    t.equal(isEscapedTwice(text), true, text)
})

t.test('one that is written out in a path, in code or as itself is meant', async t => {
  for (const text of [
    'Look in C:\\new folder for it',
    'Look in C:\\docs\\notes and more',
    'Look in \\\\server\\notes for it',
    'Split on \\n and join',
    'It matches ^one\\ntwo$ and more',
    'It matches \\d one\\ntwo lines',
    'Call print(one\\ntwo three)',
    'It says "first line\\nsecond line"',
    'one\\ntwo three'
  ])
    t.equal(isEscapedTwice(text), false, text)
})

t.test('of very many texts those that are not looked at are not said to have written breaks', async t => {
  const breaks = Array.from({ length: 1_000 }, () => ({ content: 'a\\nb\\n' }))
  t.match(escapedTwiceStep(rowOf('commit_files'))!({ actions: breaks }), [
    /^actions\.0\.content \(and \d{3} more of its texts\)/
  ])
})
