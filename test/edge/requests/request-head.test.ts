import t from 'tap'
import { headBytes } from '../../../src/edge/requests/request-head.ts'
import { collect } from '../../support/collect.ts'

/** Records that are measured together. */
const HELD = 300

/** Bytes that a record of such fields takes, made as Node makes that of headers. */
function recordBytes(names: readonly string[]): number {
  const records: Record<string, string>[] = []
  const held = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = held()
  for (let at = 0; at < HELD; at++) {
    const record: Record<string, string> = {}
    for (const name of names) record[name] = '1'
    records.push(record)
  }
  const bytes = (held() - before) / HELD
  return records.length === HELD ? bytes : Number.NaN
}

const many = (from: number, step: number) => Array.from({ length: 195 }, (_, at) => String(from + at * step))

for (const [what, names] of [
  ['grow their array twice', ['700', '2090', '3320']],
  ['grow it once', ['1023', '2575']],
  ['are far apart', [...many(0, 15), '3900']],
  ['are next to each other', many(3000, 1)],
  ['are too large for one', many(1_000_000, 7919)]
] as const)
  t.test(`a head whose names are numbers that ${what} counts for no less than it takes`, async t => {
    const bytes = recordBytes(names)
    const counted = headBytes({ rawHeaders: names.flatMap(name => [name, '1']) })
    t.ok(counted >= bytes, `counted ${counted}, takes ${bytes}`)
  })

t.test('a head without such names counts its texts alone', async t => {
  const head = (name: string) => headBytes({ rawHeaders: [name, '3320'] })
  t.equal(head('a3320'), head('abcde'))
})
