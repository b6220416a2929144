import t from 'tap'
import { readCommandLine } from '../../src/config/argv.ts'
import { environmentNotes } from '../../src/config/environment.ts'
import { checkSettings, type Settings } from '../../src/config/load.ts'
import { startNotes } from '../../src/config/notes.ts'
import { tracingSettings } from '../../src/tracing/settings.ts'
import { problemsOf } from '../support/config.ts'

const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector.example:4318'
const settingsOf = (settings: Settings) => tracingSettings(checkSettings(settings))

t.test('there are no traces unless an endpoint is set', async t => {
  t.equal(settingsOf({}), undefined)
  t.equal(settingsOf({ OTEL_SERVICE_NAME: 'forge', OTEL_TRACES_SAMPLER: 'always_on' }), undefined)
  for (const OTEL_SDK_DISABLED of ['true', 'TRUE'])
    t.equal(settingsOf({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED }), undefined)
  // OpenTelemetry: whatever is not true is false.
  t.ok(settingsOf({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: '1' }))
})

t.test('OTEL_TRACES_EXPORTER=none is for no traces, whatever the endpoint', async t => {
  t.equal(settingsOf({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }), undefined)
  t.ok(settingsOf({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: 'otlp' }))
})

t.test('gRPC in the environment is told of where traces are sent, which go over HTTP', async t => {
  const env = { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT }
  t.same(environmentNotes(env, settings), [
    'OTEL_EXPORTER_OTLP_PROTOCOL=grpc has no effect: traces are sent over HTTP, as JSON.'
  ])
  const own = 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'
  t.same(environmentNotes({ ...env, [own]: 'http/json' }, settings), [], 'the one for traces wins')
  t.match(environmentNotes({ [own]: 'grpc' }, settings), [/^OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=grpc/])
  t.same(environmentNotes(env, {}), [], 'none are sent')
  t.same(environmentNotes(env, { ...settings, OTEL_TRACES_EXPORTER: 'none' }), [])
})

t.test('the defaults are those of the specification', async t => {
  t.same(settingsOf({ OTEL_EXPORTER_OTLP_ENDPOINT }), {
    url: 'http://collector.example:4318/v1/traces',
    serviceName: undefined,
    sampler: 'parentbased_always_on',
    ratio: 1
  })
})

t.test('the common endpoint is a base, that of traces is taken as it is', async t => {
  const base = 'https://collector.example/otlp/'
  t.equal(settingsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: base })?.url, 'https://collector.example/otlp/v1/traces')
  const own = 'https://traces.example/in'
  const both = { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own }
  t.equal(settingsOf(both)?.url, own)
})

t.test(
  'the port of another protocol, a path that is none of traces, and a switch that switches nothing are told',
  async t => {
    const notes = (settings: Settings) => startNotes(checkSettings(settings))
    t.match(notes({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4317' }), [/4317.*gRPC.*4318/])
    t.same(notes({ OTEL_EXPORTER_OTLP_ENDPOINT }), [])
    t.match(notes({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/v1/traces/' }), [/added to it once more/])
    for (const url of ['http://c:4318', 'http://c:4318/', 'https://c/otlp'])
      t.match(notes({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url }), [/taken as it is: .*\/v1\/traces/], url)
    for (const url of ['http://c:4318/v1/traces', 'https://c/in/v2/trace'])
      t.same(notes({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url }), [], url)
    t.match(notes({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'yes' }), [
      /counts as false: traces are sent/
    ])
    t.same(notes({ OTEL_SDK_DISABLED: 'yes' }), [])
    t.same(notes({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4317', OTEL_SDK_DISABLED: 'true' }), [])
  }
)

t.test('a bad value does not start, and is reported with all others', async t => {
  const problems = problemsOf({
    PORT: 'abc',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317',
    OTEL_TRACES_SAMPLER: 'xray',
    OTEL_TRACES_SAMPLER_ARG: '1.5',
    FORGE_TOOLSETS: 'wikis'
  })
  t.equal(problems.length, 5)
  t.match(
    problems.join('\n'),
    /PORT must be .*FORGE_TOOLSETS may list .*OTEL_EXPORTER_OTLP_ENDPOINT must be .*OTEL_TRACES_SAMPLER must be one of .*OTEL_TRACES_SAMPLER_ARG must be/s
  )
  for (const bad of [
    'ftp://collector.example',
    'http://user:hunter2@collector.example',
    'http://collector.example?key=hunter2',
    'http://collector.example#x',
    'http://'
  ])
    for (const variable of ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']) {
      const [problem, ...more] = problemsOf({ [variable]: bad })
      t.match(problem, new RegExp(`^${variable} must be the http or https URL`), bad)
      t.notMatch(problem, 'hunter2')
      t.same(more, [])
    }
  for (const bad of ['-1', 'half', '2', '1,5'])
    t.match(problemsOf({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER_ARG: bad }), [/from 0 to 1/], bad)
})

t.test('where there are no traces, what a platform sets for other programs does not matter', async t => {
  t.same(problemsOf({ OTEL_TRACES_SAMPLER: 'xray', OTEL_TRACES_SAMPLER_ARG: 'endpoint=http://x' }), [])
  t.same(problemsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317', OTEL_SDK_DISABLED: 'true' }), [])
  for (const OTEL_SDK_DISABLED of ['True', 'FALSE', '1', 'yes', ''])
    t.same(problemsOf({ OTEL_SDK_DISABLED }), [], OTEL_SDK_DISABLED)
})

t.test('the variables are flags too', async t => {
  t.match(readCommandLine([`--otel-exporter-otlp-endpoint=${OTEL_EXPORTER_OTLP_ENDPOINT}`]), {
    flags: { OTEL_EXPORTER_OTLP_ENDPOINT },
    problems: []
  })
})
