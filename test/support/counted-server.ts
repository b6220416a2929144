import { createHook } from 'node:async_hooks'
import diagnostics from 'node:diagnostics_channel'
import { PerformanceObserver } from 'node:perf_hooks'
import type { FastifyRequest } from 'fastify'
import { createServer, listen } from '../../src/server.ts'

/*
 * A server in a process of its own that counts what it uses: memory, promises, and the hooks that a request passes. Its
 * parent asks by message. Before it answers `left`, it collects the young generation.
 */

/** Counts since the last question. */
export interface Counts {
  readonly url: string
  /** Bytes taken. If a collection took place meanwhile, they are less than what was really taken. */
  readonly heap: number
  readonly collections: number
  /** Counted only after the first message `promises`, because counting takes memory. */
  readonly promises: number
  /** Number of hooks that the last request passed, by kind. */
  readonly hooks: Readonly<Record<string, number>>
}

const kinds = ['onRequest', 'preParsing', 'preHandler', 'onSend', 'onResponse'] as const

const settings = Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name, value ?? '']))
const server = await createServer(settings)
const url = await listen(server)
let collections = 0
const collected = new PerformanceObserver(list => {
  collections += list.getEntries().length
})
collected.observe({ entryTypes: ['gc'] })
let promises = 0
const counter = createHook({
  init(_id, type) {
    if (type === 'PROMISE') promises++
  }
})
let hooks: Record<string, number> = {}
const look = (message: unknown): void => {
  const { request } = message as { request: FastifyRequest & Record<symbol, unknown> }
  // The hooks of a route are internal to Fastify. This is where it keeps them.
  const name = Object.getOwnPropertySymbols(Object.getPrototypeOf(request))
    .concat(Object.getOwnPropertySymbols(request))
    .find(symbol => symbol.description === 'fastify.context')
  const context = request[name!] as Record<string, readonly unknown[] | null>
  hooks = Object.fromEntries(kinds.map(kind => [kind, context[kind]?.length ?? 0]))
}

let before = { heap: 0, promises: 0, collections: 0 }
process.on('message', asked => {
  if (asked === 'left') for (let turn = 0; turn < 2; turn++) globalThis.gc!({ type: 'minor' })
  if (asked === 'promises') {
    counter.enable()
    diagnostics.subscribe('tracing:fastify.request.handler:start', look)
  }
  collections += collected.takeRecords().length
  const now = { heap: process.memoryUsage().heapUsed, promises, collections }
  const counts: Counts = {
    url,
    heap: now.heap - before.heap,
    collections: now.collections - before.collections,
    promises: now.promises - before.promises,
    hooks
  }
  before = now
  process.send!(counts)
})
