import type { Catalog } from '../../catalog/catalog.ts'
import type { Completions } from '../../completions/completions.ts'
import type { Prompts } from '../../prompts/prompts.ts'
import type { ResourceReader } from '../../resources/reader.ts'
import type { Resources } from '../../resources/resources.ts'
import type { ToolResult } from '../../results/result.ts'
import type { Credential } from '../../session/credential.ts'
import type { LoggedRefusal } from '../messages/refusal.ts'
import type { RequestStates } from '../questions/request-states.ts'
import type { WaitingQuestions } from '../questions/waiting-questions.ts'
import type { CallMeta, Exchange } from './exchange.ts'
import type { InFlight } from './in-flight.ts'
import type { ListChanges, ListName } from './list-changes.ts'
import type { Subscriptions } from './subscriptions.ts'

/* The parts of the service that the protocol layer needs. It knows neither Fastify nor undici. */

interface ServerInfo {
  readonly name: string
  readonly title: string
  readonly version: string
}

/**
 * Runs one tool for one caller.
 * @throws ProtocolError for an unknown tool, and CancelledError if the exchange's signal stopped the tool
 */
type ToolCaller = (name: string, args: unknown, exchange: Exchange, meta: CallMeta) => Promise<ToolResult>

export interface Service {
  readonly info: ServerInfo
  /** The offered capabilities and the instructions, as JSON fields (protocol/methods/offers.ts). */
  readonly offer: string
  readonly catalog: Catalog
  /**
   * Whether a call of 2026-07-28 must mirror the arguments that its tool declares with x-mcp-header; otherwise it may.
   */
  readonly requiresParamHeaders: boolean
  readonly callTool: ToolCaller
  /** Undefined if prompts are not offered. The same holds for resources. */
  readonly prompts: Prompts | undefined
  readonly resources: Resources | undefined
  readonly readResource: ResourceReader
  /** For arguments of prompts and variables of resources; undefined if neither is offered. */
  readonly completions: Completions | undefined
  readonly inFlight: InFlight
  /** For the initialize era: open questions to clients. */
  readonly questions: WaitingQuestions
  /** Whether any replica may get a session's messages. Each replica knows only the questions that it asked. */
  readonly isStateless: boolean
  /** For 2026-07-28: the states that clients send back with their answers. */
  readonly requestStates: RequestStates
  /** The lists that are served. */
  readonly lists: readonly ListName[]
  readonly changes: ListChanges
  readonly subscriptions: Subscriptions
  /**
   * Called with an error that became the answer to one message of a batch, and would otherwise have ended the request.
   */
  readonly onFailure: (error: unknown, requestId: string) => void
  /** Called for each message that is refused over stdio, where no HTTP request is refused. */
  onRefused(refusal: LoggedRefusal, of: { readonly requestId: string; readonly credential: Credential }): void
  /**
   * Called for each request without an id. It is neither carried out nor answered.
   * @param method an existing method
   */
  onIdless(method: string, exchange: Exchange): void
  /**
   * Called for each notification that was ignored because it is misspelled.
   * @param name as sent
   * @param meant the name or field that was probably meant
   */
  onMisnamed(name: string, meant: string, exchange: Exchange): void
  /** Called for each client's answer to a question that no call waits for here. */
  onUnmatched(exchange: Exchange): void
  /** Called for each request except tools/call once it is served. */
  observe(method: string, outcome: 'ok' | 'rpc_error', seconds: number): void
}

/** Ends the requests that are held open and would delay the shutdown of the service. */
export function closeHeld({ questions, subscriptions }: Pick<Service, 'questions' | 'subscriptions'>): void {
  questions.close()
  subscriptions.close()
}
