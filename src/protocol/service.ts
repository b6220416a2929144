import type { Catalog } from '../catalog/catalog.ts'
import type { Completions } from '../completions/completions.ts'
import type { Prompts } from '../prompts/prompts.ts'
import type { ResourceReader } from '../resources/reader.ts'
import type { Resources } from '../resources/resources.ts'
import type { ToolResult } from '../results/result.ts'
import type { CallMeta, Exchange } from './exchange.ts'
import type { InFlight } from './in-flight.ts'
import type { ListChanges, ListName } from './list-changes.ts'
import type { Subscriptions } from './modern/subscriptions.ts'
import type { WaitingQuestions } from './questions.ts'
import type { RequestStates } from './request-states.ts'

/* What the protocol needs from the rest of the service. It knows neither Fastify nor undici. */

export interface ServerInfo {
  readonly name: string
  readonly title: string
  readonly version: string
}

/**
 * Runs one tool for one caller.
 * @throws ProtocolError for a tool that there is not, and CancelledError when the exchange's signal stopped it
 */
export type ToolCaller = (
  name: string,
  args: unknown,
  exchange: Exchange,
  meta: CallMeta
) => Promise<ToolResult>

export interface Service {
  readonly info: ServerInfo
  /** What is offered and how it is to be used, as fields of JSON (offers.ts). */
  readonly offer: string
  readonly catalog: Catalog
  /** A call of 2026-07-28 must mirror what its tool declares with x-mcp-header; else it may. */
  readonly requiresParamHeaders: boolean
  readonly callTool: ToolCaller
  /** Where they are offered. */
  readonly prompts: Prompts | undefined
  readonly resources: Resources | undefined
  readonly readResource: ResourceReader
  /** Of arguments of prompts and variables of resources, where either is offered. */
  readonly completions: Completions | undefined
  readonly inFlight: InFlight
  /** Of the initialize era: what clients were asked and have not answered. */
  readonly questions: WaitingQuestions
  /** Of 2026-07-28: what clients bring back with their answers. */
  readonly requestStates: RequestStates
  /** The lists that are served. */
  readonly lists: readonly ListName[]
  readonly changes: ListChanges
  readonly subscriptions: Subscriptions
  /** Told what became the answer of one part of a batch, where it would else have ended the request. */
  readonly onFailure: (error: unknown, requestId: string) => void
  /** Told of each request but tools/call once it is served. */
  observe(method: string, outcome: 'ok' | 'rpc_error', seconds: number): void
}

/** Ends what is held open and would keep the service from leaving. */
export function closeHeld({ questions, subscriptions }: Pick<Service, 'questions' | 'subscriptions'>): void {
  questions.close()
  subscriptions.close()
}
