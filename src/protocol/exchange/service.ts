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

/* What the protocol needs from the rest of the service. It knows neither Fastify nor undici. */

export interface ServerInfo {
  readonly name: string
  readonly title: string
  readonly version: string
}

/**
 * Runs one tool for one caller.
 * @throws ProtocolError for an unknown tool, and CancelledError if the exchange's signal stopped it
 */
export type ToolCaller = (
  name: string,
  args: unknown,
  exchange: Exchange,
  meta: CallMeta
) => Promise<ToolResult>

export interface Service {
  readonly info: ServerInfo
  /** What is offered and how to use it, as fields of JSON (protocol/methods/offers.ts). */
  readonly offer: string
  readonly catalog: Catalog
  /** Whether a call of 2026-07-28 must mirror what its tool declares with x-mcp-header; otherwise it may. */
  readonly requiresParamHeaders: boolean
  readonly callTool: ToolCaller
  /** Undefined if they are not offered. */
  readonly prompts: Prompts | undefined
  readonly resources: Resources | undefined
  readonly readResource: ResourceReader
  /** For arguments of prompts and variables of resources, if either is offered. */
  readonly completions: Completions | undefined
  readonly inFlight: InFlight
  /** For the initialize era: open questions to clients. */
  readonly questions: WaitingQuestions
  /** Whether a session's messages may come to any replica: of those, each knows only its own. */
  readonly isStateless: boolean
  /** For 2026-07-28: the states that clients send back with their answers. */
  readonly requestStates: RequestStates
  /** The lists that are served. */
  readonly lists: readonly ListName[]
  readonly changes: ListChanges
  readonly subscriptions: Subscriptions
  /** Called with an error that became the answer of one part of a batch, and would otherwise have ended the request. */
  readonly onFailure: (error: unknown, requestId: string) => void
  /** Called for each message that is refused over stdio, where no request of HTTP is. */
  onRefused(refusal: LoggedRefusal, of: { readonly requestId: string; readonly credential: Credential }): void
  /** Called for each request without an id, which was neither carried out nor answered. @param method one there is */
  onIdless(method: string, exchange: Exchange): void
  /** Called for each notification that was ignored as it is written. @param name as sent @param meant what there is */
  onMisnamed(name: string, meant: string, exchange: Exchange): void
  /** Called for each answer of a client to a question for which nothing waits here. */
  onUnmatched(exchange: Exchange): void
  /** Called for each request except tools/call once it is served. */
  observe(method: string, outcome: 'ok' | 'rpc_error', seconds: number): void
}

/** Ends what is held open and would delay the shutdown of the service. */
export function closeHeld({ questions, subscriptions }: Pick<Service, 'questions' | 'subscriptions'>): void {
  questions.close()
  subscriptions.close()
}
