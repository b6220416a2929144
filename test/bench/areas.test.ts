import t from 'tap'
import { areas, type CpuProfile, sharesOf } from './areas.ts'

const BUNDLE = 'file:///dist/chunk.js'
const text = [
  'var a = 1',
  '// src/results/bounds.ts',
  'function bound() {}',
  '// not a file/of the bundle',
  'function still() {}',
  '// node_modules/undici/lib/core/util.js',
  'function parseHeaders() {}'
].join('\n')

/** A profile of functions that call each other in turn: each has its name, file, line and milliseconds. */
const profileOf = (
  functions: readonly (readonly [name: string, url: string, line: number, parent: number, took: number])[]
): CpuProfile => ({
  nodes: functions.map(([functionName, url, lineNumber], at) => ({
    id: at,
    children: functions.flatMap(([, , , parent], child) => (parent === at && child !== at ? [child] : [])),
    callFrame: { functionName, url, lineNumber }
  })),
  samples: functions.map((_, at) => at),
  timeDeltas: functions.map(([, , , , took]) => took * 1000)
})

const shares = (functions: Parameters<typeof profileOf>[0], seconds = 10) =>
  sharesOf(profileOf(functions), seconds, () => text)

t.test('a sample belongs to the source that its line of the bundle was made of', async t => {
  t.same(
    shares([
      ['bound', BUNDLE, 2, 0, 10],
      ['still', BUNDLE, 4, 0, 20],
      ['parseHeaders', BUNDLE, 6, 0, 70]
    ]),
    { 'results: what is shown of records': 0.3, undici: 0.7 }
  )
})

t.test('native work counts for its caller, but for writing, garbage and cryptography', async t => {
  t.same(
    shares([
      ['bound', BUNDLE, 2, 0, 20],
      ['parse', '', -1, 0, 20],
      ['writeUtf8String', '', -1, 0, 20],
      ['(garbage collector)', '', -1, 0, 20],
      ['seal', 'node:internal/crypto/cipher', 3, 0, 20]
    ]),
    {
      'results: what is shown of records': 0.4,
      'writing to sockets': 0.2,
      'collecting garbage': 0.2,
      'sessions, sealing': 0.2
    }
  )
})

t.test('idle time is no share, and what came before the last seconds is none either', async t => {
  t.same(
    shares(
      [
        ['parseHeaders', BUNDLE, 6, 0, 400],
        ['(idle)', '', -1, 1, 50],
        ['bound', BUNDLE, 2, 2, 50],
        ['(idle)', '', -1, 3, 5000]
      ],
      0.1
    ),
    { 'results: what is shown of records': 1 }
  )
})

t.test('every area has a name of its own', async t => {
  t.equal(new Set(areas).size, areas.length)
})
