import { ResourceError, type ResourceFault } from '../../resources/error.ts'
import type { FoundResource } from '../../resources/resources.ts'
import { withMeta } from '../exchange/call-meta.ts'
import { type Exchange, viewOf } from '../exchange/exchange.ts'
import type { Service } from '../exchange/service.ts'
import { code, type JsonRpcRequest, ProtocolError } from '../messages/jsonrpc.ts'
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
 * @returns resources/read. It throws ProtocolError, with the URI in its data if it is valid
 */
export const readResource =
  (notFound: number) =>
  async (request: JsonRpcRequest, exchange: Exchange, service: Service): Promise<string> => {
    const { uri } = request.params
    if (typeof uri !== 'string')
      throw new ProtocolError(code.invalidParams, 'resources/read needs uri, a string.')
    try {
      const found = findResource(uri, service)
      const contents = await withMeta(request, exchange, meta =>
        service.readResource(uri, found, exchange, meta)
      )
      return `"contents":${JSON.stringify(contents)}`
    } catch (error) {
      if (!(error instanceof ResourceError)) throw error
      const codes: Record<ResourceFault, number> = {
        'not-found': notFound,
        refused: code.invalidParams,
        failed: code.internal
      }
      throw new ProtocolError(codes[error.fault], error.message, { uri: uri.slice(0, MAX_SHOWN) })
    }
  }

/** Most characters of a URI that is quoted in an error. */
const MAX_SHOWN = 2_000

/**
 * Finds the resource of a URI. Tool runs are counted where they are run; failures to find a resource are counted here.
 * @throws ResourceError
 */
function findResource(uri: string, { resources, observe }: Service): FoundResource {
  const found = resources!.find(uri)
  if (found !== undefined) return found
  observe('resources/read', 'rpc_error', 0)
  throw new ResourceError(
    'not-found',
    'Unknown resource: resources/templates/list has the forms of URIs. A slash in a project or ref is written %2F.'
  )
}
