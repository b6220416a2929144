import type { CancelSignal } from '../cancellation.ts'
import type { ToolsetId } from '../catalog/toolset-id.ts'
import type { ResourceLink } from '../results/blocks.ts'
import type { LogLevel } from '../session/client.ts'
import type { ForgeClient } from '../upstream/client.ts'
import type { Consent } from './consent.ts'
import type { DownloadFolder } from './downloads/folder.ts'
import type { Known } from './known.ts'
import type { Looks } from './looks.ts'
import type { PatternMatcher } from './patterns.ts'
import type { AskedClient } from './question.ts'
import type { TextRule } from './quick-actions.ts'

export interface ToolsetSummary {
  readonly id: ToolsetId
  readonly summary: string
  /** Tools of it that this caller may use. */
  readonly tools: number
  readonly active: boolean
}

/** What discover_tools may know and do, in one caller's view. */
export interface Discovery {
  /** The toolsets of which the caller may use anything at all. */
  toolsets(): readonly ToolsetSummary[]
  /** How to call the tools that fit some words and that the caller may use, best first. @param limit for each query */
  search(queries: readonly string[], limit: number): readonly unknown[]
  /** Switches a toolset on for the session. @returns the definitions of its tools, none when there is nothing to use */
  activate(id: ToolsetId): readonly unknown[]
}

/** What a row's own code may use besides its arguments. */
export interface ToolContext {
  readonly forge: ForgeClient
  /** Ids by name and the like, kept for a minute for this caller and forge. */
  readonly known: Known
  /** For what a row's own code asks the forge only to say more of a refusal. */
  readonly looks: Looks
  readonly patterns: PatternMatcher
  readonly downloads: DownloadFolder
  readonly discovery: Discovery
  /** Whoever calls, to be asked something before anything is changed. */
  readonly client: AskedClient
  /** Told the arguments once they are read, by their own names and in their usual form, for its audit line. */
  admitted(args: Readonly<Record<string, unknown>>): void
  /** Told how the call was confirmed, for its audit line. */
  consent(how: Consent): void
  /**
   * Tells the client how far the call is, when it wants to know: for what takes longer than a moment.
   * @param message one sentence @param done of whatever is counted, never less than before @param total of the same
   */
  progress(message: string, done?: number, total?: number): void
  /** Tells the client what a person may want to know of the call, when it wants to hear it. @param text one sentence */
  log(level: LogLevel, text: string): void
  /**
   * Adds a link to the result, in place of what there is no room for: for a client that knows links, and may read it.
   * @param resource name of its row @param values of the variables of its URI
   */
  link(resource: string, values: Readonly<Record<string, unknown>>): void
  /** What was added, a few at most. */
  readonly links: readonly ResourceLink[]
  /** Whether this call's caller may run that tool: what it lists is else told by no other. */
  mayRun(tool: string): boolean
  /** For a part of a result that another tool shows. @throws PolicyProblem where the operator has that one denied */
  checkShown(tool: string): void
  /** For a call that has waited for a person. @throws PolicyProblem where the policy has changed meanwhile */
  checkStill(): void
  /** Told of a record that is followed, before more is read of it or told. @throws PolicyProblem where it leads too far */
  follow(record: unknown): void
  /** Whether what is in a project of that path may be told of: where projects are limited, and no record says whose it is. */
  serves(path: string): boolean
  /** For text that a row's own code puts together: refused where the forge would act on it against the policy. */
  readonly checkText: TextRule
  /** FORGE_MAX_RESULT_CHARS: what is longer is cut by the engine (results/result.ts). */
  readonly maxChars: number
  readonly signal: CancelSignal | undefined
  /** Waits some milliseconds, for what the forge does in its own time. @throws ForgeError cancelled */
  pause(ms: number): Promise<void>
  /** For a call of many parts: comes back when the next may begin, in a turn of the event loop that its address has. */
  nextPart(): Promise<void>
  /** Milliseconds on a clock that only goes forward. */
  now(): number
  /** No forge of the operator's has lately taken the caller's token: it is not told which projects are served. */
  readonly isStranger?: boolean
  /** Tells callers apart where they share something; no token, and nothing to show. */
  readonly caller: string
  /** The address it calls from, where that is known; see holderOf. */
  readonly from?: string | undefined
}
