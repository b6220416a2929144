import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { decodeSecret } from '../../src/seal/keyring.ts'
import { chart, type KubernetesObject, render, type Values, valueSets } from '../chart/helm.ts'
import type { Answer, Stored } from './api.ts'
import { startCluster } from './cluster.ts'
import { PodMetrics } from './metrics-api.ts'

/* The chart against a real API server and its controllers. `.ci/kube` runs these tests: they need its programs. */

/** How long Kubernetes may take for anything on a busy machine; the whole test has its own limit. */
const WAIT_MS = 120_000
const HELM_WAIT = ['--wait', `--timeout=${WAIT_MS / 1000}s`]

const RELEASE = [
  'forge',
  chart,
  ...HELM_WAIT,
  '--set=minReadySeconds=1',
  '--set=image.repository=registry.example.com/mcp'
]
const IN_FLIGHT = 'forge_mcp_calls_in_flight'
const SECRET = 'forge-forge-tool-server-keys'

/** Waits until something is so; the controllers take their time. */
async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + WAIT_MS
  while (performance.now() < end) {
    if (await holds()) return
    await sleep(100)
  }
  throw new Error(`not within ${WAIT_MS / 1000} s: ${what}`)
}

const isReady = ({ status }: Stored): boolean =>
  status?.conditions?.some(({ type, status }: Stored) => type === 'Ready' && status === 'True') ?? false

t.test('the chart in a cluster', { timeout: 600_000 }, async t => {
  const cluster = await startCluster(t)
  const { api, helm, kubelet } = cluster

  const pods = async (namespace: string) =>
    (await api.list('v1', 'Pod', namespace)).filter(({ metadata }) => !metadata.deletionTimestamp)
  const deployment = async (namespace: string): Promise<Stored> =>
    (await api.list('apps/v1', 'Deployment', namespace))[0]!
  const secret = (namespace: string) => api.must(`/api/v1/namespaces/${namespace}/secrets/${SECRET}`)

  await t.test('every set of values is taken as it is', async t => {
    await cluster.namespace('tools')
    // Pods need accounts that are there: the next test.
    for (const set of valueSets)
      for (const object of render({ set }).filter(({ kind }) => kind !== 'Pod')) {
        const { status, body } = await api.apply(object, true)
        t.ok(status < 300, `${set}: ${object.kind} ${object.metadata.name}: ${body.message ?? status}`)
      }
    const typo = render({ set: 'minimal' }).find(({ kind }) => kind === 'Deployment')!
    const { status, body } = await api.apply({ ...typo, spec: { ...typo.spec, replcas: 2 } }, true)
    t.ok(status >= 400, 'and a field that is none is not')
    t.match(body.message, /replcas/)
  })

  await t.test('pods are admitted under the restricted Pod Security Standard', async t => {
    await cluster.namespace('admission')
    await api.create({
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'high' },
      value: 1000
    })
    await api.create({
      apiVersion: 'node.k8s.io/v1',
      kind: 'RuntimeClass',
      metadata: { name: 'gvisor' },
      handler: 'runsc'
    })
    const admit = async (values: Values): Promise<Answer[]> => {
      const objects = render({ ...values, values: { ...values.values, namespaceOverride: 'admission' } })
      for (const account of objects.filter(({ kind }) => kind === 'ServiceAccount')) await api.apply(account)
      return Promise.all(
        objects
          .map(podOf)
          .filter(pod => pod !== undefined)
          .map(pod =>
            api.send('/api/v1/namespaces/admission/pods?dryRun=All&fieldValidation=Strict', {
              method: 'POST',
              body: pod
            })
          )
      )
    }
    for (const set of valueSets)
      for (const { status, body } of await admit({ set }))
        t.equal(status, 201, `${set}: ${body.message ?? 'admitted'}`)
    const open = await admit({ set: 'single', values: { 'securityContext.allowPrivilegeEscalation': true } })
    t.match(open, [{ status: 403, body: { message: /violates PodSecurity "restricted/ } }], 'others are not')
  })

  await t.test('installs with nothing but an image', async t => {
    await cluster.namespace('life')
    await helm('install', ...RELEASE, '--namespace=life')
    t.match(kubelet.ran('life'), [{ code: 0, output: `Made the Secret ${SECRET} in life.\n` }])
    const { data, metadata } = await secret('life')
    const key = Buffer.from(data.OAUTH_STATELESS_SECRET, 'base64').toString()
    t.equal(decodeSecret(key)?.length, 48)
    t.notOk(metadata.labels['app.kubernetes.io/instance'])
    t.match((await deployment('life')).status, { replicas: 2, readyReplicas: 2 })
    for (const [version, kind] of [
      ['batch/v1', 'Job'],
      ['rbac.authorization.k8s.io/v1', 'Role'],
      ['rbac.authorization.k8s.io/v1', 'RoleBinding']
    ] as const)
      t.same(await api.list(version, kind, 'life'), [], `no ${kind} is left`)
  })

  await t.test('upgrades and rolls back with the same sealing key', async t => {
    const before = await secret('life')
    await helm('upgrade', ...RELEASE, '--namespace=life', '--set=replicaCount=3')
    t.match(kubelet.ran('life').at(-1), {
      code: 0,
      output: `The Secret ${SECRET} in life stays as it is.\n`
    })
    t.equal((await deployment('life')).status.readyReplicas, 3)
    t.same(await secret('life'), before)
    await helm('rollback', 'forge', '1', '--namespace=life', ...HELM_WAIT)
    t.equal((await deployment('life')).status.replicas, 2)
    t.same(await secret('life'), before)
  })

  await t.test('an upgrade whose pods do not come up leaves those that serve', async t => {
    const serving = async () => (await pods('life')).filter(isReady).map(({ metadata }) => metadata.name)
    const before = await serving()
    kubelet.isWilling = false
    await t.rejects(
      helm('upgrade', ...RELEASE, '--namespace=life', '--set=image.tag=broken', '--timeout=8s'),
      /helm upgrade/
    )
    t.same(await serving(), before)
    kubelet.isWilling = true
    await helm('rollback', 'forge', '--namespace=life', ...HELM_WAIT)
  })

  await t.test('a disruption budget lets one pod go at a time', async t => {
    const evict = async (): Promise<number> => {
      const [pod] = (await pods('life')).filter(isReady)
      const { name, namespace } = pod!.metadata
      const { status } = await api.send(`/api/v1/namespaces/${namespace}/pods/${name}/eviction`, {
        method: 'POST',
        body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } }
      })
      return status
    }
    const allowed = async () =>
      (await api.list('policy/v1', 'PodDisruptionBudget', 'life'))[0]!.status.disruptionsAllowed
    await until('a pod may go', async () => (await allowed()) === 1)
    kubelet.isWilling = false
    t.equal(await evict(), 201)
    await until('none may go', async () => (await allowed()) === 0)
    t.equal(await evict(), 429, 'while it is not replaced')
    kubelet.isWilling = true
    await until('the next may go', async () => (await allowed()) === 1)
    t.equal(await evict(), 201)
  })

  await t.test(
    'is gone when it is uninstalled, but for the sealing key, which the next installation takes',
    async t => {
      const before = await secret('life')
      await helm('uninstall', 'forge', '--namespace=life', ...HELM_WAIT)
      await until('no pod is left', async () => (await pods('life')).length === 0)
      for (const [version, kind] of [
        ['v1', 'Service'],
        ['v1', 'ServiceAccount'],
        ['policy/v1', 'PodDisruptionBudget'],
        ['networking.k8s.io/v1', 'NetworkPolicy']
      ] as const)
        t.same(
          (await api.list(version, kind, 'life')).filter(({ metadata }) => metadata.name.startsWith('forge')),
          [],
          kind
        )
      await helm('install', ...RELEASE, '--namespace=life')
      t.same(await secret('life'), before)
    }
  )

  await t.test(
    'switching the autoscaler on takes no pod away, and what it has set stays its own',
    async t => {
      await cluster.namespace('switched')
      const args = [...RELEASE, '--namespace=switched']
      const manifest = async () =>
        (await helm('get', 'manifest', 'forge', '--namespace=switched')).match(/replicas: \d+/)?.[0]
      await helm('install', ...args, '--set=replicaCount=3')
      await helm('upgrade', ...args, '--set=autoscaling.enabled=true')
      t.equal(await manifest(), 'replicas: 3')
      // As the autoscaler does.
      await cluster.sh('kubectl -n switched scale deploy/forge-forge-tool-server --replicas=4')
      await helm('upgrade', ...args, '--set=autoscaling.enabled=true', '--set=podAnnotations.a=b')
      t.equal(await manifest(), undefined)
      t.equal((await deployment('switched')).spec.replicas, 4)
    }
  )

  await t.test('an autoscaler follows the load', async t => {
    await cluster.namespace('load')
    const metrics = await PodMetrics.start(t, api)
    metrics.custom.set(IN_FLIGHT, 0)
    const values = {
      minReadySeconds: 0,
      resources: { requests: { cpu: '100m', memory: '192Mi' } },
      autoscaling: {
        enabled: true,
        maxReplicas: 6,
        targetCPUUtilizationPercentage: 50,
        targetCallsInFlight: 100,
        behavior: { scaleDown: { stabilizationWindowSeconds: 0 } }
      }
    }
    const set = Object.entries(values).map(([name, value]) => `--set-json=${name}=${JSON.stringify(value)}`)
    await helm('install', ...RELEASE, '--namespace=load', ...set)
    const replicas = (count: number) =>
      until(`${count} replicas`, async () => {
        const { spec, status } = await deployment('load')
        return spec.replicas === count && status.readyReplicas === count
      })
    await t.test('never fewer than its least', () => replicas(2))
    await t.test('by calls in flight', async () => {
      metrics.custom.set(IN_FLIGHT, 390)
      await replicas(4)
    })
    await t.test('by CPU, when that wants more', async () => {
      metrics.cores = 0.25
      await replicas(5)
    })
    await t.test('down again, as far as the last of them lets it', async () => {
      metrics.cores = 0
      await replicas(4)
      metrics.custom.set(IN_FLIGHT, 0)
      await replicas(2)
    })
  })

  await t.test('rendered without the cluster and applied, it comes to the same', async t => {
    await cluster.namespace('gitops')
    const objects = render({ set: 'minimal', values: { namespaceOverride: 'gitops' } }).filter(
      ({ metadata }) => metadata.annotations?.['helm.sh/hook'] !== 'test'
    )
    const sync = async () => {
      // What runs before a sync is made anew for each.
      await api.send('/apis/batch/v1/namespaces/gitops/jobs?propagationPolicy=Background', {
        method: 'DELETE'
      })
      await until('no Job is left', async () => (await api.list('batch/v1', 'Job', 'gitops')).length === 0)
      // The other way round than Helm would: pods wait for the Secret.
      for (const object of objects.toReversed()) t.ok((await api.apply(object)).status < 300, object.kind)
      await until('the Job has run', async () =>
        (await api.list('batch/v1', 'Job', 'gitops')).some(({ status }) => status.succeeded === 1)
      )
    }
    await sync()
    const before = await secret('gitops')
    await sync()
    t.same(await secret('gitops'), before)
    t.match(kubelet.ran('gitops'), [{ output: /^Made the Secret/ }, { output: /stays as it is/ }])
  })

  await t.test('the account that makes the Secret may do nothing else', async t => {
    const may = async (verb: string, resource: string, namespace = 'gitops', group = '') => {
      const { status } = await api.must('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        method: 'POST',
        body: {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SubjectAccessReview',
          spec: {
            user: 'system:serviceaccount:gitops:forge-forge-tool-server-make-secret',
            resourceAttributes: { namespace, verb, resource, group }
          }
        }
      })
      return status.allowed as boolean
    }
    t.ok(await may('create', 'secrets'))
    for (const verb of ['get', 'list', 'watch', 'update', 'patch', 'delete'])
      t.notOk(await may(verb, 'secrets'), verb)
    t.notOk(await may('create', 'secrets', 'life'), 'not in another namespace')
    t.notOk(await may('create', 'pods'))
    t.notOk(await may('create', 'roles', 'gitops', 'rbac.authorization.k8s.io'))
  })
})

/** The pod that an object stands for, in the namespace of the release. */
function podOf({ kind, metadata, spec }: KubernetesObject): Stored | undefined {
  const template =
    kind === 'Pod' ? { metadata, spec } : ['Deployment', 'Job'].includes(kind) ? spec.template : undefined
  if (template === undefined) return undefined
  return { apiVersion: 'v1', kind: 'Pod', ...template, metadata: { ...template.metadata, name: 'tried' } }
}
