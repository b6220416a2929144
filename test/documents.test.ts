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

t.test('the README compares with the numbers that were measured, but for a tenth', async t => {
  const page = read('docs/efficiency.md')
  const [calls, , bytes, , tokens, search, others, named] = cells(page, '**All but ¹**')
  const [own, list] = [
    /ours lists (\d+) bytes and theirs (\d+)/.exec(page)!.slice(1),
    cells(page, 'Backport')[8]
  ]
  for (const [row, unit, measured] of [
    ['Calls', 1, [calls!.split(' / ')[0], undefined, calls!.split(' / ')[1]]],
    ['KB of calls and results', 1000, [bytes!.split(' / ')[0], undefined, bytes!.split(' / ')[1]]],
    ['Thousands of tokens, the list of tools among them', 1000, [tokens, search, others, named]],
    ['KB to list what is on by default', 1000, [own[0], list, own[1]]]
  ] as const)
    for (const [at, number] of measured.entries()) {
      if (number === undefined) continue
      const said = Number(cells(readme, row)[at]) * unit
      t.ok(Math.abs(said - Number(number)) <= Number(number) / 10, `${row}: ${said}, measured ${number}`)
    }
})

t.test('the oldest Node.js is the same wherever it is said', async t => {
  const oldest = /^>=(\d+)$/.exec(JSON.parse(read('package.json')).engines.node)![1]!
  t.match(readme, `Node.js ${oldest} or newer`)
  t.match(read('src/cli.ts'), `const OLDEST_NODE = ${oldest}\n`)
  t.match(read('esbuild.config.ts'), `target: 'node${oldest}'`)
})
