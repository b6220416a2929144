import type { OutputBlock } from '../results/blocks.ts'
import type { Given, PromptArgument } from './arguments.ts'

/*
 * A prompt is a row of data. A person chooses it and fills in its arguments. The result is the first message to a
 * model, with the task and the tools to use for it.
 */

/**
 * One step, in one or a few sentences, or several wordings of it, the best first. Names in backticks are tools: a
 * wording is only used if the caller may use all of them, and a step without such a wording is left out. Names in
 * braces stand for the given arguments.
 */
export type Step = string | readonly string[]

export interface PromptRow<Names extends string = string> {
  /** Unique, in the style of tool names. */
  readonly name: string
  /** A short title for people. */
  readonly title: string
  /** For people who choose a prompt: what it does. */
  readonly description: string
  readonly arguments: Readonly<Record<Names, PromptArgument>>
  /** Tools that the prompt cannot do without: it is offered to callers who may use all of them. */
  readonly needs: readonly string[]
  /** Returns why arguments cannot be combined; undefined if they can. */
  readonly check?: (given: Given<Names>) => string | undefined
  /** The task, in one or two sentences; names in braces as in a step. */
  readonly ask: (given: Given<Names>) => string
  readonly steps: (given: Given<Names>) => readonly Step[]
  /** Blocks shown before the text. */
  readonly blocks?: (given: Given<Names>) => readonly OutputBlock[]
}

/** Makes a prompt row. Its argument names are type-checked here, and then dropped from the type. */
export const prompt = <Names extends string>(row: PromptRow<Names>): PromptRow => row as unknown as PromptRow
