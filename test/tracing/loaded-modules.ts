import { createRequire, registerHooks } from 'node:module'

/*
 * Starts servers with the settings given as JSON, one after the other, has each make a call, and prints which modules of
 * OpenTelemetry are loaded after each. They are CommonJS, so all of them are in the cache of require, however they were
 * imported; what is asked for by import is noted besides, should that change.
 */

const asked: string[] = []
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('@opentelemetry/')) asked.push(specifier)
    return next(specifier, context)
  }
})

const { createServer } = await import('../../src/server.ts')
const loaded: string[][] = []
for (const settings of JSON.parse(process.argv[2]!) as Record<string, string>[]) {
  const server = await createServer({ LOG_LEVEL: 'silent', FORGE_API_URL: 'http://127.0.0.1:9', ...settings })
  await server.inject({
    method: 'POST',
    url: '/mcp',
    headers: { host: 'localhost', 'private-token': 'glpat-test-test-test-test' },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'my_issues', arguments: {} } }
  })
  const cached = Object.keys(createRequire(import.meta.url).cache).filter(file =>
    file.includes('opentelemetry')
  )
  loaded.push([...new Set([...asked, ...cached])])
}
process.stdout.write(JSON.stringify(loaded), () => process.exit())
