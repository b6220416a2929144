import t from 'tap'
import { elisionIn, looksOfCall, wholeCheck } from '../../../src/engine/arguments/elisions.ts'
import { toolNames, toolsets } from '../../../tools/index.ts'

const rows = toolsets.flatMap(({ rows }) => rows)
const names = new Set<string>(toolNames)

/** What a change is refused with for a line that stands for others. */
function refused(tool: string, args: Record<string, unknown>): string | undefined {
  try {
    wholeCheck(rows.find(row => row.name === tool)!, name => names.has(name))?.(args)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

const elision = (text: string, isMarkdown: boolean) => elisionIn(text, isMarkdown, looksOfCall())
const within = (line: string) => `a\n\n${line}\n\nb`
const passed = (lines: readonly string[], isMarkdown: boolean) =>
  lines.filter(line => elision(within(line), isMarkdown) === undefined)
const found = (lines: readonly string[], isMarkdown: boolean) =>
  lines.filter(line => elision(within(line), isMarkdown) !== undefined)

t.test('a changed text is refused in which a line stands for what was there', async t => {
  t.equal(
    refused('update_issue', { description: '[rest of description unchanged]\n- [x] Fuel' }),
    'description has the line "[rest of description unchanged]", which would be all that stays of what it stands for: the whole text is replaced. Nothing was done. Read it whole with get_issue. A part is changed by update_issue_description_patch. Where the line is meant, add a word to it.'
  )
})

t.test('each text that a change replaces is looked at', async t => {
  const line = '... existing content ...'
  for (const [tool, args, said] of [
    ['update_wiki_page', { content: line }, /^content .* get_wiki_page\./],
    ['update_release', { description: line }, /^description .* get_release\./],
    ['update_merge_request', { description: line }, /^description .* get_merge_request\./],
    ['update_issues', { issues: [{}, { description: line }] }, /^issues\.1\.description /],
    ['update_work_item', { description: line }, /^description /],
    ['update_issue_note', { body: line }, /^body /],
    ['update_snippet', { description: line }, /^description /]
  ] as const)
    t.match(refused(tool, args), said, tool)
})

t.test('what is made anew, or only quotes what is stored, may hold such a line', async t => {
  const line = '... existing content ...'
  for (const [tool, args] of [
    ['create_issue', { description: line }],
    ['create_issue_note', { body: line }],
    ['update_issue_description_patch', { patch: line }]
  ] as const)
    t.equal(refused(tool, args), undefined, tool)
})

const inAny = [
  ...['// ... existing code ...', '... existing code ...', '... existing content ...', '…existing notes…'],
  ...['<!-- existing content -->', '<!-- rest of the document remains the same -->', '// (same as before)'],
  ...['[existing content unchanged]', '(rest unchanged)', '// [previous code unchanged]'],
  ...['// ... other functions ...', '[... rest of the file ...]', '(rest of the page stays as is)'],
  ...[
    '/* rest of the code unchanged */',
    '... the rest of the description',
    '[Rest of the text remains the same.]'
  ],
  ...[
    '<!-- ... unchanged ... -->',
    '{/* … existing components … */}',
    '// rest of the file remains unchanged...'
  ]
]

t.test('a line of nothing but words for what stays is found, in comments, brackets or dots', async t => {
  t.same(passed(inAny, true), [], 'Markdown')
  t.same(passed(inAny, false), [], 'file')
})

const inFiles = [
  ...['# ... rest of file', '/* ... remaining methods ... */', '-- ...rest of the code'],
  ...['; ... (same imports) ...', '#... keep existing configuration …', '// ... previous code ...'],
  ...['\t// ... existing code ...\r', '# ... existing code ...', '// ... existing code for the launch ...']
]

t.test('a comment of a file is found by its dots, too', async t => t.same(passed(inFiles, false), []))

const inMarkdown = ['<existing description>', '[existing notes]', '*[previous content]*', '(existing text)']

t.test('in Markdown words in brackets alone are found, which may be code in a file', async t => {
  t.same(passed(inMarkdown, true), [])
  t.same(found(['[previous text]', '(rest lines)', '(keep fields lines)', '<body unchanged>'], false), [])
})

const honest = [
  ...['Existing behaviour remains the same for other users.', 'rest', '...', '(unchanged)', 'f(...rest)'],
  ...['| a | (unchanged) |', '...rest', '...existing', '# Existing features', '## Existing tests', '---'],
  ...['The rest of the document remains the same.', 'rest of file ...', '- ... existing code ...', '…'],
  ...['> [rest unchanged]', '`... existing code ...`', '"// ... existing code ..."', '[rest](unchanged)'],
  ...['// ...', '# ...', '// ... and so on', '# wait for the file ...', '// Loads the existing code'],
  ...['// see the rest of the file', '# Loading existing config... done', '// TODO: ... later'],
  ...[
    '// Existing tests',
    '// Remaining fields',
    '// Unchanged fields',
    '# Unchanged files',
    '// Same as before'
  ],
  ...[
    '[same]',
    '[unchanged]',
    '(see the rest of the page)',
    '... and the rest',
    '[Other sections]',
    '(same as above)'
  ],
  ...['<!-- Describe the existing behaviour -->', '<!-- same -->', '[existing content]: https://a.example']
]

t.test('an honest line is stored, whatever words are in it', async t => {
  t.same(found(honest, true), [], 'Markdown')
  t.same(found(honest, false), [], 'file')
})

t.test('in Markdown a block of code quotes such a line', async t => {
  const line = '// ... existing code ...'
  for (const text of [`\`\`\`ts\n${line}\n\`\`\``, `~~~~\n~~~\n${line}\n~~~~`, `Say:\n\n    ${line}`])
    t.equal(elision(text, true), undefined, text)
  t.equal(elision(`\`\`\`\nx\n\`\`\`\n${line}`, true), line)
})

t.test('a comment of a file on what follows it is stored', async t => {
  t.equal(elision('<!-- existing content -->\n<main>', false), undefined)
  t.equal(elision('<!-- existing content -->', false), '<!-- existing content -->')
})
