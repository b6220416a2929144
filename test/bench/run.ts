import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { installPeer, PEER } from '../eval/peer.ts'
import { Bench } from './bench.ts'
import { measures, type Subject } from './measures/index.ts'
import { listing } from './measures/listing.ts'
import { type Medians, misses, type PartsRow, page, partsTable, type Row, tables } from './page.ts'
import { canPin, pinSelf, REST_CORE } from './processes.ts'
import { type Parts, profiled } from './profiled.ts'
import { build, releaseOf } from './programs/index.ts'
import type { Figures, Metric, Scenario } from './scenario.ts'
import { scenarios } from './scenarios.ts'

/*
 * npm run bench: this server beside the least that could do its work, and with --peer beside another server of this
 * kind. The programs of a scenario take turns under the same load, and the ratios are of their medians, so that a machine
 * that is busy in between troubles all alike.
 */

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    start: { type: 'boolean', default: false },
    peer: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    'own-core': { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    node: { type: 'string', default: process.execPath },
    // Variables of this server, NAME=VALUE.
    set: { type: 'string', multiple: true, default: [] },
    profile: { type: 'string' }
  } as const
})

const began = performance.now()
const [otherLoad = 0] = loadavg()
// Before this program keeps to one of them.
const cores = availableParallelism()
const rounds = values.quick ? 1 : Number(values.rounds)
const seconds = values.quick ? 0.5 : Number(values.seconds)
const only = values.start ? ['start'] : values.only.split(',')
const chosen = scenarios.filter(({ name }) => only.some(prefix => name.startsWith(prefix)))
if (chosen.length === 0) throw new Error(`Scenarios are ${scenarios.map(({ name }) => name).join(', ')}.`)
if (values.write && chosen.length < scenarios.length) throw new Error('--write takes all scenarios.')

const peerMissing = values.peer ? await installPeer() : undefined
if (peerMissing !== undefined) console.log(`without the peer, ${PEER} cannot be had here: ${peerMissing}`)
const hasPeer = values.peer && peerMissing === undefined

build()
pinSelf(REST_CORE)
const bench = new Bench({
  node: values.node,
  seconds,
  // Half the time of a call goes with the first ten thousand: what a server does then is no measure of its days.
  warmUpSeconds: values.quick ? 0.2 : 7,
  profile: values.profile,
  variables: Object.fromEntries(values.set.map(pair => pair.split('=', 2))),
  ownCore: values['own-core']
})
await listing(bench)
const rows: Row[] = []
for (const scenario of chosen) {
  const measured = await measure(scenario)
  rows.push(...measured)
  console.log(
    tables(measured)
      .slice(rows.length === measured.length ? 0 : 2, -1)
      .join('\n')
  )
}
const parts: PartsRow[] = []
if (!values.quick)
  for (const scenario of chosen.filter(({ parts }) => parts !== undefined))
    parts.push(await partsOf(scenario))
await bench.close()

if (parts.length > 0) console.log(['', ...partsTable(parts)].join('\n'))
console.log(['', ...misses(rows)].join('\n'))
const node = execFileSync(values.node, ['--version'], { encoding: 'utf8' }).trim()
const minutes = Math.ceil((performance.now() - began) / 60_000)
console.log(`${rounds} rounds of ${seconds} s, Node ${node}, ${minutes} minutes`)
if (values.write)
  writeFileSync(
    new URL('../../docs/performance.md', import.meta.url),
    page(rows, parts, {
      node,
      cpu: cpus()[0]?.model ?? 'unknown processor',
      cores,
      date: new Date().toISOString().slice(0, 10),
      rounds,
      seconds,
      minutes,
      pinned: canPin,
      load: otherLoad,
      peer: hasPeer ? PEER : undefined,
      floor: `Fastify ${releaseOf('fastify')} and undici ${releaseOf('undici')}`
    })
  )
process.exit()

async function measure(scenario: Scenario): Promise<Row[]> {
  const subjects = new Map<string, Subject>()
  const figures = new Map<string, Figures[]>()
  for (const [column, program] of Object.entries(scenario.programs)) {
    if (column === 'peer' && !hasPeer) continue
    subjects.set(column, await measures[scenario.measure](bench, scenario, program))
    figures.set(column, [])
  }
  const turns = [...subjects]
  for (let round = 0; round < rounds; round++)
    for (const [column, subject] of round % 2 === 0 ? turns : turns.toReversed())
      figures.get(column)!.push(await subject.once())
  for (const [, subject] of turns) await subject.close()
  const failed = Object.fromEntries(
    [...figures].map(([column, those]) => [column, Math.max(...those.map(({ failed = 0 }) => failed))])
  )
  if (scenario.measure === 'load') console.log(`CPU ms of a call: ${told(mediansOf(figures, 'cpu'))}`)
  return scenario.lines.map(line => ({ scenario, line, failed, medians: mediansOf(figures, line.metric) }))
}

async function partsOf(scenario: Scenario): Promise<PartsRow> {
  const parts: [string, Parts][] = []
  for (const column of scenario.parts ?? []) parts.push([column, await profiled(bench, scenario, column)])
  return { scenario, parts: Object.fromEntries(parts) }
}

function mediansOf(figures: ReadonlyMap<string, readonly Figures[]>, metric: Metric): Medians {
  return Object.fromEntries(
    [...figures].map(([column, those]) => [column, median(those.flatMap(one => one[metric] ?? []))])
  )
}

function told(medians: Medians): string {
  return Object.entries(medians)
    .map(([column, value]) => `${column} ${value?.toFixed(3)}`)
    .join(', ')
}

function median(numbers: readonly number[]): number | undefined {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
}
