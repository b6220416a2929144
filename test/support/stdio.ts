import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import type { Test } from 'tap'
import { serveStdio } from '../../src/stdio/serve.ts'
import { TOKEN, testServer } from './server.ts'

/** A service over stdio in this process, and its answers as they arrive. */
export async function stdioServer(
  t: Test,
  apiUrl = 'http://127.0.0.1:9',
  settings: Record<string, string> = {},
  log?: Parameters<typeof testServer>[2]
) {
  const all = {
    STREAMABLE_HTTP: 'false',
    FORGE_PERSONAL_ACCESS_TOKEN: TOKEN,
    FORGE_API_URL: apiUrl,
    ...settings
  }
  const server = await testServer(t, all, log)
  const [input, output] = [new PassThrough(), new PassThrough()]
  const state = { ended: false }
  const stdio = serveStdio({
    service: server.mcp,
    view: server.baseView,
    token: TOKEN,
    input,
    output,
    onEnd: () => {
      state.ended = true
    }
  })
  t.teardown(() => stdio.close())
  const lines = createInterface({ input: output })[Symbol.asyncIterator]()
  return {
    server,
    stdio,
    state,
    input,
    output,
    write: (line: unknown) => input.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`),
    // biome-ignore lint/suspicious/noExplicitAny: answers of every kind are looked into
    next: async (): Promise<any> => JSON.parse(String((await lines.next()).value))
  }
}
