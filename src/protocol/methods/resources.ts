import { ResourceError, type ResourceFault } from '../../resources/error.ts'
import { withMeta } from '../exchange/call-meta.ts'
import { type Exchange, viewOf } from '../exchange/exchange.ts'
import type { Service } from '../exchange/service.ts'
import { code, type JsonRpcRequest, ProtocolError, plainError, thrownByCall } from '../messages/jsonrpc.ts'
import { checkCursor } from './cursor.ts'

/*
 * resources/list, resources/templates/list and resources/read, the same in both eras except for the error code of a
 * missing resource. Each returns the fields of its result as JSON, without the braces.
 */

export function listResources(
  { params }: JsonRpcRequest,
  exchange: Exchange,
  { resources }: Service
): string {
  checkCursor(params)
  return `"resources":${resources!.list(viewOf(exchange))}`
}

export function listTemplates(
  { params }: JsonRpcRequest,
  exchange: Exchange,
  { resources }: Service
): string {
  checkCursor(params)
  return `"resourceTemplates":${resources!.templates(viewOf(exchange))}`
}

/**
 * @param notFound the era's error code for a missing resource
 * @returns the method resources/read, a function (request, exchange, service) that throws ProtocolError with the URI in
 * its data
 */
export const readResource =
  (notFound: number) =>
  async (request: JsonRpcRequest, exchange: Exchange, service: Service): Promise<string> => {
    const { uri } = request.params
    if (typeof uri !== 'string') throw plainError(code.invalidParams, 'resources/read needs uri, a string.')
    const failed = (fault: ResourceFault, message: string, hint?: string) => {
      const codes: Record<ResourceFault, number> = {
        'not-found': notFound,
        refused: code.invalidParams,
        failed: code.internal
      }
      return new ProtocolError(codes[fault], message, { data: { uri: uri.slice(0, MAX_SHOWN) }, hint })
    }
    const found = service.resources!.find(uri)
    if (found === undefined) {
      // The code that reads resources counts and logs those that it reads; this one is not read.
      service.observe('resources/read', 'rpc_error', 0)
      throw failed('not-found', unknownResource, unknownResource)
    }
    try {
      const contents = await withMeta(request, exchange, meta =>
        service.readResource(uri, found, exchange, meta)
      )
      return `"contents":${JSON.stringify(contents)}`
    } catch (error) {
      return thrownByCall(error instanceof ResourceError ? failed(error.fault, error.message) : error)
    }
  }

/** Most characters of a URI that an error quotes. */
const MAX_SHOWN = 2_000

const unknownResource =
  'Unknown resource: resources/templates/list has the forms of URIs. A slash in a project or ref is written %2F.'
