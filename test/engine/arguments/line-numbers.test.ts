import t from 'tap'
import { hasLineNumbers, unnumberedCheck } from '../../../src/engine/arguments/line-numbers.ts'
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

t.test('lines with the numbers that a result puts before them are not stored', async t => {
  const content = shownWithNumbers('a\n\nb\n')
  const check = (args: object) => unnumberedCheck(rowOf('commit_files'))!({ ...args })
  for (const text of [content, `${content}\n`])
    t.throws(() => check({ actions: [{ content: 'x' }, { content: text }] }), {
      message:
        /^actions\.1\.content has a number with a tab or a bar before each line, as line_numbers shows a file/
    })
  t.throws(() => check({ actions: [{ edits: [{ find: 'a', replace: content }] }] }), {
    message: /^actions\.0\.edits\.0\.replace has/
  })
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

t.test('one line with its number is not stored in place of one without', async t => {
  const check = (find: string, replace: string, file_path = 'a.ts') =>
    unnumberedCheck(rowOf('commit_files'))!({ actions: [{ file_path, edits: [{ find, replace }] }] })
  for (const replace of ['6|const a = 1', '+6|const a = 1', '-6|const a = 1', '6\tconst a = 1\n'])
    t.throws(() => check('const a = 2', replace), { message: /^actions\.0\.edits\.0\.replace has a number/ })
  for (const [find, replace] of [
    ['6|const a = 2', '6|const a = 1'],
    ['const a = 2', 'const a = 6 | 1'],
    ['5|a\n6|b', '5|a\n6|c']
  ])
    t.doesNotThrow(() => check(find!, replace!))
  t.doesNotThrow(() => check('a', '6\tb', 'a.tsv'))
  t.doesNotThrow(() => unnumberedCheck(rowOf('commit_files'))!({ actions: [{ content: '6|alone' }] }))
})

t.test('of very many texts those that are not looked at are not said to have numbers', async t => {
  const lines = Array.from({ length: 19 }, (_, at) => `${at + 1}|\n`).join('')
  const actions = Array.from({ length: 1_000 }, () => ({ content: `${lines}x` }))
  t.doesNotThrow(() => unnumberedCheck(rowOf('commit_files'))!({ actions }))
})
