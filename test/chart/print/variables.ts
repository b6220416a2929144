import { factsOf, type Variable, variables } from '../../../src/config/schema.ts'
import { fileOf, secrets } from '../../../src/config/secret-files.ts'

/*
 * Which variables of the service are values of the chart. A variable that is added to src/config/schema.ts
 * becomes a value by `npm run docs`, unless it is listed here.
 */

/** Set by the templates: what is told to who looks for them among the variables. */
const fromOtherValues: Readonly<Record<string, string>> = {
  STREAMABLE_HTTP: 'is always true in the chart.',
  HOST: 'is always :: in the chart, for every address of a pod.',
  PORT: 'is the value containerPort.',
  METRICS_PORT: 'is the value metrics.port.',
  FORGE_CA_CERT_PATH: 'comes of the value caBundle.configMap.'
}
export const ownedByTemplates: readonly string[] = Object.keys(fromOtherValues)

/** Has no place in a deployment for many people: it is refused on any HOST that others can reach. */
export const notInChart: readonly string[] = [
  'FORGE_PERSONAL_ACCESS_TOKEN',
  fileOf('FORGE_PERSONAL_ACCESS_TOKEN')
]

/** Set by the templates for each key of existingSecret.keys: where that secret is mounted. */
export const fileVariables: readonly string[] = secrets.map(fileOf).filter(name => !notInChart.includes(name))

/** Where the chart's default is not the service's. */
export const chartDefaults: Partial<Record<Variable, string | number | boolean>> = {
  // Left to the service, which takes none where callers may name theirs: set, it would get tokens meant for others.
  FORGE_API_URL: '',
  OAUTH_STATELESS_MODE: true,
  FORGE_OAUTH_CONSENT: true,
  FORGE_OAUTH_CALLBACK_PROXY: true,
  FORGE_AUDIT_USERS: true,
  DRAIN_SECONDS: 15
}

const elsewhere = new Set<string>([...ownedByTemplates, ...fileVariables, ...notInChart])

/** Secrets, which come by reference: the keys of existingSecret.keys. */
export const secretVariables: readonly Variable[] = variables.filter(
  variable => !elsewhere.has(variable) && factsOf(variable).writeOnly === true
)

/** Where a variable belongs that is looked for in `config` or `extraEnv` and is not there, as the end of a sentence. */
export const placesElsewhere: Readonly<Record<string, string>> = {
  ...fromOtherValues,
  NODE_OPTIONS: 'is the value nodeOptions.',
  ...Object.fromEntries(
    secretVariables.map(name => [
      name,
      'is a secret, and values are none: put it into a Secret under that name, and name that in existingSecret.name.'
    ])
  ),
  ...Object.fromEntries(
    notInChart.map(name => [
      name,
      'has no place in a deployment for many people: callers bring their tokens.'
    ])
  )
}

/** The keys of `config`. */
export const configVariables: readonly Variable[] = variables.filter(
  variable => !elsewhere.has(variable) && factsOf(variable).writeOnly !== true
)

export const chartDefault = (variable: Variable): string | number | boolean =>
  chartDefaults[variable] ?? factsOf(variable).default ?? ''
