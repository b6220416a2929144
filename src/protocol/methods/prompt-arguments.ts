import { type ClientReply, form, Unanswered } from '../../engine/consent/question.ts'
import { isRecord } from '../../results/is-record.ts'
import { principalOf } from '../../session/credential.ts'
import { type Exchange, viewOf } from '../exchange/exchange.ts'
import type { Service } from '../exchange/service.ts'
import { code, type JsonRpcRequest, ProtocolError } from '../messages/jsonrpc.ts'
import type { Asker } from '../questions/asker.ts'

/** Name of the only question that a prompt asks. */
const QUESTION = 'arguments'

/**
 * Adds missing arguments to a request for a prompt. Many clients start a prompt without its arguments, but can ask a
 * person for them when the server asks. Without an answer, the request is refused as usual. It is refused at once if
 * the answer might not reach this replica.
 * @throws InputRequired, CancelledError, ProtocolError
 */
export async function withArguments(
  request: JsonRpcRequest,
  exchange: Exchange,
  { prompts }: Service,
  asker: Asker
): Promise<JsonRpcRequest> {
  const { name } = request.params
  const sent = request.params.arguments ?? {}
  const canAsk = asker.can('elicitation') && asker.getsAnyAnswer
  if (typeof name !== 'string' || !isRecord(sent) || !canAsk) return request
  const lacking = prompts!.lacking(name, sent, viewOf(exchange))
  if (lacking.length === 0) return request
  const properties = Object.fromEntries(
    lacking.map(({ name, description }) => [name, { type: 'string', title: name, description }])
  )
  const required = lacking.map(({ name }) => name)
  const question = form(`What the prompt ${name} needs:`, { type: 'object', properties, required })
  const { session } = exchange
  const call = {
    caller: principalOf(session.credential),
    tool: `prompts/get ${name}`,
    args: sent,
    forge: session.apiUrl ?? ''
  }
  try {
    const replies = await asker.ask({ [QUESTION]: question }, call)
    const given = wordsIn(replies[QUESTION]!, required)
    return { ...request, params: { ...request.params, arguments: { ...sent, ...given } } }
  } catch (error) {
    if (error instanceof Unanswered)
      throw new ProtocolError(
        code.invalidParams,
        `${error.message} Invalid arguments: ${required.map(name => `${name} is required`).join('; ')}.`
      )
    throw error
  }
}

/** The values of an answered form, for the fields that were asked for. */
function wordsIn({ action, content }: ClientReply, names: readonly string[]): Record<string, unknown> {
  if (action !== 'accept' || !isRecord(content)) return {}
  return Object.fromEntries(names.map(name => [name, content[name]]).filter(([, text]) => text !== undefined))
}
