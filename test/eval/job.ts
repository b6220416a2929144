import type { Forge } from '../forge/index.ts'
import type { Call } from './agent.ts'

/**
 * One piece of work that somebody asks an agent for. Whatever a call is given stands in the task or in what an earlier
 * call answered; the judgement in between is the script's.
 */
export interface Job {
  readonly id: string
  readonly title: string
  /** As it is told to the agent. */
  readonly task: string
  /** Whose token it has. */
  readonly as: string
  /** Fills the forge with what the job is about. */
  prepare(forge: Forge): void
  /** What is left undone, read from the forge's own state; nothing where all is done. */
  missing(forge: Forge): readonly string[]
  readonly ours: Script & {
    /** What is looked for on the search surface. */
    readonly words: string
  }
  /** Of a job that has no half of the calls or no third of the bytes to save: what whoever does it has to read or write. */
  readonly matter?: {
    /** As a sentence goes on after "needs". */
    readonly what: string
    /** What ours does that the peer's script does without, a sentence. */
    readonly besides: string
    texts(forge: Forge): readonly string[]
  }
  readonly peer: Script & {
    /** Steps that no tool of it can do, and why; the others are done all the same. */
    readonly cannot?: string
  }
}

interface Script {
  /** The smallest set of toolsets that has the tools of `run`. */
  readonly toolsets: string
  run(call: Call): Promise<void>
}

/** The sentences whose fact does not hold. */
export const unless = (facts: Readonly<Record<string, boolean | undefined>>): readonly string[] =>
  Object.entries(facts)
    .filter(([, holds]) => holds !== true)
    .map(([sentence]) => sentence)
