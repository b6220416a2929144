import { readFileSync } from 'node:fs'
import t from 'tap'
import { elisionsIn, firstNew, looksOfCall, nothingElse } from '../../../src/engine/arguments/elisions.ts'

/** The first line of a text that stands for others, whatever is stored. */
const elision = (text: string, isMarkdown: boolean) =>
  firstNew([...elisionsIn(text, isMarkdown, looksOfCall())], undefined, isMarkdown)
const within = (line: string) => `a\n\n${line}\n\nb`
const passed = (lines: readonly string[], isMarkdown: boolean) =>
  lines.filter(line => elision(within(line), isMarkdown) === undefined)
const found = (lines: readonly string[], isMarkdown: boolean) =>
  lines.filter(line => elision(within(line), isMarkdown) !== undefined)

const sureOf = (found: readonly { certainty: string }[]) =>
  found.some(({ certainty }) => certainty === 'sure')

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
  ...['// ... other imports remain the same', '// ... keep the rest of the file'],
  ...['; ... (same imports) ...', '#... keep existing configuration …', '// ... previous code ...'],
  ...['\t// ... existing code ...\r', '# ... existing code ...', '// ... existing code for the launch ...']
]

t.test('a comment of a file is found by its dots, too', async t => t.same(passed(inFiles, false), []))

const inMarkdown = [
  '<existing description>',
  '[existing notes]',
  '*[previous content]*',
  '... existing notes ...'
]

t.test('in Markdown words in brackets alone are found, which may be code in a file', async t => {
  t.same(passed(inMarkdown, true), [])
  t.same(found(['[previous text]', '(rest lines)', '(keep fields lines)', '<body unchanged>'], false), [])
})

const honest = readFileSync(new URL('honest-lines.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')

t.test('each of a hundred honest lines is stored, whatever words are in it', async t => {
  t.ok(honest.length >= 100)
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

t.test('a line that is stored so is meant, and another one is not', async t => {
  const text = '// ... existing code ...\n[...]\n'
  const all = [...elisionsIn(text, false, looksOfCall())]
  t.equal(firstNew(all, [`a\n  ${text}`], false), undefined)
  t.equal(firstNew(all, ['// ... existing code ...'], false), '[...]')
})

t.test('dots in square brackets alone in a line count only where they are known to be new', async t => {
  for (const line of ['[...]', '[… cut …]', '[... truncated ...]']) {
    const all = [...elisionsIn(within(line), true, looksOfCall())]
    t.equal(firstNew(all, undefined, true), undefined, line)
    t.equal(firstNew(all, ['a\n\nb'], true), line)
  }
})

const sure = [
  ...[
    '<!-- rest unchanged -->',
    '// rest unchanged',
    '[content omitted]',
    '<rest of file>',
    '[rest of the page]'
  ],
  ...[
    '[lines 3-10 unchanged]',
    '// lines 3-10 unchanged',
    '... unchanged lines 12 to 80 ...'.replace(' to ', '-')
  ]
]

t.test('a line that names what it stands for is found, whatever is stored', async t => {
  t.same(passed(sure, true), [], 'Markdown')
  t.same(passed(sure, false), [], 'file')
})

const likely = [
  ...['...', '…', '[snip]', '--- snip ---', '-- snip --', '[truncated]', '[unchanged]', '*(unchanged)*'],
  ...['// rest stays the same', '{{existing content}}', '<previous content>', '[previous content]'],
  ...['Remaining sections unchanged.', 'The rest of the document remains unchanged.'],
  ...['The rest of the description stays as before.', '(omitted for brevity)', '[omitted]', '(...)'],
  ...['<!-- unchanged -->', '# omitted for brevity']
]
const notIn = { markdown: ['# omitted for brevity'], file: ['*(unchanged)*'] }

t.test('a line that may stand for others counts where it is new, and much is gone', async t => {
  const stored = `a\n\n${'what was there\n'.repeat(9)}\nb`
  for (const isMarkdown of [true, false])
    for (const line of likely.filter(line => !notIn[isMarkdown ? 'markdown' : 'file'].includes(line))) {
      const found = [...elisionsIn(within(line), isMarkdown, looksOfCall())]
      const name = `${line} (${isMarkdown ? 'Markdown' : 'file'})`
      t.equal(firstNew(found, [stored], isMarkdown), line, name)
      t.equal(firstNew(found, [`${stored}\n${line}`], isMarkdown), undefined, `${name} stood there`)
      if (sureOf(found)) continue
      t.equal(firstNew(found, undefined, isMarkdown), undefined, `${name} where nothing is known`)
      t.equal(firstNew(found, ['a\n\nb'], isMarkdown), undefined, `${name} where nothing is gone`)
    }
})

t.test('a text that is nothing but a mark of what was left out is found', async t => {
  const marks = [
    '// ...',
    '...',
    '…',
    '[...]',
    '[... cut ...]',
    '# ...\n',
    '<!-- ... -->',
    '/* ... */',
    '-- …'
  ]
  t.same(
    [...marks, '[unchanged]', '(same as before)', '... no changes ...'].filter(text => !nothingElse(text)),
    []
  )
  t.same(
    [
      '',
      '---',
      'unchanged',
      '# Notes',
      'Wait ...',
      '...\nb',
      '[x]',
      '// a ...',
      '.',
      '..',
      '[rest](a)'
    ].filter(nothingElse),
    []
  )
})
