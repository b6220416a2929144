import type { Client, Sent } from '../load.ts'
import type { ProgramRow } from '../programs/index.ts'
import type { Message } from '../scenario.ts'

/** The parameters with which everybody begins. */
const begin = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } }
}

/** An answer may be shorter by what differs between callers, such as the id of a session. */
const LEAST = 0.5

/** @param id which no other request of its session has that is under way */
const textOf = ({ method, params }: Message, id = 0): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params })

/** Who a caller is to the program: a token, and where the program counts by address an address. */
function headersOf({ forwarded }: ProgramRow, name: string, at: number): Record<string, string> {
  const token = { 'private-token': `glpat-${name}-${String(at).padStart(14, '0')}` }
  return forwarded ? { ...token, 'x-forwarded-for': `10.1.${at >> 8}.${at & 255}` } : token
}

/**
 * Clients for as many connections, which begin their sessions where they send anything else, after each message was
 * answered well once: a server that refuses quickly would look fast.
 * @param name of the callers @param callers how many they are; default one for each connection
 */
export async function clientsOf(
  url: string,
  program: ProgramRow,
  messages: readonly Message[],
  {
    name,
    connections,
    callers = connections
  }: { name: string; connections: number; callers?: number | undefined }
): Promise<Client[]> {
  const begins = messages.every(({ method }) => method === begin.method)
  const known = await Promise.all(
    Array.from({ length: callers }, async (_, at) => {
      const headers = headersOf(program, name, at)
      if (begins) return { headers }
      const sid = await sessionOf(url, headers)
      return program.sidOnly ? { headers: without(headers, 'private-token'), sid } : { headers, sid }
    })
  )
  const least: number[] = []
  for (const message of messages) least.push((await tried(url, known[0]!, message)) * LEAST)
  return Array.from({ length: connections }, (_, at) => {
    const sent: Sent[] = messages.map((message, index) => ({
      text: textOf(message, at),
      least: least[index]!
    }))
    return {
      ...known[at % callers]!,
      messages: [...sent.slice(at % sent.length), ...sent.slice(0, at % sent.length)]
    }
  })
}

/** @returns characters of its answer */
async function tried(
  url: string,
  { headers, sid }: Omit<Client, 'messages'>,
  message: Message
): Promise<number> {
  const text = textOf(message)
  const answer = await post(url, sid === undefined ? headers : { ...headers, 'mcp-session-id': sid }, text)
  const said = await answer.text()
  if (answer.status !== 200 || /"isError":true|"error":\{/.test(said))
    throw new Error(`${message.method}: ${answer.status} ${said.slice(0, 300)}`)
  return said.length
}

async function sessionOf(url: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const answer = await post(url, headers, textOf(begin))
  const said = await answer.text()
  const sid = answer.headers.get('mcp-session-id')
  if (sid === null) throw new Error(`no session: ${answer.status} ${said.slice(0, 300)}`)
  return sid
}

function post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<Response> {
  const accept = 'application/json, text/event-stream'
  return fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, ...headers },
    body
  })
}

function without(headers: Readonly<Record<string, string>>, name: string): Record<string, string> {
  const { [name]: _, ...rest } = headers
  return rest
}
