import { factsOf, type Variable, variables } from '../../../src/config/schema.ts'
import { fileOf, secrets } from '../../../src/config/secret-files.ts'

/*
 * Which variables of the service are values of the chart. A variable that is added to src/config/schema.ts
 * becomes a value by `npm run docs`, unless it is listed here.
 */

/** Set by the templates, from other values. */
export const ownedByTemplates: readonly string[] = [
  'STREAMABLE_HTTP',
  'HOST',
  'PORT',
  'METRICS_PORT',
  'FORGE_CA_CERT_PATH'
]

/** Has no place in a deployment for many people: it is refused on any HOST that others can reach. */
export const notInChart: readonly string[] = [
  'FORGE_PERSONAL_ACCESS_TOKEN',
  fileOf('FORGE_PERSONAL_ACCESS_TOKEN')
]

/** Set by the templates for each key of existingSecret.keys: where that secret is mounted. */
export const fileVariables: readonly string[] = secrets.map(fileOf).filter(name => !notInChart.includes(name))

/** Where the chart's default is not the service's. */
export const chartDefaults: Partial<Record<Variable, string | number | boolean>> = {
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

/** The keys of `config`. */
export const configVariables: readonly Variable[] = variables.filter(
  variable => !elsewhere.has(variable) && factsOf(variable).writeOnly !== true
)

export const chartDefault = (variable: Variable): string | number | boolean =>
  chartDefaults[variable] ?? factsOf(variable).default ?? ''
