import { type TProperties, Type } from 'typebox'
import { factsOf, type Variable } from '../../../src/config/schema.ts'
import { samplerNames } from '../../../src/tracing/settings.ts'
import { network } from './patterns.ts'
import { configVariables, placesElsewhere, secretVariables } from './variables.ts'

/* The shape of values.yaml. Objects of ours know every key; what is handed to Kubernetes as it is stays open. */

/**
 * Nothing has to be given, as all has its default; but Helm takes a section away that is left empty, and with it what
 * templates read.
 */
const optional = <T extends TProperties>(properties: T) => ({
  ...Type.Partial(Type.Object(properties), { additionalProperties: false }),
  required: Object.keys(properties).filter(name => 'properties' in properties[name]!)
})
const text = () => Type.String()
const flag = () => Type.Boolean()
const count = (minimum: number, maximum = 2_147_483_647) => Type.Integer({ minimum, maximum })
const words = (pattern?: string) => Type.Array(Type.String({ minLength: 1, ...(pattern && { pattern }) }))
const oneOf = (...values: string[]) => Type.Unsafe<string>({ type: 'string', enum: values })
const labels = () => Type.Unsafe({ type: 'object', additionalProperties: { type: 'string' } })
const kubernetes = () => Type.Unsafe({ type: 'object' })
const kubernetesList = () => Type.Unsafe({ type: 'array', items: { type: 'object' } })
const orNull = (schema: Record<string, unknown>, ...types: string[]) =>
  Type.Unsafe({ ...schema, type: [...types, 'null'] })
/** As Kubernetes takes it. */
const podsOrPercent = () =>
  orNull({ minimum: 0, pattern: '^([0-9]+|([0-9]{1,2}|100)%)$' }, 'integer', 'string')
const duration = () => Type.String({ pattern: '^[0-9]+(ms|s|m|h)([0-9]+(ms|s|m|h))*$' })
const port = (minimum: number) => count(minimum, 65_535)

/** May be an id, which YAML and --set read as a number. That of an OAuth application may be 12e4, which is another one then. */
const projects: ReadonlySet<Variable> = new Set(['FORGE_PROJECT_ID', 'FORGE_ALLOWED_PROJECT_IDS'])
/** Words that are read as numbers, too. */
const numbersOf = (words: readonly string[]) => words.filter(word => /^\d+$/.test(word)).map(Number)

function variable(name: (typeof configVariables)[number]) {
  const { type, enum: values, minimum, maximum, description } = factsOf(name)
  if (type === 'boolean') return Type.Boolean({ description })
  if (type === 'integer')
    return Type.Unsafe({
      description,
      anyOf: [
        { type: 'integer', minimum, maximum },
        { type: 'string', const: '' }
      ]
    })
  const words = name === 'OTEL_TRACES_SAMPLER' ? samplerNames : values
  if (words !== undefined) return Type.Unsafe({ description, enum: ['', ...words, ...numbersOf(words)] })
  return projects.has(name)
    ? Type.Unsafe({ description, type: ['string', 'integer'], minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
    : Type.String({ description })
}

const config = optional({
  ...Object.fromEntries(configVariables.map(name => [name, variable(name)])),
  // A template refuses these, with a sentence of its own.
  ...Object.fromEntries(Object.keys(placesElsewhere).map(name => [name, Type.Unknown()]))
})
const secretKeys = optional(
  Object.fromEntries(secretVariables.map(name => [name, Type.String({ minLength: 1 })]))
)

/** values.schema.json */
export const valuesSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Values of the chart forge-tool-server',
  ...optional({
    // What Helm itself puts there when the chart is a dependency of another.
    global: kubernetes(),
    nameOverride: text(),
    fullnameOverride: text(),
    namespaceOverride: text(),
    commonLabels: labels(),
    commonAnnotations: labels(),
    image: optional({
      registry: Type.String({ pattern: '^([^/:@]+(:[0-9]+)?(/[^/:@]+)*)?$' }),
      // A tag or digest in it would stand before the one that is added.
      repository: Type.String({ pattern: '^([^/:@]+(:[0-9]+)?/)?([^/:@]+/)*[^/:@]+$' }),
      tag: text(),
      digest: Type.String({ pattern: '^(sha256:[0-9a-f]{64})?$' }),
      pullPolicy: oneOf('Always', 'IfNotPresent', 'Never')
    }),
    imagePullSecrets: kubernetesList(),
    replicaCount: count(0),
    existingSecret: optional({ name: text(), keys: secretKeys }),
    makeSecret: optional({ enabled: flag(), resources: kubernetes() }),
    config,
    caBundle: optional({ configMap: text(), key: Type.String({ minLength: 1 }) }),
    containerPort: port(1024),
    nodeOptions: text(),
    serviceAccount: optional({ create: flag(), name: text(), annotations: labels() }),
    podSecurityContext: kubernetes(),
    securityContext: kubernetes(),
    resources: kubernetes(),
    tmpSizeLimit: Type.String({ pattern: '^[1-9][0-9]*[MG]i$' }),
    service: optional({
      type: oneOf('ClusterIP', 'NodePort', 'LoadBalancer'),
      port: port(1),
      nodePort: orNull({ minimum: 1, maximum: 65_535 }, 'integer'),
      annotations: labels(),
      trafficDistribution: text(),
      externalTrafficPolicy: oneOf('', 'Cluster', 'Local')
    }),
    ingress: optional({
      enabled: flag(),
      className: text(),
      annotations: labels(),
      hosts: words('^[a-z0-9.*-]+$'),
      tlsSecretName: text()
    }),
    httpRoute: optional({
      enabled: flag(),
      annotations: labels(),
      parentRefs: kubernetesList(),
      hostnames: words('^[a-z0-9.*-]+$'),
      timeout: Type.String({ pattern: '^([0-9]+(ms|s|m|h))*$' })
    }),
    extraPaths: words('^/'),
    autoscaling: optional({
      enabled: flag(),
      minReplicas: count(1),
      maxReplicas: count(1),
      targetCPUUtilizationPercentage: orNull({ minimum: 1 }, 'integer'),
      targetMemoryUtilizationPercentage: orNull({ minimum: 1 }, 'integer'),
      targetCallsInFlight: orNull({ minimum: 1 }, 'integer'),
      keda: optional({ prometheusAddress: Type.String({ pattern: '^(https?://.+)?$' }) }),
      metrics: kubernetesList(),
      behavior: kubernetes()
    }),
    podDisruptionBudget: optional({
      enabled: flag(),
      minAvailable: podsOrPercent(),
      maxUnavailable: podsOrPercent()
    }),
    strategy: kubernetes(),
    minReadySeconds: count(0),
    revisionHistoryLimit: count(0),
    preStopSleepSeconds: count(0, 600),
    terminationGracePeriodSeconds: orNull({ minimum: 1 }, 'integer'),
    startupProbe: kubernetes(),
    livenessProbe: kubernetes(),
    readinessProbe: kubernetes(),
    topologySpreadConstraints: kubernetesList(),
    affinity: kubernetes(),
    nodeSelector: labels(),
    tolerations: kubernetesList(),
    priorityClassName: text(),
    runtimeClassName: text(),
    dnsConfig: kubernetes(),
    hostAliases: kubernetesList(),
    podLabels: labels(),
    podAnnotations: labels(),
    networkPolicy: optional({
      enabled: flag(),
      ingress: optional({ from: kubernetesList(), metricsFrom: kubernetesList() }),
      egress: optional({
        ports: Type.Array(port(1)),
        cidrs: words(network),
        dns: kubernetesList(),
        extra: kubernetesList()
      })
    }),
    metrics: optional({
      port: port(0),
      serviceMonitor: optional({
        enabled: flag(),
        labels: labels(),
        interval: duration(),
        scrapeTimeout: duration(),
        relabelings: kubernetesList(),
        metricRelabelings: kubernetesList()
      }),
      prometheusRule: optional({
        enabled: flag(),
        labels: labels(),
        runbookBaseUrl: Type.String({ pattern: '^(https?://[^\\s#]+)?$' }),
        extraRules: kubernetesList()
      })
    }),
    extraEnv: kubernetesList(),
    extraEnvFrom: kubernetesList(),
    extraVolumes: kubernetesList(),
    extraVolumeMounts: kubernetesList(),
    extraContainers: kubernetesList(),
    initContainers: kubernetesList(),
    extraObjects: kubernetesList(),
    tests: optional({ enabled: flag(), resources: kubernetes() })
  })
}
