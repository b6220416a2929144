import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'
import { threadMs } from '../../src/load/thread-ms.ts'
import type { ServerProcess } from './process.ts'

/*
 * Measures how long the event loop of a real process is held: the longest turn, in milliseconds of processor time, so
 * that a busy machine does not matter. In the process that loads it, it answers a signal. In a test that imports it, it
 * asks.
 */

/** A signal that Node and the service ignore. */
const SIGNAL = 'SIGWINCH'
const self = fileURLToPath(import.meta.url)
const isLoaded = process.execArgv
  .concat(process.env.NODE_OPTIONS ?? '')
  .join(' ')
  .includes(self)

/** The environment of a process that reports its turns. */
export const tellsTurns = (env: { readonly NODE_OPTIONS: string }): { NODE_OPTIONS: string } => ({
  NODE_OPTIONS: `${env.NODE_OPTIONS} --import=${self}`
})

/** @returns the longest turn since the last question; the first question starts the measuring and gives 0 */
export async function longestTurn(server: ServerProcess): Promise<number> {
  const before = (await server.output()).length
  server.child.kill(SIGNAL)
  for (;;) {
    const told = /longest turn (\d+)/.exec((await server.output()).slice(before))
    if (told !== null) return Number(told[1])
  }
}

if (isLoaded && isMainThread) {
  let longest = 0
  let before: number | undefined
  const turn = () => {
    const now = threadMs()
    longest = Math.max(longest, now - before!)
    before = now
    setImmediate(turn).unref()
  }
  process.on(SIGNAL, () => {
    process.stderr.write(`longest turn ${Math.round(longest)}\n`)
    longest = 0
    if (before === undefined) setImmediate(turn)
    before = threadMs()
  })
}
