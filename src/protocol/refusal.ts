import { code } from './jsonrpc.ts'

/** A request on /mcp that is refused before the protocol sees it (DESIGN 4, Status discipline). */
export class Refusal extends Error {
  readonly status: number
  readonly code: number
  readonly headers: Readonly<Record<string, string>>
  constructor(
    status: number,
    message: string,
    options: { code?: number; headers?: Record<string, string> } = {}
  ) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.code = options.code ?? code.refused
    this.headers = options.headers ?? {}
  }
}

export const missingCredential = () =>
  new Refusal(
    401,
    'Missing Authorization or Private-Token header: send Private-Token, JOB-TOKEN or Authorization: Bearer.'
  )
/** The words of stateless mode for the same (spec 1, Stateless mode rules, 9). */
export const authenticationRequired = () =>
  new Refusal(
    401,
    'Authentication required: send Private-Token, JOB-TOKEN or Authorization: Bearer, or a session id.'
  )
export const badCredential = (why: string) => new Refusal(401, `Invalid credential: ${why}`)
export const sessionNotFound = () => new Refusal(404, 'Session not found', { code: code.sessionNotFound })
export const overCapacity = (message: string) =>
  new Refusal(503, message, { headers: { 'retry-after': '10' } })
