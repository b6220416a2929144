import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Api, Stored } from './api.ts'

/*
 * What a kubelet tells of the pods of its node, on which all are: a pod of a Deployment is ready as soon as it is seen, and
 * has the log it is given; the program of a Job's pod is run as this source, with the arguments, variables and account
 * that the pod would have.
 */

const cli = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))
const PAUSE_MS = 100
const NODE = 'here'

const tell = (error: unknown) => console.error('kubelet:', error)

interface Ran {
  readonly namespace: string
  readonly code: number
  readonly output: string
}

export class Kubelet {
  readonly #ran: Ran[] = []
  /** Whether pods of Deployments become ready. */
  isWilling = true
  /** What the containers of pods of Deployments have written. */
  log = ''
  readonly #api: Api
  readonly #ca: string
  readonly #begun = new Set<string>()
  #on = true
  readonly #loop: Promise<void>
  readonly #server: Server

  private constructor(api: Api, ca: string, server: Server) {
    this.#api = api
    this.#ca = ca
    this.#server = server.on('request', ({ url }, response) =>
      response.writeHead(url?.startsWith('/containerLogs/') ? 200 : 404).end(this.log)
    )
    this.#loop = this.#turn()
  }

  /** @param certificate of the API server, which is taken for the node's too */
  static async start(api: Api, certificate: { key: Buffer; cert: Buffer }): Promise<Kubelet> {
    const server = createServer(certificate).listen(0, '127.0.0.1')
    await once(server, 'listening')
    await api.create({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: NODE },
      status: {
        addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
        daemonEndpoints: { kubeletEndpoint: { Port: (server.address() as AddressInfo).port } }
      }
    })
    return new Kubelet(api, certificate.cert.toString(), server)
  }

  /** How the programs of Jobs ended in a namespace. */
  ran(where: string): Ran[] {
    return this.#ran.filter(({ namespace }) => namespace === where)
  }

  async stop(): Promise<void> {
    this.#on = false
    await this.#loop
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #turn(): Promise<void> {
    while (this.#on) {
      // An API server may be too busy for a request: the next turn makes up for it.
      await this.#lookAtAll().catch(tell)
      await sleep(PAUSE_MS)
    }
  }

  async #lookAtAll(): Promise<void> {
    const { items } = await this.#api.must('/api/v1/pods')
    await Promise.all(
      (items as Stored[]).map(pod =>
        this.#look(pod).catch(error => {
          this.#begun.delete(pod.metadata.uid)
          tell(error)
        })
      )
    )
  }

  async #look(pod: Stored): Promise<void> {
    if (pod.metadata.deletionTimestamp !== undefined) return this.#end(pod)
    if (pod.spec.nodeName === undefined) return this.#bind(pod)
    if (pod.status.phase !== 'Pending') return
    const owner = pod.metadata.ownerReferences?.[0]?.kind
    if (owner === 'Job') await this.#run(pod)
    else if (this.isWilling)
      await this.#tell(pod, 'Running', [
        { type: 'Ready', status: 'True', lastTransitionTime: new Date().toISOString() }
      ])
  }

  async #bind({ metadata: { name, namespace } }: Stored): Promise<void> {
    // It may have gone meanwhile.
    await this.#api.send(`/api/v1/namespaces/${namespace}/pods/${name}/binding`, {
      method: 'POST',
      body: {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name },
        target: { apiVersion: 'v1', kind: 'Node', name: NODE }
      }
    })
  }

  async #end({ metadata: { name, namespace } }: Stored): Promise<void> {
    await this.#api.send(`/api/v1/namespaces/${namespace}/pods/${name}?gracePeriodSeconds=0`, {
      method: 'DELETE'
    })
  }

  async #run(pod: Stored): Promise<void> {
    if (this.#begun.has(pod.metadata.uid)) return
    this.#begun.add(pod.metadata.uid)
    const folder = await mkdtemp(join(tmpdir(), 'account-'))
    const [{ args, env }] = pod.spec.containers
    const { namespace } = pod.metadata
    const { status } = await this.#api.must(
      `/api/v1/namespaces/${namespace}/serviceaccounts/${pod.spec.serviceAccountName}/token`,
      { method: 'POST', body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} } }
    )
    await writeFile(join(folder, 'token'), status.token)
    await writeFile(join(folder, 'ca.crt'), this.#ca)
    await writeFile(join(folder, 'namespace'), namespace!)
    const { hostname, port } = new URL(this.#api.url)
    const { code, output } = await run(args, {
      ...Object.fromEntries(env.map(({ name, value }: { name: string; value: string }) => [name, value])),
      SERVICE_ACCOUNT_FOLDER: folder,
      KUBERNETES_SERVICE_HOST: hostname,
      KUBERNETES_SERVICE_PORT: port
    })
    await rm(folder, { recursive: true })
    this.#ran.push({ namespace: namespace!, code, output })
    await this.#tell(pod, code === 0 ? 'Succeeded' : 'Failed', [])
  }

  async #tell({ metadata }: Stored, phase: string, conditions: object[]): Promise<void> {
    // It may have gone meanwhile.
    await this.#api.send(`/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}/status`, {
      method: 'PATCH',
      type: 'application/merge-patch+json',
      body: { status: { phase, conditions, startTime: new Date().toISOString() } }
    })
  }
}

const run = (args: string[], env: Record<string, string>): Promise<{ code: number; output: string }> =>
  new Promise(resolve => {
    execFile(
      process.execPath,
      [cli, ...args],
      { env: { PATH: process.env.PATH, ...env }, timeout: 30_000 },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr })
    )
  })
