import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { MAX_CALL_SECONDS } from '../../src/base/longest-call.ts'
import { factsOf, type Variable, variables } from '../../src/config/schema.ts'
import { chart, printed } from './print/index.ts'
import {
  chartDefault,
  chartDefaults,
  configVariables,
  fileVariables,
  notInChart,
  ownedByTemplates,
  secretVariables
} from './print/variables.ts'

interface ChartValues {
  config: Record<string, unknown>
  existingSecret: { keys: Record<string, string> }
}

const values = parse(readFileSync(`${chart}/values.yaml`, 'utf8')) as ChartValues
const inChart = [
  ...Object.keys(values.config),
  ...Object.keys(values.existingSecret.keys),
  ...ownedByTemplates,
  ...fileVariables,
  ...notInChart
]

t.test('every variable of the service is in the chart; when one is missing: npm run docs', async t => {
  t.same(
    variables.filter(variable => !inChart.includes(variable)),
    []
  )
})

t.test('every variable in the chart is one of the service', async t => {
  t.same(
    inChart.filter(variable => !variables.includes(variable as Variable)),
    []
  )
})

t.test('no variable has two places', async t => {
  t.same(
    inChart.filter((variable, index) => inChart.indexOf(variable) !== index),
    []
  )
})

t.test('a variable that a template sets stands in it', async t => {
  const template = readFileSync(`${chart}/templates/configmap.yaml`, 'utf8')
  for (const variable of ownedByTemplates) t.match(template, new RegExp(`^ +${variable}: `, 'm'), variable)
})

t.test('the notes know the limit that nobody has set', async t => {
  const template = readFileSync(`${chart}/templates/NOTES.txt`, 'utf8')
  const usual = factsOf('MAX_REQUESTS_PER_MINUTE').default
  t.match(template, `.config.MAX_REQUESTS_PER_MINUTE) (list "" "0" "${usual}")`)
})

t.test('the grace period, and what is said of it, have the time that a call may take', async t => {
  const drain = factsOf('DRAIN_SECONDS').default as number
  const words = [
    ['helm/templates/_helpers.tpl', `ternary ${drain} .Values.config.DRAIN_SECONDS`],
    ['helm/templates/_helpers.tpl', `(int $drain) ${MAX_CALL_SECONDS} 5`],
    ['helm/templates/_requirements.tpl', `DRAIN_SECONDS + ${MAX_CALL_SECONDS} s for the longest call`],
    ['helm/values.yaml', `DRAIN_SECONDS + ${MAX_CALL_SECONDS} (longest call)`],
    ['docs/stateless.md', `the longest call (${MAX_CALL_SECONDS} s)`],
    ['docs/kubernetes.md', `(${MAX_CALL_SECONDS} s at most)`],
    ['docs/kubernetes.md', `(${(values.config.DRAIN_SECONDS as number) + MAX_CALL_SECONDS + 5} s)`],
    ['docs/operations.md', `\`DRAIN_SECONDS\` plus ${MAX_CALL_SECONDS} s`],
    ['docs/operations.md', `, or ${MAX_CALL_SECONDS + 5} s beside your own \`DRAIN_SECONDS\``],
    ['docs/operations.md', `whose default is ${drain}`],
    ...['--stop-timeout ', 'stop_grace_period: ', 'TimeoutStopSec='].map(
      way => ['docs/operations.md', `${way}${drain + MAX_CALL_SECONDS + 5}`] as const
    )
  ] as const
  for (const [file, says] of words)
    t.ok(readFileSync(`${chart}/../${file}`, 'utf8').includes(says), `${file}: ${says}`)
})

t.test('each secret of the chart is mounted as a file that the service reads', async t => {
  const template = (name: string) => readFileSync(`${chart}/templates/${name}.yaml`, 'utf8')
  t.match(template('configmap'), '{{ $variable }}_FILE: /run/secrets/forge-tool-server/{{ $variable }}')
  t.match(template('deployment'), 'mountPath: /run/secrets/forge-tool-server')
  t.same(
    fileVariables,
    secretVariables.map(secret => `${secret}_FILE`)
  )
})

t.test('secrets come by reference and are no values', async t => {
  t.same(Object.keys(values.existingSecret.keys), secretVariables)
  t.same(
    Object.keys(values.config).filter(variable => factsOf(variable as Variable).writeOnly),
    []
  )
})

t.test('a default is the service’s, but for the few that the chart means to change', async t => {
  for (const variable of configVariables) t.equal(values.config[variable], chartDefault(variable), variable)
  for (const [variable, value] of Object.entries(chartDefaults))
    t.not(factsOf(variable as Variable).default, value, `${variable} is different`)
})

t.test(
  'values.yaml, its schema, the README and the alerts are what the code prints: npm run docs',
  async t => {
    for (const [file, text] of printed()) t.equal(readFileSync(`${chart}/${file}`, 'utf8'), text, file)
  }
)
