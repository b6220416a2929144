import type { ResourceLink } from '../results/blocks.ts'
import type { UnseenLooks } from '../results/unseen-in-names.ts'
import type { LogLevel } from '../session/client.ts'
import type { ForgeClient } from '../upstream/client.ts'
import type { AskedClient, Consent } from './consent/question.ts'
import type { DownloadFolder } from './downloads/folder.ts'
import type { Known } from './facts/known.ts'
import type { Names } from './facts/names.ts'
import type { LookupBudget } from './lookup-budget.ts'
import type { PatternMatcher } from './patterns.ts'
import type { ToolsetId } from './rows/toolset-id.ts'
import type { TextRule } from './texts/quick-actions.ts'
import type { Read } from './web-urls/reader.ts'

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
  /** The things that a text looks for at once, none of them empty. */
  things(query: string): readonly string[]
  /** How to call the tools that fit some words and that the caller may use, best first. @param limit for each query */
  search(queries: readonly string[], limit: number): readonly unknown[]
  /**
   * Why the tools that fit best are not found, where that is for what is allowed here, and what to do where no tool
   * does what is looked for, as sentences.
   */
  limits(queries: readonly string[]): readonly string[]
  /**
   * Switches a toolset on for the session.
   * @returns the definitions of its tools, or their names if it is on and they are listed; none when there is nothing to
   *   use
   */
  activate(id: ToolsetId): readonly unknown[]
}

/** What a row's own code may use besides its arguments. */
export interface ToolContext {
  readonly forge: ForgeClient
  /** Facts of this caller's forge that are no names: its edition and the like. */
  readonly known: Known
  readonly names: Names
  /** For requests that a row's own code makes only to explain a refusal. */
  readonly lookups: LookupBudget
  /** For whatever looks for characters that nobody sees in names of the call, those of the calls that it makes with them. */
  readonly unseen: UnseenLooks
  readonly patterns: PatternMatcher
  readonly downloads: DownloadFolder
  readonly discovery: Discovery
  /** The client, to ask something before anything is changed. */
  readonly client: AskedClient
  /** Records the arguments for the audit line once they are read, by their own names and in normalized form. */
  admitted(args: Readonly<Record<string, unknown>>): void
  /** Records how the call was confirmed, for the audit line. */
  consent(how: Consent): void
  /**
   * Reports the progress of a call that takes longer than a moment, if the client wants that.
   * @param message one sentence
   * @param done units done, never less than before
   * @param total units in all
   */
  progress(message: string, done?: number, total?: number): void
  /** Sends the client a log message for a person, if it wants such messages. @param text one sentence */
  log(level: LogLevel, text: string): void
  /**
   * Adds a link to the result, instead of something that does not fit, if the client knows links and the caller may
   * read it.
   * @param resource name of its row @param values of the variables of its URI
   */
  link(resource: string, values: Readonly<Record<string, unknown>>): void
  /** The links that were added, a few at most. */
  readonly links: readonly ResourceLink[]
  /** Whether the caller may run that tool. If not, other tools must not disclose what it lists. */
  mayRun(tool: string): boolean
  /**
   * To be called for a part of a result that another tool shows.
   * @throws PolicyProblem if the operator has denied that tool
   */
  checkShown(tool: string): void
  /**
   * To be called after a call has waited for a person, or for its turn to go on.
   * @throws PolicyProblem if the policy has changed since it began
   */
  checkStill(): void
  /**
   * To be called for a record before more of it is read or disclosed.
   * @throws PolicyProblem if policy does not allow it
   */
  follow(record: unknown): void
  /**
   * Whether content of a project with that path may be disclosed. For cases in which projects are limited and no record
   * says whose the content is.
   */
  serves(path: string): boolean
  /** Checks text that a row's own code composes: it is refused if the forge would act on it against the policy. */
  readonly checkText: TextRule
  /** FORGE_MAX_RESULT_CHARS: longer results are cut by the engine (results/result.ts). */
  readonly maxChars: number
  /**
   * Reads the web address of something that is looked up, as long as all of the call are not too long together.
   * @throws CallProblem
   */
  readonly readWebUrl: Read
  /**
   * Waits some milliseconds, for what the forge does in its own time, or until the caller has gone: of a write too, as
   * that is done by then.
   * @throws ForgeError cancelled
   */
  pause(ms: number): Promise<void>
  /** For a call of many parts: comes back when the next may begin, in a turn of the event loop that its address has. */
  nextPart(): Promise<void>
  /** Milliseconds on a clock that only goes forward. */
  now(): number
  /**
   * Whether no forge of the operator has recently accepted the caller's token: then it is not told which projects are
   * served.
   */
  readonly isStranger?: boolean
  /** Identifies the caller where several share something. It is not a token, and must not be shown. */
  readonly caller: string
  /** The holder of the caller's address, if known; see holderOf. */
  readonly from?: string | undefined
}

/**
 * What a notice may use. The call is done by then, so that its forge gives a request up when all looks of the call have
 * taken too long (lookup-budget.ts).
 */
export interface NoticeContext extends Pick<ToolContext, 'mayRun'> {
  readonly forge: Pick<ForgeClient, 'send'>
}

/** What a lookup of a name may use. */
export type LookupContext = Pick<
  ToolContext,
  'forge' | 'known' | 'lookups' | 'mayRun' | 'names' | 'readWebUrl' | 'serves' | 'unseen'
>
