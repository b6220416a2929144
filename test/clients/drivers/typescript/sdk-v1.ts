import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { TestProvider } from '../../../support/oauth-provider.ts'
import { type Called, type Connecting, drive, type Open } from './driving.ts'

/* The TypeScript SDK, version 1. */

await drive(async (to, open) => {
  const transport = await transportTo(to, open)
  const client = new Client({ name: 'driver', version: '1' })
  await client.connect(transport)
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args, signal): Promise<Called> => {
      const { content, isError = false } = await client.callTool({ name, arguments: args }, undefined, {
        signal
      })
      return { text: (content as { text: string }[])[0]!.text, isError: isError as boolean }
    },
    close: async () => {
      await transport.terminateSession()
      await client.close()
    }
  }
})

async function transportTo({ url, token, redirect }: Connecting, open: Open) {
  if (redirect === undefined)
    return new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { 'Private-Token': token! } }
    })
  const authProvider = new TestProvider()
  const first = new StreamableHTTPClientTransport(new URL(url), { authProvider })
  // It says that it must log in by an error, and wants to be asked anew afterwards.
  await new Client({ name: 'driver', version: '1' }).connect(first).catch(() => undefined)
  await first.finishAuth((await open(authProvider.opened!)).searchParams.get('code')!)
  return new StreamableHTTPClientTransport(new URL(url), { authProvider })
}
