import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { createServer } from '../../src/server.ts'
import { type Agent, connectAgent } from './agent.ts'

/** What an operator chooses of ours, and what a model then looks for where the surface is a search. */
interface Choice {
  readonly toolsets?: string
  readonly words?: string
}

/** This server over HTTP before a forge, and an agent at it. */
export async function atOurs(apiUrl: string, token: string, { toolsets, words }: Choice): Promise<Agent> {
  const server = await createServer({
    FORGE_API_URL: apiUrl,
    PORT: '0',
    LOG_LEVEL: 'silent',
    DRAIN_SECONDS: '0',
    MAX_EVENT_LOOP_DELAY_MS: '0',
    FORGE_TOOL_SURFACE: words === undefined ? 'full' : 'search',
    ...(toolsets !== undefined && { FORGE_TOOLSETS: toolsets })
  })
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  const requestInit = { headers: { 'Private-Token': token } }
  const transport = new StreamableHTTPClientTransport(new URL(`${address}/mcp`), { requestInit })
  const agent = await connectAgent(transport, words)
  const close = async () => {
    await agent.close()
    await server.close()
  }
  return { ...agent, close }
}
