import { readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import type { ToolRow } from '../../src/engine/rows/row.ts'
import { operations } from '../forge/contract.ts'
import { Unavailable } from '../support/program.ts'
import type { SentRequest } from '../support/scripted-dispatcher.ts'
import { largerShares } from './differences.ts'
import { clientGo } from './support/client-go.ts'
import { differing } from './support/identities.ts'
import { enter } from './support/ledger.ts'
import { against, probe, type Sent } from './support/probe.ts'
import { isWhole, mostOf, Shares } from './support/shares.ts'
import { finder, keyOf } from './support/surface.ts'
import { rows } from './support/toolsets.ts'

/* What our tools make of a forge's answers that the official client's own tests play back. */

interface Played {
  test: string
  method: string
  path: string
  body: unknown
}

const title = '2 Recorded answers'
const sharesFile = new URL('./shares.json', import.meta.url)

/** Bytes that reached the caller of every hundred the forge sent, over all whole records that a tool was given. */
const before = JSON.parse(readFileSync(sharesFile, 'utf8')) as Record<string, number>

const recorded = await clientGo<{ version: string; records: Played[]; unread: number }>('records').catch(
  error => {
    if (error instanceof Unavailable) return error.message
    throw error
  }
)
const skip = typeof recorded === 'string' && recorded
if (typeof recorded === 'string')
  enter('replay', { title, source: 'client-go', skipped: recorded, confirmed: {} })

t.test('answers that others recorded', { skip }, async t => {
  const { version, records } = recorded as Exclude<typeof recorded, string>
  const find = finder(new Map(operations.map(each => [keyOf(each.method, each.path), each])))
  const keyFor = ({ method, path }: { method: string; path: string }) => find(method, path)?.[0]
  const played = new Map<string, Played[]>()
  for (const record of records) {
    const key = keyFor(record)
    if (key !== undefined) played.set(key, [...(played.get(key) ?? []), record])
  }

  let playing: Played
  const answer = (request: { method: string; path: string }) => {
    const key = keyFor(request)
    const record = key === keyFor(playing) ? playing : played.get(key ?? '')?.[0]
    return { body: record?.body ?? {} }
  }

  const confirmed = { tools: 0, 'answers understood': 0, 'ids, shas and states kept': 0 }
  const less = new Map<string, Set<string>>()
  const shares = new Shares()
  const calls = await probe(rows)
  await against(answer, async call => {
    for (const row of rows) {
      const told = [...played].flatMap(([key, records]) =>
        asking(row, calls, key, keyFor).flatMap(({ args, requests }) =>
          records.filter(record => isAbout(record, requests.at(-1)!)).map(record => ({ args, record }))
        )
      )
      if (told.length === 0) continue
      confirmed.tools++
      await t.test(row.name, async t => {
        for (const { args, record } of told) {
          playing = record
          const { value, error } = await call(row.name, args)
          // Only the test of a client answers a change with an empty record: it is taken as accepted.
          if (row.class !== 'read' && JSON.stringify(record.body) === '{}') {
            t.match(value, { status: 'success', message: /sent no record/ }, `${record.test}: says nothing`)
            continue
          }
          t.equal(error, undefined, `${record.test}: no error`)
          if (error !== undefined) continue
          confirmed['answers understood']++
          const { kept, lost } = differing(record.body, value)
          // What a table of records leaves out is decided there; it is listed.
          const own = row.record === undefined ? lost.filter(place => place.lastIndexOf('.') === 0) : []
          t.same(own, [], `${record.test}: nothing that names a record is lost`)
          if (lost.length > 0) less.set(row.name, new Set([...(less.get(row.name) ?? []), ...lost]))
          confirmed['ids, shas and states kept'] += kept
          if (isWhole(find(record.method, record.path)![1], record.body))
            shares.add(row.name, record.body, value)
        }
      })
    }
  })

  const whole = shares.percent()
  const bounds = 'a list shows at most 35 % of records that are whole, and a single record at most 60 %'
  await t.test(bounds, async t => {
    for (const [tool, share] of whole) {
      const most = largerShares[tool]?.[0] ?? mostOf(tool)
      if (most !== undefined) t.ok(share <= most, `${tool}: ${share} %`)
    }
  })
  const moved = [...whole]
    .filter(([tool, share]) => (before[tool] ?? share) !== share)
    .map(([tool, share]) => `${tool} shows ${share} % of an answer, ${before[tool]} % before`)
  for (const tool of Object.keys(largerShares))
    if ((whole.get(tool) ?? 0) <= (mostOf(tool) ?? 0)) moved.push(`${tool} needs no explaining any more`)
  for (const line of moved) t.comment(line)
  if (process.env.CI !== 'true' && t.passing())
    writeFileSync(sharesFile, `${JSON.stringify(Object.fromEntries([...whole].sort()), null, 2)}\n`)
  enter('replay', {
    title,
    source: `the answers in the tests of client-go ${version}`,
    confirmed,
    moved,
    differences: [
      ...larger(whole),
      ...[...less].map(([tool, places]) => `${tool} leaves out ${[...places].join(', ')}`)
    ]
  })
})

/**
 * The arguments of a call with which a tool that passes the forge's record on, whole or with more to it, asks for
 * one: what a tool makes of a record that it does not call one is its own.
 */
function asking(
  row: ToolRow,
  whole: readonly Sent[],
  key: string,
  keyFor: (request: SentRequest) => string | undefined
) {
  if (row.kind !== 'rest' || row.done !== undefined) return []
  if (row.shape !== undefined && row.record === undefined) return []
  const own = [row.request].flat().map(request => keyOf(...(request.split(' ') as [string, string])))
  if (!own.includes(key)) return []
  const { calls } = whole.find(({ tool }) => tool === row.name)!
  return calls.filter(({ requests }) => keyFor(requests.at(-1)!) === key).slice(0, 1)
}

/** One route answers with records of many kinds; which, the test's name says as the request's scope does. */
function isAbout({ test }: Played, { path }: SentRequest): boolean {
  const scope = new URL(path, 'http://forge.invalid').searchParams.get('scope')
  return (
    !/search(\?|$)/.test(path) ||
    scope === null ||
    test.toLowerCase().includes(`_${scope.replaceAll('_', '')}`)
  )
}

const larger = (whole: ReadonlyMap<string, number>): string[] =>
  Object.entries(largerShares).map(([tool, [, why]]) => `${tool} shows ${whole.get(tool)} %: ${why}`)
