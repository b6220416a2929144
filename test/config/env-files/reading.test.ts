import { parseEnv } from 'node:util'
import t from 'tap'
import { readingOf } from '../../../src/config/env-files/reading.ts'

/** What both read of a text, in the order of the names. */
const both = (text: string) => [readingOf(text).settings, Object.entries(parseEnv(text))].map(ofNames)
/** Names without the one that no object has as its own. */
const ofNames = (settings: Iterable<readonly [string, string | undefined]>) =>
  [...settings].filter(([name]) => name !== '__proto__').sort(([a], [b]) => (a < b ? -1 : 1))

const texts = [
  'A=1 # one\n#B=2\n  # C=3\nexport D=4\nexport   E=5\n',
  "A='x\nB=1\nC='y'\nD=2\n",
  'A="x\\ny" # z\n  # B=3\nC=`a\nb` D=4\n',
  'A="x\nB=1\n',
  "A='",
  'A= \nB=1\n',
  'A=\n\n B=1\n',
  '=1\n=\nA==2\n=B=3\n',
  'A\nB 1\nC: 2\nexport D\nexport D=\n',
  'A=1\r\nB="2\r\n3"\r\nC=4\rD=5\r',
  '\uFEFFA=1\n\u00A0B=2\nC＝3\n',
  'APP={\n  "HOST": "x",\n  "PORT": 3 }\n',
  '__proto__=1\nconstructor=2\n',
  "TITLE='Ada's server'\nA=1\nB='y'\n",
  ' \t\n',
  ''
]

t.test('a text sets what Node.js takes from it', async t => {
  for (const text of texts) {
    const [ours, nodes] = both(text)
    t.same(ours, nodes, JSON.stringify(text))
  }
})

t.test('so it does whatever its signs are', async t => {
  const parts = [
    'A',
    'B',
    '=',
    '=\n',
    '= \n',
    '\n',
    '"',
    "'",
    '`',
    ' ',
    '\t',
    '#',
    '\r',
    'export ',
    '\\n',
    'x'
  ]
  // Numbers that look like chance and are the same each time.
  let seed = 1
  const next = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const differing = Array.from({ length: 20_000 }, () =>
    Array.from({ length: next(24) }, () => parts[next(parts.length)]).join('')
  ).filter(text => {
    const [ours, nodes] = both(text)
    return JSON.stringify(ours) !== JSON.stringify(nodes)
  })
  t.same(differing, [])
})

t.test('lines of a value are told with the line in which it begins', async t => {
  const within = (text: string) => readingOf(text).lines.map(one => one.within)
  t.same(within("A='x\nB=1\nC='y'\nD=2\n"), [undefined, 1, 1, undefined, undefined])
  t.same(within('#\r\nA= \r\n\r\nB=1\r\nC=2'), [undefined, undefined, 2, 2, undefined])
  t.same(within('A=1\rB=2\rC="\r"'), [undefined, 1, 1, 1])
  t.same(within('A=\nB="x\nC=1\n'), [undefined, undefined, undefined, undefined], 'nothing closes the mark')
  t.match(readingOf('A="1\n2" B=3\nC="4" # D').lines, [{ rest: '' }, { rest: ' B=3' }, { rest: ' # D' }])
})

t.test('a large file is read in a time that grows with its size alone', async t => {
  for (const line of ['A=\n', "A='\n", 'A="\n"\n', ' ', '=', 'x\n', 'A= \n'])
    t.ok(readingOf(line.repeat(20_000)).lines.length > 0)
})
