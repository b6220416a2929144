import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'

const program = fileURLToPath(new URL('loaded-modules.ts', import.meta.url))

/** Which modules of OpenTelemetry a server process has loaded after it started and was called. */
async function loaded(settings: Record<string, string>): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(settings)])
  return JSON.parse(stdout)
}

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }

t.test('without an endpoint no module of OpenTelemetry is loaded', async t => {
  t.same(await loaded({}), [])
  t.same(await loaded({ OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER: 'xray' }), [])
})

t.test('OTEL_SDK_DISABLED wins over an endpoint', async t => {
  t.same(await loaded({ ...endpoint, OTEL_SDK_DISABLED: 'true' }), [])
})

t.test('with one they are, so that the tests above look in the right place', async t => {
  t.ok((await loaded(endpoint)).some(file => file.includes('@opentelemetry/sdk-trace/')))
})
