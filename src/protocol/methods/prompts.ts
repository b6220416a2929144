import { CallProblem } from '../../results/problem.ts'
import { type Exchange, viewOf } from '../exchange/exchange.ts'
import type { Service } from '../exchange/service.ts'
import { code, type JsonRpcRequest, ProtocolError, plainError } from '../messages/jsonrpc.ts'
import type { Asker } from '../questions/asker.ts'
import { checkCursor } from './cursor.ts'
import { checkNoneMisplaced } from './misplaced-arguments.ts'
import { withArguments } from './prompt-arguments.ts'
import { timedMethod } from './timed.ts'

/*
 * prompts/list and prompts/get, the same in both eras. Each returns the fields of its result as JSON, without the
 * braces.
 */

export function listPrompts({ params }: JsonRpcRequest, exchange: Exchange, { prompts }: Service): string {
  checkCursor(params)
  return `"prompts":${prompts!.list(viewOf(exchange))}`
}

/**
 * Serves prompts/get. Asks the person for missing arguments first, if the client supports that.
 * @throws as `withArguments` and `getPrompt` do
 */
export async function askedPrompt(
  request: JsonRpcRequest,
  exchange: Exchange,
  service: Service,
  asker: Asker
): Promise<string> {
  const { params } = request
  const { name } = params
  checkNoneMisplaced(params, () => {
    const lacking = typeof name === 'string' ? service.prompts!.lacking(name, {}, viewOf(exchange)) : []
    return new Set(lacking.map(({ name }) => name))
  })
  return timedGet(await withArguments(request, exchange, service, asker), exchange, service)
}

/** @throws ProtocolError that says what to correct */
function getPrompt({ params }: JsonRpcRequest, exchange: Exchange, { prompts }: Service): string {
  const { name, arguments: sent } = params
  if (typeof name !== 'string') throw plainError(code.invalidParams, 'prompts/get needs name, a string.')
  return JSON.stringify(mended(() => prompts!.get(name, sent, viewOf(exchange)))).slice(1, -1)
}

const timedGet = timedMethod('prompts/get', getPrompt)

/** Turns errors that a caller can correct into MCP's invalid params. @throws ProtocolError */
export function mended<Value>(ask: () => Value): Value {
  try {
    return ask()
  } catch (error) {
    if (error instanceof CallProblem) throw new ProtocolError(code.invalidParams, error.message)
    throw error
  }
}
