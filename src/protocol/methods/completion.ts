import type { CompletionRequest } from '../../completions/completions.ts'
import { isRecord } from '../../results/is-record.ts'
import { type Exchange, viewOf } from '../exchange/exchange.ts'
import type { Service } from '../exchange/service.ts'
import { code, type JsonRpcRequest, ProtocolError, plainError } from '../messages/jsonrpc.ts'
import { mended } from './prompts.ts'

/**
 * completion/complete, the same in both eras.
 * @returns the fields of its result as JSON, without the braces
 * @throws ProtocolError if the request names no argument of an offered prompt or resource
 */
export async function complete(
  { params }: JsonRpcRequest,
  exchange: Exchange,
  service: Service
): Promise<string> {
  const started = performance.now()
  const observe = (outcome: 'ok' | 'rpc_error') =>
    service.observe('completion/complete', outcome, (performance.now() - started) / 1000)
  let asked: CompletionRequest
  try {
    asked = readAsked(params, exchange, service)
  } catch (error) {
    observe('rpc_error')
    throw error
  }
  const { hasRun, ...completion } = await service.completions!.complete(asked, exchange)
  if (hasRun !== true) observe('ok')
  return `"completion":${JSON.stringify(completion)}`
}

type Params = JsonRpcRequest['params']

function readAsked(
  { ref, argument, context }: Params,
  exchange: Exchange,
  service: Service
): CompletionRequest {
  if (!isRecord(ref)) throw wrong('completion/complete needs ref, an object.')
  if (!isRecord(argument) || typeof argument.name !== 'string' || typeof argument.value !== 'string')
    throw wrong('completion/complete needs argument with name and value, two strings.')
  const { name, value: typed } = argument
  const source = sourceOf(ref, name, exchange, service)
  return { source, typed, given: givenIn(context), titled: ref.type === 'ref/prompt' }
}

/**
 * Finds the completion of an argument.
 * @returns the name of the completion
 * @throws ProtocolError
 */
function sourceOf(
  ref: Readonly<Record<string, unknown>>,
  name: string,
  exchange: Exchange,
  { prompts, resources }: Service
): string {
  const view = viewOf(exchange)
  if (ref.type === 'ref/prompt' && typeof ref.name === 'string' && prompts !== undefined) {
    const row = mended(() => prompts.find(String(ref.name), view))
    if (!Object.hasOwn(row.arguments, name)) throw noArgument(name, Object.keys(row.arguments))
    return row.arguments[name]!.completedBy ?? name
  }
  if (ref.type === 'ref/resource' && typeof ref.uri === 'string' && resources !== undefined) {
    const variables = resources.variablesOf(ref.uri, view)
    if (variables === undefined)
      throw wrong('Unknown resource template: resources/templates/list has those that there are.')
    if (!variables.includes(name)) throw noArgument(name, variables)
    return name
  }
  throw wrong('ref must be a prompt (ref/prompt with name) or a resource template (ref/resource with uri).')
}

const wrong = (message: string) => plainError(code.invalidParams, message)

const noArgument = (name: string, valid: readonly string[]) =>
  new ProtocolError(
    code.invalidParams,
    `Unknown argument ${JSON.stringify(name.slice(0, 60))} (valid: ${valid.join(', ') || 'none'}).`,
    { hint: 'argument.name is none of what ref names.' }
  )

/**
 * The arguments that are already filled in, if their values are text.
 * @throws ProtocolError if they are in the wrong place
 */
function givenIn(context: unknown): Readonly<Record<string, string>> {
  const given = context ?? {}
  const sent = isRecord(given) ? (given.arguments ?? {}) : undefined
  const astray = isRecord(given) && !given.arguments && Object.values(given).some(isText)
  if (!isRecord(sent) || astray)
    throw wrong('What was filled in before belongs in context.arguments, an object of texts.')
  return Object.fromEntries(
    Object.entries(sent).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  )
}

const isText = (value: unknown): boolean => typeof value === 'string'
