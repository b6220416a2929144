import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { Agent, request as send } from 'undici'
import { listen } from './listen.ts'
import type { ServerProcess } from './process.ts'
import { call } from './server.ts'

/* Callers of a real process. One of them must not notice what another does. */

/** A call that sends one request to the forge. */
export const branch = (name = 'main') => call('get_branch', { project_id: '1', branch_name: name })

/**
 * Posts over connections of its own.
 * @param localAddress any loopback address, to look like another machine
 */
export function caller(t: Test, { url }: ServerProcess, token: string, localAddress = '127.0.0.1') {
  const dispatcher = new Agent({ connections: 256, localAddress })
  t.teardown(() => dispatcher.destroy())
  return async (body: unknown, headers: Record<string, string> = {}, as = token) => {
    const response = await send(`${url}/mcp`, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(as !== '' && { 'private-token': as }), ...headers },
      body: JSON.stringify(body)
    })
    const { statusCode: status, headers: answered } = response
    return { status, headers: answered, text: await response.body.text() }
  }
}

/** Runs a job `count` times, at most `width` of them at once. */
export async function inParallel(
  count: number,
  width: number,
  one: (at: number) => Promise<unknown>
): Promise<void> {
  let next = 0
  const worker = async () => {
    for (let at = next++; at < count; at = next++) await one(at)
  }
  await Promise.all(Array.from({ length: width }, worker))
}

export const residentMb = ({ child }: ServerProcess): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024)

/**
 * Runs a tenant's calls for as long as the noise lasts. It gives their failures, their number, and their 99th
 * percentile.
 */
export async function meanwhile(
  tenant: () => Promise<{ status: number; text: string }>,
  noise: Promise<unknown>
) {
  let going = true
  const over = noise.finally(() => {
    going = false
  })
  const took: number[] = []
  const failures: string[] = []
  while (going) {
    const started = performance.now()
    try {
      const { status, text } = await tenant()
      if (status !== 200 || text.includes('isError')) failures.push(`${status} ${text.slice(0, 200)}`)
    } catch (error) {
      failures.push(String(error))
    }
    took.push(performance.now() - started)
    await sleep(5)
  }
  await over
  took.sort((a, b) => a - b)
  return { failures, calls: took.length, p99: Math.round(took[Math.floor(took.length * 0.99)]!) }
}

/** A forge that answers everything at once. */
export async function calmForge(t: Test): Promise<string> {
  return listen(t, (_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end('{"name":"main"}')
  })
}
