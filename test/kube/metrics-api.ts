import type { Test } from 'tap'
import { selfSigned } from '../support/certificates.ts'
import { listenTls } from '../support/listen.ts'
import type { Api } from './api.ts'

/*
 * The two APIs that an autoscaler asks, with made-up numbers: of CPU (metrics-server) and of a pod's own metrics
 * (prometheus-adapter). The API server hands them on from an address of loopback.
 */

export class PodMetrics {
  /** Cores that all pods use together; each has the same share of it. */
  cores = 0
  /** What all pods together say of their own metrics, by name. */
  readonly custom = new Map<string, number>()
  readonly #api: Api

  private constructor(api: Api) {
    this.#api = api
  }

  static async start(t: Test, api: Api): Promise<PodMetrics> {
    const metrics = new PodMetrics(api)
    const { key, cert } = selfSigned(t)
    const origin = await listenTls(t, { key, cert }, (request, response) => {
      metrics
        .#answer(new URL(request.url!, 'https://metrics'))
        .then(body => {
          response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
          response.end(JSON.stringify(body ?? {}))
        })
        .catch(() => response.destroy())
    })
    await api.create({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'metrics', namespace: 'kube-system' },
      spec: { type: 'ExternalName', externalName: 'localhost' }
    })
    for (const group of ['metrics.k8s.io', 'custom.metrics.k8s.io']) {
      await api.create({
        apiVersion: 'apiregistration.k8s.io/v1',
        kind: 'APIService',
        metadata: { name: `v1beta1.${group}` },
        spec: {
          group,
          version: 'v1beta1',
          service: { name: 'metrics', namespace: 'kube-system', port: Number(new URL(origin).port) },
          insecureSkipTLSVerify: true,
          groupPriorityMinimum: 100,
          versionPriority: 100
        }
      })
      while ((await api.send(`/apis/${group}/v1beta1`)).status !== 200)
        await new Promise(resolve => setTimeout(resolve, 100))
    }
    return metrics
  }

  async #answer({ pathname, searchParams }: URL): Promise<unknown> {
    const [, , group, version, , namespace, , , name] = pathname.split('/')
    if (group === undefined || version === undefined) return undefined
    const groupVersion = `${group}/${version}`
    if (namespace === undefined) return this.#discovery(groupVersion)
    const selector = searchParams.get('labelSelector') ?? ''
    const { items } = await this.#api.must(
      `/api/v1/namespaces/${namespace}/pods?labelSelector=${encodeURIComponent(selector)}`
    )
    const pods = (items as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name)
    const timestamp = new Date().toISOString()
    if (group === 'metrics.k8s.io')
      return {
        kind: 'PodMetricsList',
        apiVersion: groupVersion,
        metadata: {},
        items: pods.map(pod => ({
          metadata: { name: pod, namespace },
          timestamp,
          window: '1s',
          containers: [
            {
              name: 'server',
              usage: { cpu: `${Math.round((this.cores * 1000) / pods.length)}m`, memory: '100Mi' }
            }
          ]
        }))
      }
    return {
      kind: 'MetricValueList',
      apiVersion: groupVersion,
      metadata: {},
      items: pods.map(pod => ({
        describedObject: { kind: 'Pod', namespace, name: pod, apiVersion: '/v1' },
        metricName: name,
        timestamp,
        value: `${Math.round(((this.custom.get(name!) ?? 0) * 1000) / pods.length)}m`
      }))
    }
  }

  #discovery(groupVersion: string) {
    const resource = (name: string, kind: string) => ({
      name,
      singularName: '',
      namespaced: true,
      kind,
      verbs: ['get']
    })
    const resources = groupVersion.startsWith('custom')
      ? [...this.custom.keys()].map(name => resource(`pods/${name}`, 'MetricValueList'))
      : [resource('pods', 'PodMetrics')]
    return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources }
  }
}
