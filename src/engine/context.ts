import type { ResourceLink } from '../results/blocks.ts'
import type { UnseenBudget } from '../results/unseen-in-names.ts'
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

interface ToolsetSummary {
  readonly id: ToolsetId
  readonly summary: string
  /** Number of its tools that this caller may use. */
  readonly tools: number
  readonly active: boolean
}

/** The catalog as discover_tools sees it, for one caller. */
export interface Discovery {
  /** The toolsets with at least one tool that the caller may use. */
  toolsets(): readonly ToolsetSummary[]
  /** The separate topics of a query, none of them empty. */
  things(query: string): readonly string[]
  /**
   * Finds tools that match the words and that the caller may use, and describes how to call them, best first. @param
   * limit for each query
   */
  search(queries: readonly string[], limit: number): readonly unknown[]
  /**
   * Explains in sentences why the best-matching tools are not found, if the policy hides them, and what to do if no
   * tool does what the query asks for.
   */
  limits(queries: readonly string[]): readonly string[]
  /**
   * Activates a toolset for the session.
   * @returns the definitions of its tools, or their names if it is active and they are listed; none if the caller may
   *   use none
   */
  activate(id: ToolsetId): readonly unknown[]
}

/** What a row's own code may use besides its arguments. */
export interface ToolContext {
  readonly forge: ForgeClient
  /** Facts about this caller's forge other than names, such as its edition. */
  readonly known: Known
  readonly names: Names
  /** For requests that a row's own code makes only to explain a refusal. */
  readonly lookups: LookupBudget
  /** Bounds the search for invisible characters in names of the call, and of the calls that it makes with them. */
  readonly unseenBudget: UnseenBudget
  readonly patterns: PatternMatcher
  readonly downloads: DownloadFolder
  readonly discovery: Discovery
  /** The client, which may be asked something before a change. */
  readonly client: AskedClient
  /** Records the arguments for the audit line once they are read, by their own names and in normalized form. */
  admitted(args: Readonly<Record<string, unknown>>): void
  /** Records how the call was confirmed, for the audit line. */
  consent(how: Consent): void
  /**
   * Reports the progress of a call that takes longer than a moment, if the client asks for it.
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
   * To be called after a call has waited for a person, or for its turn to continue.
   * @throws PolicyProblem if the policy has changed since it began
   */
  checkStill(): void
  /**
   * To be called for a record before more of it is read or disclosed.
   * @throws PolicyProblem if policy does not allow it
   */
  follow(record: unknown): void
  /**
   * Whether content of a project with that path may be disclosed. Used if projects are limited and no record shows
   * which project the content belongs to.
   */
  serves(path: string): boolean
  /** Checks text that a row's own code composes: it is refused if the forge would act on it against the policy. */
  readonly checkText: TextRule
  /** FORGE_MAX_RESULT_CHARS: longer results are cut by the engine (results/result.ts). */
  readonly maxChars: number
  /**
   * Reads the web address of something that is looked up, unless the addresses of the call are too long in total.
   * @throws CallProblem
   */
  readonly readWebUrl: Read
  /**
   * Waits some milliseconds for something that the forge does in the background, or until the caller has disconnected.
   * A disconnected caller ends the wait even after a write, because the write is done by then.
   * @throws ForgeError cancelled
   */
  pause(ms: number): Promise<void>
  /**
   * For a call of many parts: resolves when the next part may begin, in a turn of the event loop that belongs to the
   * caller's address.
   */
  nextPart(): Promise<void>
  /** Milliseconds on a clock that only goes forward. */
  now(): number
  /**
   * Whether no forge of the operator has recently accepted the caller's token. Such a caller is not told which projects
   * are served.
   */
  readonly isStranger?: boolean
  /** Identifies the caller where callers share a limit. It is not a token, and must not be shown. */
  readonly caller: string
  /** The holder of the caller's address, if known; see holderOf. */
  readonly from?: string | undefined
}

/**
 * The context of a notice. The call is done by then, so its client gives up a request when all lookups of the call
 * together have taken too long (lookup-budget.ts).
 */
export interface NoticeContext extends Pick<ToolContext, 'mayRun'> {
  readonly forge: Pick<ForgeClient, 'send'>
}

/** The context of a lookup of a name. */
export type LookupContext = Pick<
  ToolContext,
  'forge' | 'known' | 'lookups' | 'mayRun' | 'names' | 'readWebUrl' | 'serves' | 'unseenBudget'
>
