import type { Bench } from '../bench.ts'
import { list } from '../programs/index.ts'
import { serve } from './served.ts'

/** Has the floor list the tools that this server lists. */
export async function listing(bench: Bench): Promise<void> {
  const served = await serve(bench, 'ours', { folder: 'listing', ownCore: true })
  const answer = await fetch(`${served.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'private-token': 'glpat-bench-listing-00000' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
  })
  const { result } = (await answer.json()) as { result: unknown }
  list(result)
  await served.stop()
}
