import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { type ServerProcess, startServer } from '../support/process.ts'
import type { Ingress } from './ingress.ts'

/* As much of Kubernetes as a roll needs: pods, and endpoints that lag behind them. */

interface Timing {
  /** Milliseconds from the end of a pod, or the order to end it, until nobody sends to it any more. */
  readonly endpointLag: number
  /** Milliseconds a new pod must be ready before the next old one goes. */
  readonly minReady: number
}

interface Pod {
  readonly server: ServerProcess
  readonly withdraw: () => Promise<void>
}

export class Cluster {
  readonly #t: Test
  readonly #ingress: Ingress
  readonly #base: Readonly<Record<string, string>>
  readonly #timing: Timing
  #pods: Pod[] = []
  #leaving: Promise<void>[] = []
  /** Exit codes of pods that were told to go. */
  readonly exits: (number | null)[] = []

  constructor(t: Test, ingress: Ingress, base: Readonly<Record<string, string>>, timing: Timing) {
    this.#t = t
    this.#ingress = ingress
    this.#base = base
    this.#timing = timing
  }

  get size(): number {
    return this.#pods.length
  }

  /** Addresses of the pods that have not been told to go. */
  get urls(): string[] {
    return this.#pods.map(({ server }) => server.url)
  }

  /** Starts pods; each is an endpoint once /readyz says so. */
  async grow(count: number, env: Readonly<Record<string, string>>): Promise<void> {
    const pods = await Promise.all(
      Array.from({ length: count }, async () => {
        const server = await startServer(this.#t, { ...this.#base, ...env })
        while (!(await fetch(`${server.url}/readyz`)).ok) await sleep(50)
        return { server, withdraw: await this.#ingress.add(server.url) }
      })
    )
    this.#pods.push(...pods)
  }

  /** Tells a pod to go. Its endpoint is taken away late, while it drains. */
  shrink(which: 'oldest' | 'newest' = 'oldest'): void {
    const pod = which === 'oldest' ? this.#pods.shift()! : this.#pods.pop()!
    this.#leaving.push(
      Promise.all([
        pod.server.stop('SIGTERM').then(code => void this.exits.push(code)),
        sleep(this.#timing.endpointLag).then(pod.withdraw)
      ]).then(() => undefined)
    )
  }

  /** Kills the oldest pod without a word. */
  async kill(): Promise<void> {
    const pod = this.#pods.shift()!
    await pod.server.stop('SIGKILL')
    this.#leaving.push(sleep(this.#timing.endpointLag).then(pod.withdraw))
  }

  /** A rolling update: maxSurge 1, maxUnavailable 0; a pod that is on its way out no longer counts. */
  async roll(env: Readonly<Record<string, string>>): Promise<void> {
    for (let old = this.#pods.length; old > 0; old--) {
      await this.grow(1, env)
      await sleep(this.#timing.minReady)
      this.shrink()
    }
  }

  /** Waits until all pods that go are gone. */
  async settle(): Promise<void> {
    await Promise.all(this.#leaving)
    this.#leaving = []
  }
}
