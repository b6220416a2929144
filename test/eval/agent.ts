import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

/** What one job has cost the model that did it. */
export interface Spent {
  /** tools/call requests. */
  calls: number
  /** Bytes of the calls as a model writes them: name and arguments. */
  bytesIn: number
  /** Bytes of the results' texts as a model reads them. */
  bytesOut: number
  /** The calls in their order, each with its bytes. */
  readonly steps: { readonly tool: string; readonly bytesIn: number; readonly bytesOut: number }[]
}

// biome-ignore lint/suspicious/noExplicitAny: records of every kind are looked into
export type Call = (tool: string, args?: Readonly<Record<string, unknown>>) => Promise<any>

/** A model's place: it sees what a client shows to one, and what it spends is counted. */
export interface Agent {
  readonly call: Call
  readonly spent: Spent
  /** Bytes of tools/list and of the instructions, which a model reads before anything else. */
  readonly listingBytes: number
  close(): Promise<void>
}

/** A tool as find_tools gives it. */
interface Found {
  readonly name: string
  readonly call_with: string
}

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/**
 * Connects an official client and lists the tools to their end.
 * @param words where the listing is a search: what the model looks for
 * @returns an agent whose calls throw where a result is an error: the shortest way has none
 */
export async function connectAgent(transport: Transport, words?: string): Promise<Agent> {
  const client = new Client({ name: 'eval', version: '1.0.0' })
  await client.connect(transport)
  const tools: unknown[] = []
  for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
    const page = await client.listTools(cursor === undefined ? {} : { cursor })
    tools.push(...page.tools)
    cursor = page.nextCursor
  }
  const spent: Spent = { calls: 0, bytesIn: 0, bytesOut: 0, steps: [] }
  const direct: Call = async (name, args = {}) => {
    const result = await client.callTool({ name, arguments: args }, undefined, { timeout: 120_000 })
    const texts = (result.content as { text?: string }[]).map(({ text = '' }) => text)
    const step = { tool: name, bytesIn: bytes({ name, arguments: args }), bytesOut: 0 }
    for (const text of texts) step.bytesOut += Buffer.byteLength(text)
    spent.calls += 1
    spent.bytesIn += step.bytesIn
    spent.bytesOut += step.bytesOut
    spent.steps.push(step)
    if (result.isError) throw new Error(`${name} ${JSON.stringify(args)}: ${texts.join('\n')}`)
    return parsed(texts[0] ?? '')
  }
  return {
    call: words === undefined ? direct : searching(direct, words),
    spent,
    listingBytes: bytes(tools) + Buffer.byteLength(client.getInstructions() ?? ''),
    close: () => client.close()
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Calls through the search surface: what the job needs is looked for first, all at once. */
function searching(direct: Call, query: string): Call {
  const callers = new Map<string, string>()
  return async (name, args = {}) => {
    if (callers.size === 0) {
      const { tools } = (await direct('find_tools', { query })) as { tools: Found[] }
      for (const tool of tools) callers.set(tool.name, tool.call_with)
    }
    const caller = callers.get(name)
    if (caller === undefined)
      throw new Error(`${name} is not found by ${query}, but ${[...callers.keys()].join(', ')}`)
    return direct(caller, { name, arguments: args })
  }
}
