import { readFileSync } from 'node:fs'
import t from 'tap'
import { peeled } from '../../../src/engine/texts/elision-line.ts'
import { elisionBudget, elisionsIn, firstNew, nothingElse } from '../../../src/engine/texts/elisions.ts'

/** The first line of a text that stands for others, whatever is stored. */
const elision = (text: string, isMarkdown: boolean) =>
  firstNew([...elisionsIn(text, isMarkdown, elisionBudget())], undefined, isMarkdown, elisionBudget())
const within = (line: string) => `a\n\n${line}\n\nb`
const passed = (lines: readonly string[], isMarkdown: boolean) =>
  lines.filter(line => elision(within(line), isMarkdown) === undefined)
const found = (lines: readonly string[], isMarkdown: boolean) =>
  lines.filter(line => elision(within(line), isMarkdown) !== undefined)

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

const linesOf = (name: string) =>
  readFileSync(new URL(`${name}.txt`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
const honest = linesOf('honest-lines')

t.test(
  'each of a hundred honest lines is stored, whatever words are in it, and however much it replaces',
  async t => {
    t.ok(honest.length >= 100)
    const stored = `a\n\n${'what was there\n'.repeat(99)}\nb`
    for (const isMarkdown of [true, false]) {
      const name = isMarkdown ? 'Markdown' : 'file'
      t.same(found(honest, isMarkdown), [], name)
      const isRefused = (line: string) => {
        const budget = elisionBudget()
        return firstNew([...elisionsIn(within(line), isMarkdown, budget)], [stored], isMarkdown, budget)
      }
      t.same(honest.filter(isRefused), [], `${name}, of which is known what it replaces`)
    }
  }
)

t.test('a line that says so in another language is found, whatever the brackets and dots are', async t => {
  t.same(passed(linesOf('elided-elsewhere'), true), [], 'Markdown')
  t.same(passed(linesOf('elided-code-elsewhere'), false), [], 'file')
})

t.test('honest lines of other languages are stored, too', async t => {
  const lines = linesOf('honest-elsewhere')
  t.ok(lines.length >= 60)
  t.same(found(lines, true), [], 'Markdown')
  t.same(found(lines, false), [], 'file')
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
  const budget = elisionBudget()
  const all = [...elisionsIn(text, false, budget)]
  t.equal(firstNew(all, [`a\n  ${text}`], false, budget), undefined)
  t.equal(firstNew(all, ['// ... existing code ...'], false, budget), '[...]')
})

t.test('dots in square brackets alone in a line count only where they are known to be new', async t => {
  for (const line of ['[...]', '[… cut …]', '[... truncated ...]']) {
    const budget = elisionBudget()
    const all = [...elisionsIn(within(line), true, budget)]
    t.equal(firstNew(all, undefined, true, budget), undefined, line)
    t.equal(firstNew(all, ['a\n\nb'], true, budget), line)
  }
})

t.test('where a call has too many lines to look at in both, what is stored has a line or not', async t => {
  const line = '// ... existing code ...'
  const full = `[${'x'.repeat(150)}\n`.repeat(4_000)
  const budget = elisionBudget()
  const all = [...elisionsIn(`[...]\n${line}\n${full}`, false, budget)]
  t.equal(firstNew(all, ['a'], false, budget), '[...]')
  t.equal(firstNew(all, [`${full}${line}`], false, budget), undefined, 'dots alone may stand for themselves')
  t.equal(firstNew(all, [full], false, budget), line)
  const large = `${full.repeat(2)}${line}`
  t.equal(
    firstNew(all, Array(8).fill(full.repeat(2)).concat(large), false, budget),
    line,
    'no end of text is searched'
  )
})

const sure = [
  ...['<!-- rest unchanged -->', '// rest unchanged', '[rest unchanged]'],
  ...['[content omitted]', '<rest of file>', '[rest of the page]'],
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

t.test('a line is taken apart as long as it was sent', async t => {
  for (const char of ['\ufdfa', '\ufdfb', '\u3316', '\u{1d160}', '…']) {
    const line = `[x${char.repeat(90)}x`
    t.equal(peeled(line, true).said.length, line.length, char)
  }
})

t.test('signs of full width are read as those of ASCII', async t => {
  t.same(passed(['［rest unchanged］', '（rest unchanged）', '［．．． rest of the page …］'], true), [])
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
      '[rest](a)',
      '[Rest]',
      '（其他）'
    ].filter(nothingElse),
    []
  )
})
