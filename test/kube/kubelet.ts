import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Api, Stored } from './api.ts'

/*
 * What a kubelet tells of pods, for those without a node: a pod of a Deployment is ready as soon as it is seen; the
 * program of a Job's pod is run as this source, with the arguments, variables and account that the pod would have.
 */

const cli = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))
const PAUSE_MS = 100

export interface Ran {
  readonly namespace: string
  readonly code: number
  readonly output: string
}

export class Kubelet {
  readonly #ran: Ran[] = []
  /** Whether pods of Deployments become ready. */
  isWilling = true
  readonly #api: Api
  readonly #ca: string
  readonly #begun = new Set<string>()
  #on = true
  readonly #loop: Promise<void>

  constructor(api: Api, ca: string) {
    this.#api = api
    this.#ca = ca
    this.#loop = this.#turn()
  }

  /** How the programs of Jobs ended in a namespace. */
  ran(where: string): Ran[] {
    return this.#ran.filter(({ namespace }) => namespace === where)
  }

  async stop(): Promise<void> {
    this.#on = false
    await this.#loop
  }

  async #turn(): Promise<void> {
    while (this.#on) {
      const { items } = await this.#api.must('/api/v1/pods?fieldSelector=status.phase=Pending')
      await Promise.all((items as Stored[]).map(pod => this.#look(pod)))
      await sleep(PAUSE_MS)
    }
  }

  async #look(pod: Stored): Promise<void> {
    const owner = pod.metadata.ownerReferences?.[0]?.kind
    if (owner === 'Job') await this.#run(pod)
    else if (this.isWilling)
      await this.#tell(pod, 'Running', [
        { type: 'Ready', status: 'True', lastTransitionTime: new Date().toISOString() }
      ])
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
