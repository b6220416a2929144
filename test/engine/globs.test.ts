import t from 'tap'
import { ofGlob } from '../../src/engine/globs.ts'

const meant: readonly (readonly [glob: string, expression: string, matches: string, not: string])[] = [
  ['test/*', '^test/', 'test/a/b.ts', 'src/latest/x'],
  ['test/**', '^test/', 'test/a.ts', 'src/test/a.ts'],
  ['*.ts', '\\.ts$', 'src/a.ts', 'a.tsx'],
  ['**/*.lock', '\\.lock$', 'a/yarn.lock', 'a.lock.md'],
  ['.ts', '\\.ts(/|$)', 'a.ts', 'charts/a'],
  ['.github', '\\.github(/|$)', '.github/workflows/a.yml', 'docs/github/a'],
  ['*.min.*', '(^|/)[^/]*\\.min\\.[^/]*$', 'web/a.min.js', 'web/admin.js'],
  ['src/*.test.*', '^src/[^/]*\\.test\\.[^/]*$', 'src/a.test.ts', 'src/latest/a.ts'],
  ['src/*.ts', '^src/[^/]*\\.ts$', 'src/a.ts', 'src/b/a.ts'],
  ['src/**/*.ts', '^src/(.*/)?[^/]*\\.ts$', 'src/b/a.ts', 'lib/src/a.ts'],
  ['docs/*/en', '^docs/[^/]*/en$', 'docs/a/en', 'docs/a/b/en'],
  ['package*', '(^|/)package[^/]*$', 'a/package-lock.json', 'packages/a'],
  ['**/dist', '(^|/)dist$', 'a/dist', 'a/dist-x']
]

t.test('what is written as a glob has a regular expression that matches the same paths', t => {
  for (const [glob, expression, matches, not] of meant) {
    t.equal(ofGlob(glob), expression, glob)
    t.match(matches, new RegExp(expression))
    t.notMatch(not, new RegExp(expression))
  }
  t.end()
})

t.test('what is written as a regular expression is no glob', t => {
  for (const pattern of [
    '^docs/',
    '\\.lock$',
    'docs/.*',
    '.*/node_modules/*',
    '.*\\.ts',
    'a|b*',
    'docs',
    'src/a.ts',
    '(a/)*',
    '.+'
  ])
    t.equal(ofGlob(pattern), undefined, pattern)
  t.end()
})
