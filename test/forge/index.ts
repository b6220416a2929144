import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Journal, RecordedRequest } from './answer.ts'
import { addPeople } from './sample/people.ts'
import { addSample } from './sample.ts'
import { createForgeServer } from './server.ts'
import { createState, type ForgeState } from './state.ts'
import { createStorage } from './storage.ts'

export type { RecordedRequest } from './answer.ts'
export { checkRequest } from './contract.ts'
export { push } from './model/history.ts'
export type { Fault, ForgeState } from './state.ts'

/** A sandbox forge that is running. */
export interface Forge {
  /** http://127.0.0.1:PORT */
  url: string
  /** url + '/api/v4' */
  apiUrl: string
  state: ForgeState
  /** The last 5,000 calls received, oldest first. */
  requests: RecordedRequest[]
  /** One sentence for each breach of the published contract. */
  violations: string[]
  /** A token for each person. "reader" is a token that may only read, "job" (sample only) that of a running job. */
  tokens: Record<string, string>
  close(): Promise<void>
}

export interface ForgeOptions {
  /** The port; 0, the default, takes a free one. */
  port?: number
  /** Fills the forge with the sample group. Without it there are only people. */
  sample?: boolean
  /** The forge's clock, by which pipelines progress. */
  now?: () => number
  /** The release that it simulates. Below 18.8 there is no artifacts/tree. */
  version?: string
  /** The free edition ('ce') has no approval_state and no approval rules. */
  edition?: 'ee' | 'ce'
  /** Keeps artifact archives on a second origin, to which downloads redirect. */
  objectStorage?: boolean
}

const listen = (server: Server, port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    // If an idle connection ends here, its client may just be sending another request on it, which then fails.
    server.keepAliveTimeout = 0
    server.listen(port, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    )
  })

const stop = (server: Server): Promise<void> =>
  new Promise(resolve => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

/** Starts a sandbox forge on loopback. */
export const startForge = async (options: ForgeOptions = {}): Promise<Forge> => {
  const { now = Date.now, version = '19.5.0', edition = 'ee' } = options
  const state = createState({ now, version, edition })
  const journal: Journal = { requests: [], violations: [] }
  const servers = [createForgeServer(state, journal)]
  state.url = await listen(servers[0]!, options.port ?? 0)
  if (options.objectStorage) {
    const storage = createStorage(state, journal)
    servers.push(storage)
    state.storage = await listen(storage, 0)
  }
  const tokens = addPeople(state)
  if (options.sample) Object.assign(tokens, addSample(state))
  return {
    url: state.url,
    apiUrl: `${state.url}/api/v4`,
    state,
    ...journal,
    tokens,
    close: async () => {
      await Promise.all(servers.map(stop))
    }
  }
}
