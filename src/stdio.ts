import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { Cancellation } from './cancellation.ts'
import type { View } from './catalog/catalog.ts'
import { answer } from './protocol/dispatch.ts'
import { code, errorText, internalErrorText } from './protocol/jsonrpc.ts'
import type { Exchange, Service } from './protocol/service.ts'
import { unnegotiated } from './protocol/versions.ts'
import type { Session } from './session/store.ts'

export interface StdioOptions {
  readonly service: Service
  readonly view: View
  /** FORGE_PERSONAL_ACCESS_TOKEN, for every call. */
  readonly token: string
  readonly onFault: (error: unknown, requestId: string | undefined) => void
  readonly onEnd: () => void
}

/**
 * Serves one local client over stdin and stdout: the same service and the same protocol as over HTTP, the
 * process being the session.
 */
export async function serveStdio({ service, view, token, onFault, onEnd }: StdioOptions): Promise<void> {
  const transport = new StdioServerTransport()
  const send = (text: string) => transport.send(JSON.parse(text))
  let session: Session = {
    credential: { kind: 'private-token', token },
    apiUrl: undefined,
    activated: 0,
    version: unnegotiated
  }
  let calls = 0

  const serve = async (message: unknown, requestId: string): Promise<void> => {
    const before = session
    const cancellation = new Cancellation()
    const exchange: Exchange = {
      session,
      view,
      resumed: false,
      headers: {},
      signal: cancellation,
      cancel: () => cancellation.abort(),
      sessionKey: 'stdio',
      requestId,
      notifications: []
    }
    const { text } = await answer(message, exchange, service)
    if (exchange.session !== before) session = exchange.session
    for (const notification of exchange.notifications) await send(notification)
    if (text !== undefined) await send(text)
  }

  const running = new Set<Promise<void>>()
  transport.onmessage = message => {
    const requestId = `stdio-${++calls}`
    const done = serve(message, requestId)
      .catch((error: unknown) => {
        onFault(error, requestId)
        return send(internalErrorText('id' in message ? message.id : undefined, requestId))
      })
      .finally(() => running.delete(done))
    running.add(done)
  }
  transport.onerror = error => {
    onFault(error, undefined)
    void send(errorText(undefined, code.parse, 'Parse error: a line must be one JSON-RPC message.'))
  }
  // What has been asked is finished, as each call is by its own deadline; a client that has gone reads nothing.
  process.stdout.on('error', () => {})
  process.stdin.once('end', async () => {
    await Promise.allSettled(running)
    onEnd()
  })
  await transport.start()
}
