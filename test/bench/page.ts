import { areas } from './areas.ts'
import type { Parts } from './profiled.ts'
import { type Goal, type Line, metrics, type Scenario, verdictOf } from './scenario.ts'

/** Medians of a line, by column. */
export type Medians = Readonly<Record<string, number | undefined>>

export interface Row {
  readonly scenario: Scenario
  readonly line: Line
  readonly medians: Medians
  /** Parts of the calls that were refused or answered badly, in the worst turn. */
  readonly failed?: Medians
}

/** Columns of the first table; scenarios of other programs have tables of their own. */
const COLUMNS = ['floor', 'ours', 'stateless', 'peer']

const number = (value: number, digits: number): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })

/** The figure of a column, and its ratio to the first of the scenario. */
function cell({ scenario, line, medians, failed }: Row, column: string): string {
  const value = medians[column]
  if (value === undefined) return '–'
  const { digits } = metrics[line.metric]
  const [base] = Object.keys(scenario.programs)
  // Nothing came in time where the floor is 0.
  const floor = base === column ? undefined : medians[base!] || undefined
  const ratio = floor === undefined ? '' : ` (${number(value / floor, 2)})`
  const part = failed?.[column] ?? 0
  return `${number(value, digits)}${ratio}${part === 0 ? '' : `, ${number(part * 100, 1)} % failed`}`
}

function wordsOf(goal: Goal, { metric }: Line): string {
  if ('most' in goal) return `${goal.of} ≤ ${number(goal.most, 0)}`
  const sign = metrics[metric].better === 'more' ? '≥' : '≤'
  return `${goal.of} ${sign} ${goal.ratio} × ${goal.over}`
}

/** Each goal, and whether it is reached. */
function goalsOf({
  line,
  medians
}: Row): readonly { readonly words: string; readonly met: boolean | undefined; readonly said: string }[] {
  return line.goals.map(goal => {
    const verdict = verdictOf(goal, line.metric, medians)
    const said =
      verdict === undefined
        ? 'not measured'
        : verdict.met
          ? 'met'
          : `missed by ${number(verdict.missedBy * 100, 0)} %`
    return { words: wordsOf(goal, line), met: verdict?.met, said }
  })
}

const tableOf = (rows: readonly Row[], columns: readonly string[]): string[] => {
  const goals = rows.some(({ line }) => line.goals.length > 0)
  const head = ['scenario', '', ...columns, ...(goals ? ['goal', ''] : [])]
  return [
    `| ${head.join(' | ')} |`,
    `|${'---|'.repeat(head.length)}`,
    ...rows.map(row => {
      const aims = goalsOf(row)
      const cells = [
        row.scenario.title,
        metrics[row.line.metric].unit,
        ...columns.map(column => cell(row, column)),
        ...(goals ? [aims.map(({ words }) => words).join('; '), aims.map(({ said }) => said).join('; ')] : [])
      ]
      return `| ${cells.join(' | ')} |`
    })
  ]
}

/** Rows by the columns that their scenarios have. */
function grouped(rows: readonly Row[]): readonly (readonly [readonly string[], readonly Row[]])[] {
  const isMain = ({ scenario }: Row) =>
    Object.keys(scenario.programs).every(column => COLUMNS.includes(column))
  const others = [...new Set(rows.filter(row => !isMain(row)).map(({ scenario }) => scenario))]
  return [
    [COLUMNS, rows.filter(isMain)] as const,
    ...others.map(
      scenario => [Object.keys(scenario.programs), rows.filter(row => row.scenario === scenario)] as const
    )
  ].filter(([, those]) => those.length > 0)
}

/** The tables of what was measured, one after another. */
export const tables = (rows: readonly Row[]): string[] =>
  grouped(rows).flatMap(([columns, those]) => [...tableOf(those, columns), ''])

/** What stands in the way of each goal that is missed. */
export const misses = (rows: readonly Row[]): string[] =>
  rows.flatMap(row => {
    const missed = goalsOf(row).filter(({ met }) => met === false)
    if (missed.length === 0) return []
    const what = missed.map(({ words, said }) => `${words}: ${said}`).join('; ')
    const { scenario, line } = row
    return [
      `- **${scenario.title}, ${metrics[line.metric].unit}** (${what}). ${line.profile ?? 'Not looked into yet.'}`
    ]
  })

/** Of a scenario, by column. */
export interface PartsRow {
  readonly scenario: Scenario
  readonly parts: Readonly<Record<string, Parts>>
}

/** Where the time goes, an area a line, and a column for each program of each scenario. */
export function partsTable(rows: readonly PartsRow[]): string[] {
  const columns = rows.flatMap(({ scenario, parts }) =>
    Object.entries(parts).map(([column, of]) => ({ head: `${scenario.name}: ${column}`, of }))
  )
  const line = (name: string, of: (parts: Parts) => number) =>
    `| ${[name, ...columns.map(column => number(of(column.of), 0))].join(' | ')} |`
  return [
    `| ${['', ...columns.map(({ head }) => head)].join(' | ')} |`,
    `|---|${'--:|'.repeat(columns.length)}`,
    ...areas
      .filter(area => columns.some(({ of }) => (of[area] ?? 0) >= 0.5))
      .map(area => line(area, of => of[area] ?? 0)),
    line('**together**', of => Object.values(of).reduce((sum, one) => sum + one, 0))
  ]
}

/** How it was measured. */
interface Setting {
  readonly node: string
  readonly cpu: string
  readonly cores: number
  /** YYYY-MM-DD */
  readonly date: string
  readonly rounds: number
  readonly seconds: number
  readonly minutes: number
  readonly pinned: boolean
  /** What ran on the machine besides, as the system counts it when the run begins. */
  readonly load: number
  readonly peer: string | undefined
  readonly floor: string
}

/** Load of a core at which other programs begin to show. */
const QUIET = 0.5

const noteOf = (load: number, cores: number): string =>
  `**Not a quiet machine**: when the run began, ${number(load, 0)} other programs wanted its ${cores} cores. Times are long by that, and so are ratios, as a larger program loses more of a processor's caches each time that another one runs.`

/** What it takes for the most that its settings may say. */
const PEER_LIMITS =
  'The peer takes 10,000 sessions, and 1,000 requests of each in a minute, whatever it is told: what it refused for that is among what failed.'

/** docs/performance.md. @param parts where the time of calls goes */
export function page(rows: readonly Row[], parts: readonly PartsRow[], setting: Setting): string {
  const { node, cpu, cores, date, rounds, seconds, minutes, pinned, load, peer, floor } = setting
  const missed = misses(rows)
  const [main = [], ...others] = grouped(rows).map(([columns, those]) => tableOf(those, columns))
  return `${[
    '# Performance',
    '',
    '<!-- Written by `npm run bench -- --peer --write`. -->',
    '',
    `What this server costs beside a **floor**, the least that answers MCP over HTTP: ${floor}, one GET of the forge for`,
    'each call, its text put into the answer as it came; no sessions, no validation, no limits, no log. The peer is',
    `${peer ?? 'not measured here'}. In brackets: the ratio to the floor. What counts is that ratio; the figures`,
    'themselves are of this machine and of this forge, which answers from memory.',
    '',
    `Node ${node}, ${cores} cores of an ${cpu}, ${date}. ${rounds} rounds in which the programs take turns of ${seconds} s`,
    `each under the same load; medians. ${pinned ? 'Of calls the load, the forge and what is measured share one core; starts, and what is measured beside large answers, have one to themselves.' : 'Programs were not bound to cores.'}`,
    `The run took ${minutes} minutes.`,
    ...(load < QUIET * cores ? [] : ['', noteOf(load, cores)]),
    '',
    ...main,
    '',
    '`calls/s` are good answers in a second, `CPU ms` the processor time of one call or start, `p99 ms` the slowest of a',
    'hundred; where calls failed, their part in the worst turn is beside it. Each connection is a client with a session of',
    'its own and one request under way; of stateless mode they use the id of their last answer. Neighbours call ten times',
    'a second each while another sends the large calls one after another. Starts are of the built program; a cold one has',
    'no compile cache, the floor neither.',
    ...(peer === undefined ? [] : ['', PEER_LIMITS]),
    '',
    ...(missed.length === 0 ? [] : ['## Missed', '', ...missed, '']),
    '## Where the time of a call goes',
    '',
    'CPU microseconds of one call, by a CPU profile of a program that has a core to itself. What is not code of this',
    'server or of the floor is counted for who called it.',
    '',
    ...partsTable(parts),
    '',
    '## Replicas',
    '',
    'One process runs JavaScript on one core. More than one, on one machine or many, is replicas in stateless mode behind',
    'a proxy; here haproxy, and with it the load and the forge on the same cores, so that no number of replicas can double',
    'the calls. [operations.md](operations.md) says how.',
    '',
    ...others.flatMap(table => [...table, '']),
    '## Again',
    '',
    '```sh',
    'npm run bench                        # without the peer',
    'npm run bench -- --peer              # with it; needs the package registry once',
    'npm run bench -- --only calls,mixed  # some rows; --start for those of the start',
    'npm run bench -- --own-core           # calls, too, on a core to itself',
    'npm run bench -- --set FORGE_MAX_CONCURRENCY=64',
    'npm run bench -- --profile profiles  # and a CPU profile of each program',
    'npm run bench -- --peer --write      # and this page',
    '```'
  ].join('\n')}\n`
}
