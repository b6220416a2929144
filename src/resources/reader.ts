import type { ToolCalls } from '../calls/tool-calls.ts'
import type { CallMeta, Exchange } from '../protocol/exchange/exchange.ts'
import { ForgeError, ForgeStatusError } from '../upstream/errors.ts'
import { contentsWriter, type ResourceContents } from './contents.ts'
import { ResourceError, type ResourceFault } from './error.ts'
import type { FoundResource } from './resources.ts'

/**
 * Reads one resource for one caller.
 * @param found the resource behind the URI
 * @throws ResourceError, and what a ToolCaller throws
 */
export type ResourceReader = (
  uri: string,
  found: FoundResource,
  exchange: Exchange,
  meta: CallMeta
) => Promise<readonly ResourceContents[]>

/** Makes a reader that runs the tools of the resources. */
export const resourceReader =
  (calls: Pick<ToolCalls, 'use'>): ResourceReader =>
  async (uri, { row, args }, exchange, meta) => {
    const writer = contentsWriter(uri, row)
    const read = await calls.use(row.tool, args, exchange, meta, { method: 'resources/read', ...writer })
    if (read.problem === undefined) return read.result
    throw new ResourceError(faultOf(read.error), read.problem)
  }

function faultOf(error: unknown): ResourceFault {
  if (error instanceof ForgeStatusError) return error.status === 404 ? 'not-found' : 'failed'
  return error instanceof ForgeError ? 'failed' : 'refused'
}
