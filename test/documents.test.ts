import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const readme = read('README.md')

/** The cells of a table's row, by what it begins with. */
const cells = (text: string, first: string): string[] =>
  text
    .split('\n')
    .find(line => line.startsWith(`| ${first} |`))!
    .split('|')
    .slice(2, -1)
    .map(cell => cell.trim())

t.test('the README is read in one go', async t => {
  t.ok(readme.split('\n').length <= 200)
})

t.test('what the pages link to is there', async t => {
  for (const page of ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: root })])
    for (const [, target] of read(page).matchAll(/\]\((?!https?:)([^)#]+)/g))
      t.ok(existsSync(join(root, dirname(page), target!)), `${page}: ${target}`)
})

t.test('the README compares with the numbers that were measured', async t => {
  const page = read('docs/efficiency.md')
  const [calls, , bytes, , tokens, search, others, named] = cells(page, '**All but ¹**')
  const [ownCalls, otherCalls] = calls!.split(' / ')
  const [ownBytes, otherBytes] = bytes!.split(' / ')
  const [, ownList, otherList] = /ours lists (\d+) bytes and theirs (\d+)/.exec(page)!
  t.equal(cells(readme, 'Calls')[0], ownCalls)
  t.equal(cells(readme, 'Calls')[2], otherCalls)
  t.same(cells(readme, 'Bytes of calls and results'), [ownBytes, '', otherBytes, ''])
  t.same(cells(readme, 'Tokens, the list of tools among them'), [tokens, search, others, named])
  t.same(cells(readme, 'Bytes to list what is on by default'), [
    ownList,
    cells(page, 'Backport')[8],
    otherList,
    ''
  ])
})

t.test('the oldest Node.js is the same wherever it is said', async t => {
  const oldest = /^>=(\d+)$/.exec(JSON.parse(read('package.json')).engines.node)![1]!
  t.match(readme, `Node.js ${oldest} or newer`)
  t.match(read('src/cli.ts'), `const OLDEST_NODE = ${oldest}\n`)
  t.match(read('esbuild.config.ts'), `target: 'node${oldest}'`)
})
