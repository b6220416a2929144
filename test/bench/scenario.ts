import type { ProgramName } from './programs/index.ts'

/** What is measured of a program, and in what. */
export const metrics = {
  rate: { unit: 'calls/s', better: 'more', digits: 0 },
  p99: { unit: 'p99 ms', better: 'less', digits: 1 },
  cpu: { unit: 'CPU ms', better: 'less', digits: 1 },
  wall: { unit: 'ms', better: 'less', digits: 0 },
  bytes: { unit: 'bytes', better: 'less', digits: 0 }
} as const

export type Metric = keyof typeof metrics
/** Of one turn; `failed` is the part of the calls that were refused or answered badly. */
export type Figures = Partial<Readonly<Record<Metric | 'failed', number>>>

/** Something to reach: a share of another column, or with `most` a figure. */
export type Goal =
  | { readonly of: string; readonly over: string; readonly ratio: number }
  | { readonly of: string; readonly most: number }

/** One line of the table. */
export interface Line {
  readonly metric: Metric
  readonly goals: readonly Goal[]
  /** Where a goal is missed: what a profile says stands in the way. */
  readonly profile?: string
}

/** What is sent: a method and its parameters. */
export interface Message {
  readonly method: string
  readonly params: unknown
}

/** One row of the benchmark. */
export interface Scenario {
  /** For `--only`. */
  readonly name: string
  /** What the line is called. */
  readonly title: string
  /** Who takes turns, by the column of the table. Ratios are to the first. */
  readonly programs: Readonly<Record<string, ProgramName>>
  /** What it means to measure one of them; see measures/. */
  readonly measure: 'load' | 'neighbour' | 'start' | 'exit' | 'memory'
  readonly lines: readonly Line[]
  /** In turn; a caller begins its session before, unless that is what is sent. */
  readonly sends?: readonly Message[]
  /** Connections, each of a caller of its own, with one request under way. */
  readonly inFlight?: number
  /** Callers they are of, where these are fewer. */
  readonly callers?: number
  /** Milliseconds that each answer of the forge takes. */
  readonly forgeDelay?: number
  /** How many times as long a turn is, where answers are slow. */
  readonly longer?: number
  /** Whether Node's compile cache is filled where programs start. */
  readonly warmCache?: boolean
  /** Columns whose CPU time is told by its parts, too. */
  readonly parts?: readonly string[]
}

/** Whether a goal is reached. */
interface Verdict {
  readonly goal: Goal
  readonly met: boolean
  /** By what part it is missed. */
  readonly missedBy: number
}

/** @returns nothing where a figure is missing */
export function verdictOf(
  goal: Goal,
  metric: Metric,
  of: Readonly<Record<string, number | undefined>>
): Verdict | undefined {
  const reached = of[goal.of]
  if (reached === undefined) return undefined
  const base = 'most' in goal ? goal.most : of[goal.over]
  // What took all of a turn has no rate.
  if (base === undefined || base === 0) return undefined
  const wanted = 'most' in goal ? base : base * goal.ratio
  const less = 'most' in goal || metrics[metric].better === 'less'
  const part = less ? reached / wanted - 1 : 1 - reached / wanted
  return { goal, met: part <= 0, missedBy: Math.max(0, part) }
}
