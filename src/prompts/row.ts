import type { OutputBlock } from '../results/blocks.ts'
import type { PromptArgument } from './arguments.ts'

/*
 * What a prompt is: a row of data. A person chooses it and fills in its arguments; what comes of it is the first
 * message to a model, which says what is wanted and which of the tools to use for it.
 */

/**
 * One thing to do, as a sentence or a few, or several ways to say it, the best first. Names in backticks are tools: a
 * way is taken only where the caller may use all of them, and a step without such a way is left out. Names in braces
 * are arguments that are given.
 */
export type Step = string | readonly string[]

/** Arguments as they were read; those that were not given are missing. */
export type Given<Names extends string = string> = Readonly<Partial<Record<Names, string>>>

export interface PromptRow<Names extends string = string> {
  /** Unique, in the manner of tools. */
  readonly name: string
  /** For people, short. */
  readonly title: string
  /** For people who choose among prompts: what comes of it. */
  readonly description: string
  readonly arguments: Readonly<Record<Names, PromptArgument>>
  /** Tools without which there is no use in it: it is offered to whoever may use them all. */
  readonly needs: readonly string[]
  /** Why arguments do not go together; undefined where they do. */
  readonly check?: (given: Given<Names>) => string | undefined
  /** What is wanted, in a sentence or two; names in braces as in a step. */
  readonly ask: (given: Given<Names>) => string
  readonly steps: (given: Given<Names>) => readonly Step[]
  /** Shown before it. */
  readonly blocks?: (given: Given<Names>) => readonly OutputBlock[]
}

/** A prompt; its argument names are checked where it uses them, and forgotten. */
export const prompt = <Names extends string>(row: PromptRow<Names>): PromptRow => row as unknown as PromptRow
