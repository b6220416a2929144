import { MemorySessionStore } from '../../../src/session/memory-store.ts'

/* The heap that an idle session costs, in bytes; of its two kinds the one that costs more. */

const COUNT = 20_000
const { gc } = globalThis as { gc?: () => void }
if (gc === undefined) throw new Error('run with --expose-gc')

const used = () => {
  gc()
  gc()
  return process.memoryUsage().heapUsed
}
/** Each from an address of its own, and known to the forge: what takes the most. */
const beginning = (at: number, shared: boolean) => ({ shared, address: `192.0.2.${at}`, proven: true })

let most = 0
// Each token is a string of its own, as it is when it comes from a request.
const credentials = Array.from({ length: COUNT }, (_, at) => `glpat-${String(at).padStart(20, '0')}`)
for (const shared of [false, true]) {
  const store = new MemorySessionStore(Math.ceil(COUNT / 0.9), 3600)
  const before = used()
  for (const [at, token] of credentials.entries())
    store.begin(
      {
        credential: { kind: 'private-token', token: Buffer.from(token).toString() },
        apiUrl: undefined,
        activated: 0,
        version: '2025-11-25'
      },
      beginning(at, shared)
    )
  most = Math.max(most, (used() - before) / store.size)
}
process.stdout.write(`${Math.round(most)}\n`)
