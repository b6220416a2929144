import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'

/*
 * What a HorizontalPodAutoscaler decides by calls in flight (`autoscaling.targetCallsInFlight` of the chart), read from
 * the pods themselves. `test/kube` holds the real one to the same numbers.
 */

interface Targets {
  /** Calls in flight that a pod is to have on average. */
  readonly calls: number
  readonly least: number
  readonly most: number
  /** Milliseconds for which fewer pods must have been enough before one goes. */
  readonly stable: number
}

/** How far off the target an average may be. */
const TOLERANCE = 0.1
const PAUSE_MS = 200

export class Autoscaler {
  /** Pods that were wanted at each look. */
  readonly decisions: number[] = []
  readonly #cluster: Cluster
  readonly #targets: Targets
  readonly #env: Readonly<Record<string, string>>
  #wishes: { at: number; pods: number }[] = []
  #on = true
  readonly #loop: Promise<void>

  /** @param env of the pods that it starts */
  constructor(cluster: Cluster, targets: Targets, env: Readonly<Record<string, string>>) {
    this.#cluster = cluster
    this.#targets = targets
    this.#env = env
    this.#loop = this.#run()
  }

  async stop(): Promise<void> {
    this.#on = false
    await this.#loop
  }

  /** Waits until the pods are as many as they should be. */
  async until(isSo: (pods: number) => boolean): Promise<void> {
    for (let tries = 0; !isSo(this.#cluster.size); tries++) {
      if (tries > 600)
        throw new Error(`still ${this.#cluster.size} pods; wanted were ${this.decisions.slice(-20)}`)
      await sleep(100)
    }
  }

  async #run(): Promise<void> {
    while (this.#on) {
      const pods = this.#wanted(await this.#callsInFlight())
      this.decisions.push(pods)
      const now = this.#cluster.size
      if (pods > now) await this.#cluster.grow(pods - now, this.#env)
      else for (let left = now - pods; left > 0; left--) this.#cluster.shrink('newest')
      await sleep(PAUSE_MS)
    }
  }

  #wanted(calls: number): number {
    const { calls: target, least, most, stable } = this.#targets
    const now = this.#cluster.size
    const isNear = Math.abs(calls / now / target - 1) <= TOLERANCE
    const pods = Math.min(most, Math.max(least, isNear ? now : Math.ceil(calls / target)))
    const at = performance.now()
    this.#wishes = [...this.#wishes.filter(wish => at - wish.at < stable), { at, pods }]
    return pods >= now ? pods : Math.min(now, Math.max(...this.#wishes.map(wish => wish.pods)))
  }

  async #callsInFlight(): Promise<number> {
    const each = await Promise.all(
      this.#cluster.urls.map(async url => {
        const text = await (await fetch(`${url}/metrics?format=prometheus`)).text()
        const value = (name: string) => Number(new RegExp(`^forge_mcp_${name} (\\d+)$`, 'm').exec(text)![1])
        // The look itself is a request.
        return value('http_requests_in_flight') - value('subscriptions_open') - 1
      })
    )
    return each.reduce((sum, calls) => sum + calls, 0)
  }
}
