import { Catalog } from '../../../src/catalog/catalog.ts'
import { PatternMatcher } from '../../../src/engine/patterns.ts'
import type { ToolRow } from '../../../src/engine/rows/row.ts'
import { callerOf } from '../../support/sandbox-tools.ts'
import {
  ScriptedDispatcher,
  type ScriptedReply,
  type SentRequest
} from '../../support/scripted-dispatcher.ts'
import { type Attempt, callsOf, heeding } from './arguments.ts'
import { toolsets } from './toolsets.ts'

const token = 'glpat-evidence-evidence'

/** Runs calls against a forge that is a function from requests to replies. */
export async function against<T>(
  answer: (request: SentRequest) => ScriptedReply | undefined,
  use: (call: ReturnType<typeof callerOf>, dispatcher: ScriptedDispatcher) => Promise<T>
): Promise<T> {
  const patterns = new PatternMatcher()
  const dispatcher = new ScriptedDispatcher(answer)
  const catalog = new Catalog()
  for (const toolset of toolsets) catalog.add(toolset)
  try {
    const name = 'evidence'
    const apiUrl = 'https://forge.example/api/v4'
    const parts = { apiUrl, token, name, catalog, dispatcher, patterns, downloadDir: '/nonexistent' }
    return await use(callerOf(parts), dispatcher)
  } finally {
    await patterns.close()
  }
}

/** A call and what it made the tool send. */
interface Call {
  args: Record<string, unknown>
  requests: SentRequest[]
}

/** What a tool sends, over all calls that give each of its arguments once. */
export interface Sent {
  tool: string
  calls: Call[]
  /** Arguments that no call got as far as the forge with. */
  unsent: string[]
}

/** How often a call is put right as its refusal says. */
const HEEDED = 5

/** Lets each tool send what it can, to a forge that answers no more than an empty list, or a record with an id. */
export const probe = (rows: readonly ToolRow[]): Promise<Sent[]> =>
  against(
    ({ method, path }) => ({ body: method === 'GET' && /(?<!\/statu)s(\?|$)/.test(path) ? [] : { id: 1 } }),
    async (call, dispatcher) => {
      const all: Sent[] = []
      for (const row of rows) {
        const sent: Sent = { tool: row.name, calls: [], unsent: [] }
        /** @returns why nothing was sent */
        const send = async ({ args }: Attempt): Promise<string | undefined> => {
          const before = dispatcher.sent.length
          // What the tool makes of that record is not the question here.
          const { error } = await call(row.name, args).catch(fault => ({ error: String(fault) }))
          const requests = dispatcher.sent.slice(before)
          if (requests.length > 0) sent.calls.push({ args, requests })
          return requests.length > 0 ? undefined : (error ?? '')
        }
        for (const first of callsOf(row)) {
          let attempt: Attempt | undefined = first
          let refusal = await send(first)
          for (let tries = 0; refusal !== undefined && tries < HEEDED; tries++) {
            attempt = heeding(row, attempt, refusal)
            if (attempt === undefined) break
            refusal = await send(attempt)
          }
          if (refusal !== undefined && first.about !== undefined) sent.unsent.push(first.about)
        }
        all.push(sent)
      }
      return all
    }
  )
