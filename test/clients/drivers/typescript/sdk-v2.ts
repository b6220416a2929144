import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { TestProvider } from '../../../support/oauth-provider.ts'
import { type Called, drive } from './driving.ts'

/* The TypeScript SDK, version 2. */

await drive(async ({ url, token, redirect, mode }, open) => {
  const negotiated = { legacy: 'legacy', auto: 'auto' } as const
  const versionNegotiation = { mode: negotiated[mode as keyof typeof negotiated] ?? { pin: mode } }
  const connect = async (
    options: ConstructorParameters<typeof StreamableHTTPClientTransport>[1],
    client = new Client({ name: 'driver', version: '1' }, { versionNegotiation })
  ) => {
    const transport = new StreamableHTTPClientTransport(new URL(url), options)
    return { client, transport, connected: client.connect(transport) }
  }
  let options: ConstructorParameters<typeof StreamableHTTPClientTransport>[1]
  if (redirect === undefined) options = { requestInit: { headers: { 'Private-Token': token! } } }
  else {
    const authProvider = new TestProvider()
    options = { authProvider }
    const first = await connect(options)
    // It says that it must log in by an error, and wants to be asked anew afterwards.
    await first.connected.catch(() => undefined)
    await first.transport.finishAuth((await open(authProvider.opened!)).searchParams)
  }
  const { client, transport, connected } = await connect(options)
  await connected
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args, signal): Promise<Called> => {
      const { content, isError = false } = await client.callTool({ name, arguments: args }, { signal })
      return { text: (content as { text: string }[])[0]!.text, isError }
    },
    close: async () => {
      await transport.terminateSession()
      await client.close()
    }
  }
})
