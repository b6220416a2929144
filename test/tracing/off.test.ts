import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'

const program = fileURLToPath(new URL('loaded-modules.ts', import.meta.url))
const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }

/** Servers of one process in turn, so the one that loads them comes last. */
const settings = [
  {},
  { OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER: 'xray' },
  { ...endpoint, OTEL_SDK_DISABLED: 'true' },
  endpoint
]
const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(settings)])
const [none, named, disabled, on] = JSON.parse(stdout) as string[][]

t.test('without an endpoint no module of OpenTelemetry is loaded', async t => {
  t.same(none, [])
  t.same(named, [])
})

t.test('OTEL_SDK_DISABLED wins over an endpoint', async t => {
  t.same(disabled, [])
})

t.test('with one they are, so that the tests above look in the right place', async t => {
  t.ok(on!.some(file => file.includes('@opentelemetry/sdk-trace/')))
})
