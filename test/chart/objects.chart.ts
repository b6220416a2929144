import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { checkSettings } from '../../src/config/load.ts'
import { createServer } from '../../src/server.ts'
import { packageVersion } from '../../src/version.ts'
import { startServer } from '../support/process.ts'
import { secretOf } from '../support/sealing.ts'
import { chart, type KubernetesObject, kinds, notes, only, render, valueSets } from './helm.ts'

/* What the chart renders. `.ci/chart` runs these tests: they need Helm. */

/** What a pod would read from its mounted Secret is not here, but for the sealing key. */
const settingsOf = (objects: KubernetesObject[]): Record<string, string> => {
  const { data } = configMapOf(objects)
  const settings = Object.fromEntries(
    Object.entries<string>(data).filter(([name]) => !name.endsWith('_FILE'))
  )
  if (data.OAUTH_STATELESS_MODE === 'true') settings.OAUTH_STATELESS_SECRET = secretOf('chart')
  return settings
}
const podOf = (object: KubernetesObject) => (object.kind === 'Pod' ? object.spec : object.spec.template.spec)
const hasPod = ({ kind }: KubernetesObject) => ['Deployment', 'Job', 'Pod'].includes(kind)
/** The server's own, where a set brings others. */
const configMapOf = (objects: KubernetesObject[]) =>
  only(
    objects.filter(({ metadata }) => metadata.labels !== undefined),
    'ConfigMap'
  )
const serverOf = (objects: KubernetesObject[]) => podOf(only(objects, 'Deployment')).containers[0]
const secretsOf = (objects: KubernetesObject[]) =>
  podOf(only(objects, 'Deployment')).volumes.find(({ name }: { name: string }) => name === 'secret-files')
    ?.projected.sources
const matches = (selector: Record<string, string>, labels: Record<string, string>) =>
  Object.entries(selector).every(([name, value]) => labels[name] === value)

for (const set of valueSets)
  t.test(`with the values ${set}`, async t => {
    const objects = render({ set })
    const deployment = only(objects, 'Deployment')
    const { labels } = deployment.spec.template.metadata
    const pods = objects.filter(hasPod)

    await t.test('the service starts with the configuration', async t => {
      const settings = settingsOf(objects)
      t.equal(checkSettings(settings).HOST, '::')
      // What only a pod has: its ports, its address, the file of a mounted volume.
      const here = { HOST: '127.0.0.1', PORT: '0', METRICS_PORT: '0', FORGE_CA_CERT_PATH: '' }
      const server = await startServer(t, { ...settings, ...here })
      t.equal((await fetch(`${server.url}/readyz`)).status, 200)
      await server.stop('SIGINT')
    })

    await t.test('pods keep to the restricted Pod Security Standard', async t => {
      for (const object of pods) {
        const pod = podOf(object)
        // The Job alone speaks to the API server.
        t.equal(pod.automountServiceAccountToken, object.kind === 'Job')
        t.equal(pod.enableServiceLinks, false)
        t.equal(pod.securityContext.runAsNonRoot, true)
        t.equal(pod.securityContext.seccompProfile.type, 'RuntimeDefault')
        t.notOk(pod.hostNetwork || pod.hostPID || pod.hostIPC)
        const [{ securityContext, resources, ports = [] }] = pod.containers
        t.strictSame(securityContext, {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
          readOnlyRootFilesystem: true
        })
        t.ok(resources.limits.memory)
        t.notOk(ports.some(({ hostPort }: { hostPort?: number }) => hostPort))
        for (const volume of pod.volumes ?? []) t.notOk(volume.hostPath)
      }
    })

    await t.test('every object belongs to the release', async t => {
      for (const { kind, metadata } of objects) {
        if (metadata.labels === undefined) continue
        t.equal(metadata.labels['app.kubernetes.io/instance'], 'forge', kind)
        t.equal(metadata.namespace, 'tools', kind)
      }
    })

    await t.test('selectors find the pods, and never the test pod or the Job', async t => {
      const selectors = objects
        .map(({ kind, spec }) => {
          if (kind === 'Service') return spec.selector
          if (kind === 'NetworkPolicy') return spec.podSelector.matchLabels
          if (kind === 'Deployment' || kind === 'PodDisruptionBudget') return spec.selector.matchLabels
          return undefined
        })
        .filter(selector => selector !== undefined)
      t.ok(selectors.length >= 2)
      for (const selector of selectors) {
        t.ok(matches(selector, labels))
        for (const { kind, metadata, spec } of pods)
          if (kind !== 'Deployment')
            t.notOk(matches(selector, spec.template?.metadata.labels ?? metadata.labels))
      }
    })

    await t.test('ports that are named exist', async t => {
      const server = serverOf(objects)
      const names = server.ports.map(({ name }: { name: string }) => name)
      const services = objects.filter(({ kind }) => kind === 'Service')
      for (const { spec } of services) for (const port of spec.ports) t.ok(names.includes(port.targetPort))
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
        t.ok(names.includes(server[probe].httpGet.port), probe)
      for (const { spec } of objects.filter(({ kind }) => kind === 'ServiceMonitor'))
        t.ok(
          services.some(
            service =>
              matches(spec.selector.matchLabels, service.metadata.labels) &&
              service.spec.ports.some(({ name }: { name: string }) => name === spec.endpoints[0].port)
          )
        )
    })

    await t.test('a pod is not killed before it has drained', async t => {
      const pod = podOf(deployment)
      const { DRAIN_SECONDS } = configMapOf(objects).data
      const hook = pod.containers[0].lifecycle?.preStop.sleep.seconds ?? 0
      t.ok(pod.terminationGracePeriodSeconds >= hook + Number(DRAIN_SECONDS) + 70)
      if (deployment.spec.strategy.type !== 'Recreate')
        t.strictSame(deployment.spec.strategy.rollingUpdate, { maxUnavailable: 0, maxSurge: 1 })
    })

    await t.test('notes say where the endpoint is', async t => {
      t.match(notes({ set }), /MCP endpoint:\n.*\/mcp/)
    })
  })

t.test('each set of values that the documentation gives starts the service', async t => {
  const page = readFileSync(new URL('../../docs/kubernetes.md', import.meta.url), 'utf8')
  const blocks = [...page.matchAll(/```yaml\n(# values\.yaml\n[\s\S]*?)```/g)].map(([, text]) => parse(text!))
  t.ok(blocks.length > 1)
  for (const values of blocks) t.ok(checkSettings(settingsOf(render({ values }))))
})

t.test('the least installation', async t => {
  const objects = render({ set: 'minimal' })
  await t.test('is these objects', async t => {
    t.strictSame(kinds(objects), [
      'ConfigMap',
      'Deployment',
      'Job',
      'NetworkPolicy',
      'Pod',
      'PodDisruptionBudget',
      'Role',
      'RoleBinding',
      'Service',
      'Service',
      'ServiceAccount',
      'ServiceAccount'
    ])
  })
  await t.test('is stateless and asks for consent', async t => {
    const { data } = only(objects, 'ConfigMap')
    t.match(data, { OAUTH_STATELESS_MODE: 'true', FORGE_OAUTH_CONSENT: 'true', REMOTE_AUTHORIZATION: 'true' })
  })
  await t.test('mounts secrets as files, of which only the sealing key must be there', async t => {
    t.notOk(serverOf(objects).env.some(({ valueFrom }: { valueFrom?: unknown }) => valueFrom))
    const keys = [
      'FORGE_OAUTH_APP_SECRET',
      'HTTPS_PROXY',
      'HTTP_PROXY',
      'OAUTH_STATELESS_SECRET',
      'OAUTH_STATELESS_SECRET_PREVIOUS'
    ]
    t.strictSame(
      secretsOf(objects),
      keys.map(key => ({
        secret: {
          name: 'forge-forge-tool-server-keys',
          optional: key !== 'OAUTH_STATELESS_SECRET',
          items: [{ key, path: key }]
        }
      }))
    )
    const mounts = serverOf(objects).volumeMounts
    const { mountPath } = mounts.find(({ name }: { name: string }) => name === 'secret-files')
    const { data } = only(objects, 'ConfigMap')
    for (const key of keys) t.equal(data[`${key}_FILE`], `${mountPath}/${key}`)
  })
  await t.test('makes the Secret that it mounts, before anything else', async t => {
    const { metadata, spec } = only(objects, 'Job')
    t.equal(metadata.annotations?.['helm.sh/hook'], 'pre-install,pre-upgrade')
    t.strictSame(spec.template.spec.containers[0].env, [
      { name: 'SECRET_NAME', value: 'forge-forge-tool-server-keys' },
      { name: 'SECRET_KEY', value: 'OAUTH_STATELESS_SECRET' }
    ])
    const account = spec.template.spec.serviceAccountName
    t.match(only(objects, 'RoleBinding'), { roleRef: { name: account }, subjects: [{ name: account }] })
    t.strictSame(only(objects, 'Role').rules, [
      { apiGroups: [''], resources: ['secrets'], verbs: ['create'] }
    ])
    const later = objects.filter(({ metadata }) =>
      /pre-install/.test(metadata.annotations?.['helm.sh/hook'] ?? '')
    )
    for (const object of later)
      t.equal(object.metadata.annotations?.['helm.sh/hook-weight'], object.kind === 'Job' ? '-5' : '-10')
  })
  await t.test('makes none where one is named, or none is needed', async t => {
    t.notOk(kinds(render({ set: 'dynamic' })).includes('Job'))
    t.equal(secretsOf(render({ set: 'dynamic' }))[0].secret.name, 'forge-tool-server')
    t.notOk(kinds(render({ set: 'single' })).includes('Job'))
    t.equal(secretsOf(render({ set: 'single' })), undefined)
  })
  await t.test('spreads over zones and nodes', async t => {
    const constraints = podOf(only(objects, 'Deployment')).topologySpreadConstraints
    t.strictSame(
      constraints.map(({ topologyKey }: { topologyKey: string }) => topologyKey),
      ['topology.kubernetes.io/zone', 'kubernetes.io/hostname']
    )
    for (const { labelSelector } of constraints)
      t.equal(labelSelector.matchLabels['app.kubernetes.io/instance'], 'forge')
  })
})

t.test('names', async t => {
  const long = { fullnameOverride: `the-tools-of-${'a-very-long-company-'.repeat(4)}name` }
  const ways = [{ release: 'r'.repeat(53) }, { release: 'r'.repeat(38) }, { values: long }]
  await t.test('are short enough for Kubernetes, whatever the release is called', async t => {
    const faults = ways.flatMap(way =>
      valueSets.flatMap(set =>
        render({ set, ...way })
          .filter(({ metadata }) => metadata.labels !== undefined)
          .filter(({ metadata }) => !/^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/.test(metadata.name))
          .map(({ kind, metadata }) => `${kind} ${metadata.name}`)
      )
    )
    t.same(faults, [])
  })
  await t.test('differ where two objects are of a kind', async t => {
    for (const way of ways) {
      const names = render({ set: 'minimal', ...way }).map(({ kind, metadata }) => `${kind} ${metadata.name}`)
      t.same(names.toSorted(), [...new Set(names)].toSorted())
    }
  })
  await t.test('of pods are those that KEDA asks Prometheus for', async t => {
    for (const way of [{}, ...ways]) {
      const objects = render({ set: 'keda', ...way })
      const { query } = only(objects, 'ScaledObject').spec.triggers.at(-1).metadata
      const pod = `${only(objects, 'Deployment').metadata.name}-76bf5c5b8d-`.slice(0, 58)
      t.match(`${pod}x7k2p`, new RegExp(`^${/pod=~"([^"]+)"/.exec(query)![1]}$`))
    }
  })
})

t.test('a change of a variable rolls the pods', async t => {
  const sum = (values: Record<string, unknown>) =>
    only(render({ set: 'minimal', values }), 'Deployment').spec.template.metadata.annotations[
      'checksum/config'
    ]
  t.not(sum({}), sum({ 'config.LOG_LEVEL': 'debug' }))
  t.equal(sum({}), sum({ replicaCount: 5 }))
})

t.test('large numbers reach the service as whole numbers', async t => {
  t.equal(only(render({ set: 'single' }), 'ConfigMap').data.MAX_SESSIONS, '1000000')
})

t.test('what Helm reads as a number reaches the service as it was written', async t => {
  const written = {
    FORGE_PROJECT_ID: 12345678,
    FORGE_ALLOWED_PROJECT_IDS: 12345678,
    RUNTIME_TLS_REJECT_UNAUTHORIZED: 0
  }
  const values = Object.fromEntries(Object.entries(written).map(([name, value]) => [`config.${name}`, value]))
  t.match(only(render({ set: 'minimal', values }), 'ConfigMap').data, {
    FORGE_PROJECT_ID: '12345678',
    FORGE_ALLOWED_PROJECT_IDS: '12345678',
    RUNTIME_TLS_REJECT_UNAUTHORIZED: '0'
  })
})

t.test('the image', async t => {
  const image = (values: Record<string, unknown>) => serverOf(render({ set: 'minimal', values })).image
  t.equal(image({}), `forge-tool-server:${packageVersion()}`)
  t.equal(image({ 'image.registry': 'r.example', 'image.tag': '2' }), 'r.example/forge-tool-server:2')
  const digest = `sha256:${'a'.repeat(64)}`
  t.equal(image({ 'image.digest': digest, 'image.tag': '2' }), `forge-tool-server@${digest}`)
})

t.test('the network policy', async t => {
  await t.test('lets names be resolved, by the link-local resolvers too', async t => {
    const [dns] = only(render({ set: 'everything' }), 'NetworkPolicy').spec.egress
    t.strictSame(dns.ports, [
      { port: 53, protocol: 'UDP' },
      { port: 53, protocol: 'TCP' }
    ])
    t.strictSame(dns.to, [
      { namespaceSelector: {} },
      { ipBlock: { cidr: '169.254.169.254/32' } },
      { ipBlock: { cidr: '169.254.20.10/32' } },
      { ipBlock: { cidr: '10.0.0.10/32' } }
    ])
  })
  await t.test('lets names be resolved where resolvers listen on 5353, as at OpenShift', async t => {
    const [, behind] = only(render({ set: 'openshift' }), 'NetworkPolicy').spec.egress
    t.strictSame(behind, {
      ports: [
        { port: 5353, protocol: 'UDP' },
        { port: 5353, protocol: 'TCP' }
      ],
      to: [{ namespaceSelector: {} }]
    })
  })
  await t.test('lets no metadata address through to anything but DNS', async t => {
    const [, , forge] = only(render({ set: 'minimal' }), 'NetworkPolicy').spec.egress
    t.strictSame(forge.ports, [{ port: 443, protocol: 'TCP' }])
    const [v4, v6] = forge.to
    t.equal(v4.ipBlock.cidr, '0.0.0.0/0')
    for (const cidr of ['169.254.0.0/16', '168.63.129.16/32', '100.100.100.200/32'])
      t.ok(v4.ipBlock.except.includes(cidr), cidr)
    const single = [
      'fd00:42::42/128',
      'fd00:c1::a9fe:a9fe/128',
      'fd00:a9fe:a9fe::1/128',
      'fd00:100::100:200/128'
    ]
    for (const cidr of ['fe80::/10', 'fd00:ec2::/32', 'fd20:ce::/32', ...single])
      t.ok(v6.ipBlock.except.includes(cidr), cidr)
  })
  await t.test('opens the port of the forge, and only the networks that are named', async t => {
    const { ingress, egress } = only(render({ set: 'ingress-nginx' }), 'NetworkPolicy').spec
    t.strictSame(egress[2], {
      ports: [
        { port: 443, protocol: 'TCP' },
        { port: 8443, protocol: 'TCP' }
      ],
      to: [{ ipBlock: { cidr: '10.20.0.0/16' } }]
    })
    const [http, metrics] = ingress
    t.equal(http.from[0].namespaceSelector.matchLabels['kubernetes.io/metadata.name'], 'ingress-nginx')
    t.equal(
      http.from[1].podSelector.matchLabels['app.kubernetes.io/component'],
      'test',
      'helm test still passes'
    )
    t.equal(metrics.from.length, 1)
  })
  await t.test('lets in who scrapes where metrics have no port of their own', async t => {
    const policy = (more: object) => {
      const values = { 'metrics.port': 0, ...more }
      return only(render({ set: 'ingress-nginx', values }), 'NetworkPolicy').spec.ingress
    }
    const [scraper] = only(render({ set: 'ingress-nginx' }), 'NetworkPolicy').spec.ingress[1].from
    const [http, ...others] = policy({})
    t.strictSame(others, [])
    t.strictSame(http.from.slice(2), [scraper])
    t.equal(policy({ 'networkPolicy.ingress.metricsFrom': [] })[0].from.length, 2, 'nobody else is let in')
    t.notOk('from' in policy({ 'networkPolicy.ingress.from': [] })[0], 'everybody still is')
  })
  await t.test('opens nothing but DNS and what is added where no network is named', async t => {
    const extra = [{ to: [{ ipBlock: { cidr: '10.20.0.0/16' } }] }]
    for (const cidrs of [[], null]) {
      const values = { 'networkPolicy.egress.cidrs': cidrs, 'networkPolicy.egress.extra': extra }
      const [, , ...rest] = only(render({ set: 'minimal', values }), 'NetworkPolicy').spec.egress
      t.strictSame(rest, extra)
    }
  })
  await t.test('names a port where no value does, as none would mean all', async t => {
    const values = { 'networkPolicy.egress.ports': [], 'config.FORGE_API_URL': '' }
    const [, , forge] = only(render({ set: 'minimal', values }), 'NetworkPolicy').spec.egress
    t.strictSame(forge.ports, [{ port: 443, protocol: 'TCP' }])
  })
  await t.test('opens the ports of forges that callers may name', async t => {
    const FORGE_ALLOWED_HOSTS = 'forge.example, [fd00::2], two.example:8443, [fd00::3]:8444, *.example.com:80'
    const values = { 'config.FORGE_ALLOWED_HOSTS': FORGE_ALLOWED_HOSTS }
    const [, , forge] = only(render({ set: 'dynamic', values }), 'NetworkPolicy').spec.egress
    t.strictSame(
      forge.ports.map(({ port }: { port: number }) => port),
      [443, 8443, 8444, 80]
    )
  })
  await t.test('opens the port of the collector of traces', async t => {
    const values = { 'config.OTEL_EXPORTER_OTLP_ENDPOINT': 'http://collector.observability:4318' }
    const [, , forge] = only(render({ set: 'minimal', values }), 'NetworkPolicy').spec.egress
    t.strictSame(forge.ports, [
      { port: 443, protocol: 'TCP' },
      { port: 4318, protocol: 'TCP' }
    ])
  })
})

t.test('routes', async t => {
  await t.test('an ingress shows MCP, never metrics or probes', async t => {
    const { rules, tls } = only(render({ set: 'ingress-nginx' }), 'Ingress').spec
    t.strictSame(
      rules.map(({ host, http }: KubernetesObject) => [
        host,
        http.paths.map(({ path }: { path: string }) => path)
      ]),
      [['mcp.example.com', ['/mcp']]]
    )
    t.strictSame(tls, [{ secretName: 'mcp-tls', hosts: ['mcp.example.com'] }])
  })
  await t.test('a route of a gateway shows all that OAuth needs too, when it is on', async t => {
    const objects = render({ set: 'oauth-gateway' })
    const [rule] = only(objects, 'HTTPRoute').spec.rules
    const server = await createServer({
      ...settingsOf(objects),
      METRICS_PORT: '0',
      LOG_LEVEL: 'silent'
    })
    t.teardown(() => server.close())
    // What lies below the page that says where things are, which is for whoever reaches the service itself.
    const served = [...server.printRoutes({ commonPrefix: false }).matchAll(/^│ {3}\S+ ([\w.-]+)/gm)].map(
      ([, path]) => `/${path}`
    )
    const inside = ['/livez', '/readyz', '/metrics']
    for (const path of inside) t.ok(served.includes(path), path)
    t.strictSame(
      rule.matches.map(({ path }: { path: { value: string } }) => path.value).toSorted(),
      [...new Set(served)].filter(path => !inside.includes(path!)).toSorted()
    )
    t.equal(rule.timeouts.request, '150s')
  })
  await t.test('more paths can be named', async t => {
    const { rules } = only(render({ set: 'everything' }), 'Ingress').spec
    t.strictSame(
      rules[1].http.paths.map(({ path }: { path: string }) => path),
      ['/mcp', '/docs']
    )
  })
  await t.test('their hosts and the service’s names are accepted in Host', async t => {
    t.equal(
      configMapOf(render({ set: 'everything' })).data.MCP_ALLOWED_HOSTS,
      'a.example.com,b.example.com,forge-forge-tool-server,forge-forge-tool-server.tools,forge-forge-tool-server.tools.svc,forge-forge-tool-server.tools.svc.cluster.local'
    )
    t.notOk('MCP_ALLOWED_HOSTS' in only(render({ set: 'minimal' }), 'ConfigMap').data)
    const named = render({
      set: 'ingress-nginx',
      values: { 'config.MCP_ALLOWED_HOSTS': 'other.example.com, mcp.example.com' }
    })
    t.match(
      only(named, 'ConfigMap').data.MCP_ALLOWED_HOSTS,
      /^other\.example\.com,mcp\.example\.com,([\w-]+),\1\.tools,\1\.tools\.svc,\1\.tools\.svc\.cluster\.local$/,
      'those that are set besides, and the names by which helm test calls it'
    )
    const { data } = configMapOf(
      render({
        set: 'minimal',
        values: {
          'config.MCP_SERVER_URL': 'https://mcp.example.com',
          'ingress.enabled': true,
          'ingress.hosts': ['*.example.com']
        }
      })
    )
    t.notMatch(data.MCP_ALLOWED_HOSTS, /\*/, 'of a wildcard the service would not start')
  })
})

t.test('every pod goes to the nodes that are meant for it', async t => {
  const requiredDuringSchedulingIgnoredDuringExecution = { nodeSelectorTerms: [{ matchExpressions: [] }] }
  const values = {
    nodeSelector: { pool: 'tools' },
    tolerations: [{ key: 'dedicated', operator: 'Exists' }],
    'affinity.nodeAffinity': { requiredDuringSchedulingIgnoredDuringExecution }
  }
  const pods = render({ set: 'minimal', values }).filter(hasPod)
  t.same(kinds(pods), ['Deployment', 'Job', 'Pod'])
  for (const pod of pods) {
    const { nodeSelector, tolerations, affinity } = podOf(pod)
    t.same({ nodeSelector, tolerations, 'affinity.nodeAffinity': affinity?.nodeAffinity }, values, pod.kind)
  }
})

t.test('pods are replaced one after another, or all at once', async t => {
  const strategy = (values: Record<string, unknown>, set = 'minimal') =>
    only(render({ set, values }), 'Deployment').spec.strategy
  const rolling = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } }
  t.strictSame(strategy({}), rolling)
  t.strictSame(
    strategy({}, 'single'),
    { type: 'Recreate' },
    'of two pods neither would know the other’s sessions'
  )
  t.strictSame(strategy({ 'strategy.type': 'RollingUpdate' }, 'single'), rolling)
  t.strictSame(strategy({ 'strategy.type': 'Recreate' }), { type: 'Recreate' })
})

t.test('scaling', async t => {
  const objects = render({
    set: 'oauth-gateway',
    values: { 'autoscaling.targetMemoryUtilizationPercentage': 95 }
  })
  const hpa = only(objects, 'HorizontalPodAutoscaler').spec
  await t.test('is left to the autoscaler when there is one', async t => {
    const deployment = only(objects, 'Deployment')
    t.notOk('replicas' in deployment.spec)
    t.strictSame(hpa.scaleTargetRef, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name: deployment.metadata.name
    })
    t.equal(hpa.minReplicas, 3)
    t.equal(hpa.metrics.length, 2)
  })
  await t.test('keeps a disruption budget where more than one replica stands', async t => {
    t.match(only(objects, 'PodDisruptionBudget').spec, { minAvailable: '50%', maxUnavailable: undefined })
    t.equal(only(render({ set: 'minimal' }), 'PodDisruptionBudget').spec.maxUnavailable, 1)
    t.notOk(kinds(render({ set: 'single' })).includes('PodDisruptionBudget'))
    const scaled = { 'autoscaling.enabled': true, 'autoscaling.minReplicas': 1 }
    const budgetOf = (values: object) =>
      kinds(render({ set: 'minimal', values: { ...scaled, ...values } })).includes('PodDisruptionBudget')
    t.ok(budgetOf({}), 'there may be more')
    t.notOk(budgetOf({ 'autoscaling.maxReplicas': 1 }))
    t.notOk(
      budgetOf({ 'podDisruptionBudget.minAvailable': 1, 'podDisruptionBudget.maxUnavailable': null }),
      'the only one could never go'
    )
  })
})

t.test('metrics', async t => {
  await t.test('have a port of their own, on a service that stays inside', async t => {
    const services = render({ set: 'everything' }).filter(({ kind }) => kind === 'Service')
    t.strictSame(
      services.map(({ spec }) => [spec.type, spec.ports.map(({ name }: { name: string }) => name)]),
      [
        ['NodePort', ['http']],
        ['ClusterIP', ['metrics']]
      ]
    )
  })
  await t.test('are scraped as text', async t => {
    const { spec, metadata } = only(render({ set: 'ingress-nginx' }), 'ServiceMonitor')
    t.match(spec.endpoints[0], { port: 'metrics', path: '/metrics', params: { format: ['prometheus'] } })
    t.equal(metadata.labels.release, 'prometheus')
    t.equal(only(render({ set: 'single' }), 'ServiceMonitor').spec.endpoints[0].port, 'http')
  })
})

t.test('alerts are those of docs/alerts.yml, and the ones that are added', async t => {
  const file = parse(readFileSync(`${chart}/../docs/alerts.yml`, 'utf8')) as { groups: unknown[] }
  const groupsOf = (set: string) => only(render({ set }), 'PrometheusRule').spec.groups
  t.strictSame(groupsOf('ingress-nginx'), file.groups)
  t.strictSame(groupsOf('everything'), [
    ...file.groups,
    { name: 'forge-forge-tool-server', rules: [{ alert: 'Mine', expr: 'vector(1)' }] }
  ])
})

t.test('alerts say where the page about them is read, if that is known', async t => {
  const address = 'https://git.example/tools/-/blob/main'
  for (const runbookBaseUrl of [address, `${address}/`]) {
    const values = { 'metrics.prometheusRule': { enabled: true, runbookBaseUrl } }
    const [group] = only(render({ set: 'minimal', values }), 'PrometheusRule').spec.groups
    for (const { alert, annotations } of group.rules)
      t.equal(annotations.runbook_url, `${address}/docs/operations.md#${alert.toLowerCase()}`)
  }
})

t.test('a label that is given twice with one value stands once', async t => {
  const release = { release: 'prometheus' }
  const objects = render({
    set: 'everything',
    values: {
      commonLabels: { ...release, 'app.kubernetes.io/component': 'server' },
      podLabels: { ...release, 'app.kubernetes.io/part-of': 'forge-tool-server' },
      'metrics.serviceMonitor': { enabled: true, labels: { ...release, team: 'tools' } },
      'metrics.prometheusRule': { enabled: true, labels: release }
    }
  })
  t.match(only(objects, 'ServiceMonitor').metadata.labels, { ...release, team: 'tools' })
  t.match(only(objects, 'PrometheusRule').metadata.labels, release)
  t.match(only(objects, 'Deployment').spec.template.metadata.labels, release)
  t.equal(only(objects, 'Pod').metadata.labels['app.kubernetes.io/component'], 'test')
})

t.test('a pod has time to drain also where it drains for as long as the service does by default', async t => {
  const graceOf = (drain: unknown) => {
    const objects = render({ set: 'minimal', values: { 'config.DRAIN_SECONDS': drain } })
    return podOf(only(objects, 'Deployment')).terminationGracePeriodSeconds
  }
  t.same(['', null, 0, 5].map(graceOf), [135, 135, 130, 135])
})

t.test('each release of a namespace has a job of its own, by which alerts tell it from others', async t => {
  for (const port of [9464, 0]) {
    const jobs = ['blue', 'green'].map(release => {
      const values = { 'metrics.port': port, 'metrics.serviceMonitor.enabled': true }
      const objects = render({ release, set: 'minimal', values })
      const { jobLabel, selector, endpoints } = only(objects, 'ServiceMonitor').spec
      const { metadata } = only(
        objects.filter(
          ({ kind, metadata, spec }) =>
            kind === 'Service' &&
            matches(selector.matchLabels, metadata.labels) &&
            spec.ports.some(({ name }: { name: string }) => name === endpoints[0].port)
        ),
        'Service'
      )
      // Without that label the operator of Prometheus takes the name of the Service.
      return metadata.labels[jobLabel] ?? metadata.name
    })
    t.equal(new Set(jobs).size, 2, jobs.join())
  }
})

t.test('notes say where pods read the sealing key', async t => {
  t.match(
    notes({ set: 'minimal' }),
    /sealing key is OAUTH_STATELESS_SECRET in the Secret .*-keys\. [\s\S]*Back it up/
  )
  const path = '/vault/secrets/key'
  const extraEnv = [{ name: 'OAUTH_STATELESS_SECRET_FILE', value: path }]
  const said = notes({ set: 'minimal', values: { extraEnv } })
  t.match(said, `The sealing key is in the file ${path} of each pod`)
  t.notMatch(said, /in the Secret|Back it up/)
})

t.test('notes name the forge, as an upgrade that leaves its values out goes to another', async t => {
  t.match(
    notes({ set: 'minimal', values: { 'config.FORGE_API_URL': 'https://f.example' } }),
    /: https:\/\/f\.example\n/
  )
  t.match(notes({ values: { 'config.FORGE_API_URL': '' } }), /: https:\/\/gitlab\.com\/api\/v4\n/)
})

t.test('where callers name their forges no other gets their tokens, unless it is set', async t => {
  t.notOk('FORGE_API_URL' in configMapOf(render({ set: 'dynamic' })).data)
})

t.test('notes name the forges of callers, and that of those who name none, if there is one', async t => {
  const named = 'callers: those that callers name, at forge.example.com,forge.example.org'
  t.match(notes({ set: 'dynamic' }), `${named}\n`)
  t.match(
    notes({ set: 'dynamic', values: { 'config.FORGE_API_URL': 'https://f.example' } }),
    `${named}; where they name none, https://f.example\n`
  )
  t.match(
    notes({ set: 'dynamic', values: { 'config.FORGE_ALLOWED_HOSTS': '' } }),
    'callers: those that callers name\n'
  )
})

t.test('notes warn of what an operator should look at', async t => {
  t.match(notes({ set: 'minimal' }), /Any Host header is accepted/)
  t.notMatch(notes({ set: 'ingress-nginx' }), /Look at these/)
  t.match(notes({ set: 'single' }), /One replica/)
  t.match(notes({ set: 'minimal', values: { replicaCount: 0 } }), /- No replica: nobody is served/)
  t.match(notes({ set: 'single' }), /No NetworkPolicy/)
  const quiet = { set: 'ingress-nginx', values: { 'config.LOG_LEVEL': 'warn' } }
  t.match(notes(quiet), /Look at these:\n {2}- config\.LOG_LEVEL is warn: calls are not on record/)
  const limited = (memory: unknown) =>
    notes({
      set: 'minimal',
      values: { 'resources.limits.memory': memory, 'resources.requests.memory': '192Mi' }
    })
  t.match(limited(null), /No limit of memory: .* of the whole node/)
  t.notMatch(limited('192Mi'), /No limit of memory/)
  const withCpu = (cpu: unknown) => notes({ set: 'minimal', values: { 'resources.limits.cpu': cpu } })
  t.match(withCpu('250m'), /resources\.limits\.cpu is 250m: .* answers late/)
  t.match(withCpu(0.25), /resources\.limits\.cpu is 0\.25/)
  for (const cpu of ['500m', 1, '2', null]) t.notMatch(withCpu(cpu), /limits\.cpu/)
  t.match(notes({ set: 'everything' }), /The ingress names no certificate/)
  t.match(
    notes({ set: 'minimal', values: { 'service.type': 'LoadBalancer' } }),
    /outside, as plain HTTP: [\s\S]*service\.type LoadBalancer shows all paths outside, \/metrics among them/
  )
  t.match(
    notes({ set: 'oauth-gateway', values: { 'config.FORGE_OAUTH_CONSENT': false } }),
    /FORGE_OAUTH_CONSENT is off/
  )
  t.match(
    notes({ set: 'ingress-nginx', values: { 'config.MCP_TRUST_PROXY': '' } }),
    /Look at these:\n {2}- Limits take all callers .*MCP_TRUST_PROXY/
  )
  const at = (url: string) => notes({ set: 'ingress-nginx', values: { 'config.MCP_SERVER_URL': url } })
  t.match(
    at('https://other.example.com'),
    /No route here has the host of config\.MCP_SERVER_URL, other\.example\.com/
  )
  t.match(
    at('https://mcp.example.com/mcp'),
    /Look at these:\n {2}- config\.MCP_SERVER_URL is the base .*itself\.$/m
  )
  t.match(
    at('https://mcp.example.com/tools/'),
    /Look at these:\n {2}- No route here has \/tools\/mcp, .*away\.$/m
  )
  const nginx = { set: 'ingress-nginx', values: { 'ingress.annotations': {} } }
  t.match(notes(nginx), /Look at these:\n {2}- ingress-nginx ends calls after 60 s/)
  const read = (timeout: string) => {
    const annotations = { 'nginx.ingress.kubernetes.io/proxy-read-timeout': timeout }
    return notes({ set: 'ingress-nginx', values: { 'ingress.annotations': annotations } })
  }
  t.match(read('120'), /ingress-nginx ends calls after 120 s/)
  t.notMatch(read('130'), /ingress-nginx ends/)
  t.match(read('150s'), /ingress-nginx ends calls after 60 s/, 'which it passes over')
  const next = (name: string, when: string) => {
    const annotations = { 'nginx.ingress.kubernetes.io/proxy-read-timeout': '150', [name]: when }
    return notes({ set: 'ingress-nginx', values: { 'ingress.annotations': annotations } })
  }
  for (const name of ['nginx.ingress.kubernetes.io/proxy-next-upstream', 'nginx.org/proxy-next-upstream']) {
    t.match(next(name, 'error timeout non_idempotent'), `The annotation ${name} has non_idempotent`)
    t.notMatch(next(name, 'error timeout'), /non_idempotent/)
  }
  const snippet = (text: string) => next('nginx.ingress.kubernetes.io/configuration-snippet', text)
  t.match(
    snippet('proxy_next_upstream error timeout non_idempotent;'),
    /configuration-snippet has non_idempotent/
  )
  t.match(
    next('nginx.org/location-snippets', 'proxy_next_upstream error timeout non_idempotent;'),
    /location-snippets has non_idempotent/
  )
  t.notMatch(snippet('proxy_next_upstream error; # no non_idempotent'), /non_idempotent/)
  t.notMatch(snippet('# proxy_next_upstream non_idempotent;\nproxy_next_upstream error;'), /non_idempotent/)
  t.match(
    notes({
      set: 'ingress-nginx',
      values: {
        'ingress.annotations': {
          'nginx.ingress.kubernetes.io/configuration-snippet': 'proxy_read_timeout 150s;'
        }
      }
    }),
    /ingress-nginx ends calls after 60 s.* proxy_read_timeout of \S+-snippet does not help/
  )
  const byMemory = (share: number, request = '256Mi') =>
    notes({
      set: 'minimal',
      values: {
        'autoscaling.enabled': true,
        'autoscaling.targetMemoryUtilizationPercentage': share,
        'resources.requests.memory': request
      }
    })
  t.match(byMemory(80), /targetMemoryUtilizationPercentage is 80: .* at least 93 \(240 MiB of the 256Mi/)
  t.match(byMemory(124, '192Mi'), /targetMemoryUtilizationPercentage is 124: .* at least 125/)
  t.notMatch(byMemory(93), /targetMemoryUtilizationPercentage/)
  const by = (className: string, annotations: Record<string, string>) =>
    notes({
      set: 'ingress-nginx',
      values: { 'ingress.className': className, 'ingress.annotations': annotations }
    })
  t.notMatch(by('nginx', { 'nginx.org/proxy-read-timeout': '150s' }), /Look at these/)
  t.match(by('nginx', { 'nginx.org/proxy-read-timeout': '2m' }), /nginx\.org ends calls after 120 s/)
  for (const name of ['haproxy.org/backend-config-snippet', 'haproxy-ingress.github.io/config-backend']) {
    const retried = (lines: string) => by('haproxy', { 'haproxy.org/timeout-server': '150s', [name]: lines })
    t.match(
      retried('retries 3\nretry-on all-retryable-errors'),
      new RegExp(`Look at these:\n {2}- The annotation ${name} has retry-on: .* METH_POST\\.$`, 'm')
    )
    t.match(retried('retry-on conn-failure 503'), /has retry-on/)
    for (const lines of [
      'retry-on all-retryable-errors\nhttp-request disable-l7-retry if METH_POST',
      'retry-on conn-failure',
      '# retry-on all-retryable-errors'
    ])
      t.notMatch(retried(lines), /Look at these/, lines)
  }
  for (const className of ['', 'alb', 'gce', 'haproxy', 'traefik'])
    t.match(by(className, {}), /Look at these:\n {2}- No annotation of the ingress has a timeout/, className)
  const attributes = {
    'alb.ingress.kubernetes.io/load-balancer-attributes': 'idle_timeout.timeout_seconds=150'
  }
  t.notMatch(by('alb', attributes), /Look at these/)
  for (const [className, annotations] of [
    ['haproxy', { 'haproxy.org/timeout-server': '30s' }],
    ['haproxy', { 'haproxy.org/timeout-server': '30000' }],
    ['haproxy', { 'haproxy.org/backend-config-snippet': 'timeout server 30s' }],
    ['alb', { 'alb.ingress.kubernetes.io/load-balancer-attributes': 'idle_timeout.timeout_seconds=30' }]
  ] as const)
    t.match(by(className, annotations), /- The annotation \S+ ends calls after 30 s/)
  const contour = (timeout: string) => by('contour', { 'projectcontour.io/response-timeout': timeout })
  t.match(contour('1m50s'), /response-timeout ends calls after 110 s/)
  for (const timeout of ['2m30s', '0s', 'infinity']) t.notMatch(contour(timeout), /Look at these/, timeout)
  const kong = (timeout: string) => by('kong', { 'konghq.com/read-timeout': timeout })
  t.match(kong('60000'), /read-timeout ends calls after 60 s/)
  t.notMatch(kong('150000'), /Look at these/)
  for (const name of ['alb.ingress.kubernetes.io/healthcheck-timeout-seconds', 'haproxy.org/timeout-connect'])
    t.match(by('alb', { [name]: '200' }), /No annotation of the ingress has a timeout/, name)
  t.notMatch(by('openshift-default', { 'haproxy.router.openshift.io/timeout': '150s' }), /Look at these/)
  const timed = (timeout: string) => notes({ set: 'oauth-gateway', values: { 'httpRoute.timeout': timeout } })
  t.match(timed('1m30s'), /httpRoute\.timeout is 1m30s: .* cut off/)
  for (const timeout of ['0s', '130s', '150s']) t.notMatch(timed(timeout), /httpRoute\.timeout/)
  t.match(
    notes({
      set: 'minimal',
      values: { extraEnv: [{ name: 'NODE_TLS_REJECT_UNAUTHORIZED', value: '0' }] }
    }),
    /not verified, as extraEnv has NODE_TLS_REJECT_UNAUTHORIZED=0/
  )
  const inMemory = { 'config.OAUTH_STATELESS_MODE': false, replicaCount: 1, 'autoscaling.enabled': false }
  t.match(
    notes({ set: 'minimal', values: inMemory }),
    /No Secret is mounted, .* if forge-forge-tool-server-keys has a proxy/
  )
  const shown = notes({ set: 'ingress-nginx', values: { extraPaths: ['/metrics', '/', '/tools'] } })
  t.match(
    shown,
    /extraPaths has \/metrics, which shows \/metrics outside[\s\S]*extraPaths has \/, .* \/readyz outside/
  )
  t.notMatch(shown, 'has /tools')
  const counted = { 'config.MAX_REQUESTS_PER_MINUTE': 100 }
  t.match(
    notes({ set: 'minimal', values: counted }),
    /MAX_REQUESTS_PER_MINUTE counts nothing in stateless mode/
  )
  t.notMatch(notes({ set: 'single', values: counted }), /MAX_REQUESTS_PER_MINUTE/)
  t.notMatch(notes({ set: 'keda' }), /KEDA/)
  t.match(
    notes({ set: 'keda', values: { 'metrics.serviceMonitor.enabled': false } }),
    /KEDA asks Prometheus .* nothing here has it scrape/
  )
  const readAt = (url: string) =>
    notes({ set: 'minimal', values: { 'metrics.prometheusRule.runbookBaseUrl': url } })
  t.match(readAt('https://git.example.com/docs/operations.md'), /runbookBaseUrl ends in the name of a page/)
  t.notMatch(readAt('https://git.example.com/-/blob/main'), /runbookBaseUrl/)
  const spaced = { nodeOptions: null, 'config.FORGE_API_URL': 'https://f.example:8443 ' }
  t.match(notes({ set: 'minimal', values: spaced }), 'https://f.example:8443')
  t.match(
    JSON.stringify(only(render({ set: 'minimal', values: spaced }), 'NetworkPolicy')),
    '"port":8443',
    'blanks around a URL do not count'
  )
  const routed = { 'config.MCP_SERVER_URL': 'https://mcp.example.com/tools', extraPaths: ['/tools'] }
  t.notMatch(notes({ set: 'ingress-nginx', values: routed }), /Look at these/)
  const half = {
    'autoscaling.keda.prometheusAddress': 'http://prometheus:9090',
    'ingress.hosts[0]': 'mcp.example.com'
  }
  t.match(
    notes({ set: 'minimal', values: half }),
    /autoscaling .* no effect: .*\n.*ingress holds has no effect/
  )
})

t.test('notes name an address where no route has a host name', async t => {
  const values = { 'httpRoute.enabled': true, 'httpRoute.parentRefs[0].name': 'gateway' }
  t.match(notes({ set: 'minimal', values }), /MCP endpoint:\n {2}inside the cluster: http/)
})
