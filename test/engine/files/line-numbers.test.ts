import t from 'tap'
import { hasLineNumbers, unnumberedCheck } from '../../../src/engine/files/line-numbers.ts'
import { LineWindow } from '../../../src/engine/files/line-window.ts'
import { toolsets } from '../../../tools/index.ts'

const rows = toolsets.flatMap(({ rows }) => rows)
const rowOf = (name: string) => rows.find(row => row.name === name)!

/** Lines from 9 on of a text as a result shows them with line_numbers. */
function shownWithNumbers(text: string): string {
  const window = new LineWindow({ start: 9, end: Number.POSITIVE_INFINITY, maxChars: 1_000, numbered: true })
  window.push(`${'\n'.repeat(8)}${text}`)
  return window.lines(true).text
}

/** Checks an action of a commit. @throws as the check */
const commit = (action: object) => unnumberedCheck(rowOf('commit_files'))!({ actions: [action] })
const update = (file_path: string, content: string) => commit({ action: 'update', file_path, content })
const edit = (find: string, replace: string, file_path = 'a.ts') =>
  commit({ action: 'edit', file_path, edits: [{ find, replace }] })

t.test('lines with the numbers that a result puts before them are not stored', async t => {
  const content = shownWithNumbers('a\n\nb\n')
  for (const text of [content, `${content}\n`])
    t.throws(() => update('a.ts', text), {
      message:
        /^actions\.0\.content has a number with a tab or a bar before each line, as line_numbers shows a file/
    })
  t.throws(() => edit('a', content), { message: /^actions\.0\.edits\.0\.replace has/ })
  t.throws(() => commit({ action: 'move', file_path: 'b', previous_path: 'a', content }))
})

t.test('lines as a diff shows them with numbers are not stored', async t => {
  for (const text of ['1|# Rocket\n2|\n3|Go', '6|a\n-7|b\n+7|c\n8|d', '1|a\n...\n+9|b\n10|c\n', '-1|a\n-2|b'])
    t.equal(hasLineNumbers(text), true, JSON.stringify(text))
})

t.test('a file in which not each line begins with its number is none that was shown so', async t => {
  for (const text of ['1|a', '1|a\n3|b', '...\nb', '...\n...', '-1|a\n2\tb', '| a |\n| - |', '1|a\n2|b\n\n'])
    t.equal(hasLineNumbers(text), false, JSON.stringify(text))
  for (const text of ['1\ta', '1\ta\n3\tb', 'id\tname\n1\ta\n2\tb', '1\ta\n2\tb\n\n', '1 a\n2 b', ''])
    t.equal(hasLineNumbers(text), false, JSON.stringify(text))
})

t.test('one line with its number is not stored in place of one that has a word of it', async t => {
  for (const replace of ['6|const a = 1', '+6|const a = 1', '-6|const a = 1', '6\tconst a = 1\n'])
    t.throws(() => edit('const a = 2', replace), {
      message: /^actions\.0\.edits\.0\.replace has a number/
    })
  for (const [find, replace] of [
    ['6|const a = 2', '6|const a = 1'],
    ['const a = 2', 'const a = 6 | 1'],
    ['5|a\n6|b', '5|a\n6|c'],
    ['DEFAULT', '1|2|4'],
    ['stable', '18|20|22'],
    ['none', '8080|8443'],
    ['foo', '4|5'],
    ['TODO', '1|one'],
    ['TODO', '100\tcustom'],
    ['TODO', '0\t3\t*\t*\t*\troot\t/bin/x']
  ])
    t.doesNotThrow(() => edit(find!, replace!), JSON.stringify(replace))
})

t.test('of a line that is not known, one with its number is taken for it where it has a word', async t => {
  t.equal(hasLineNumbers('6|const a', { replaces: '' }), true)
  t.equal(hasLineNumbers('4|5', { replaces: '' }), false)
})

t.test('rows of a table may begin with numbers', async t => {
  for (const rows of ['1\tAda\t3\n2\tBob\t4\n', '1|Ada|London\n2|Grace|New York\n']) {
    t.doesNotThrow(() => update('crew', rows))
    t.doesNotThrow(() => edit('TODO', rows))
  }
  for (const name of ['crew.csv', 'crew.tsv', 'crew.psv', 'crew.tab', 'crew.TXT']) {
    t.doesNotThrow(() => update(name, '1\tAda\n2\tBob\n'))
    t.doesNotThrow(() => edit('Ada', '1|Ada', name))
  }
})

t.test('lines of code that begin with tabs, or have bars between blanks, are no rows', async t => {
  for (const text of ['6\t\treturn a\n7\t\t}', '6|  | Some\n7|  | None', '6|a || b\n7|c || d', '1||a|\n2|b'])
    t.throws(() => update('a.go', text), JSON.stringify(text))
})

t.test('what is created may have numbers before its lines, as nothing was read of it', async t => {
  const file = { file_path: 'labels', content: '1\tcat\n2\tdog\n' }
  t.doesNotThrow(() => commit({ action: 'create', ...file }))
  t.doesNotThrow(() => unnumberedCheck(rowOf('create_snippet'))!({ files: [file] }))
  t.throws(() => unnumberedCheck(rowOf('update_snippet'))!({ files: [{ action: 'update', ...file }] }))
})

t.test('of very many texts those that are not looked at are not said to have numbers', async t => {
  const lines = Array.from({ length: 19 }, (_, at) => `${at + 1}|\n`).join('')
  const actions = [
    ...Array.from({ length: 1_000 }, () => ({ action: 'update', content: `${lines}x` })),
    { action: 'update', content: lines }
  ]
  t.doesNotThrow(() => unnumberedCheck(rowOf('commit_files'))!({ actions }))
})
