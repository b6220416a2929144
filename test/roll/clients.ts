import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { call, initialize, request as rpc } from '../support/server.ts'

/* MCP clients that call all the time, each over one kept connection and with a pause between calls. */

const SID = 'mcp-session-id'
const TOKEN = 'glpat-roll-roll-roll-roll'
const modern = '2026-07-28'

interface Failure {
  readonly client: string
  readonly what: string
  /** HTTP status; 0 when there was no answer. */
  readonly status: number
  /** performance.now() when the call was sent and when it failed. */
  readonly sent: number
  readonly failed: number
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

type Kind = 'session' | 'token' | 'modern'

interface Sending {
  readonly headers: Record<string, string>
  readonly body: unknown
}

/** What kinds of clients there are: the headers and the body of their next call. */
const kinds: Record<Kind, (sid: string | undefined, turn: number) => Sending> = {
  /** Logged in once, then nothing but the last session id. */
  session: (sid, turn): Sending =>
    sid === undefined
      ? { headers: { authorization: `Bearer ${TOKEN}` }, body: initialize() }
      : { headers: { [SID]: sid }, body: turn % 3 === 0 ? rpc('tools/list') : issues() },
  /** A token with each call, and no session. */
  token: (_sid, turn): Sending => ({
    headers: { 'private-token': TOKEN },
    body: turn % 3 === 0 ? rpc('ping') : issues()
  }),
  /** Revision 2026-07-28. */
  modern: (): Sending => ({
    headers: {
      'private-token': TOKEN,
      'mcp-protocol-version': modern,
      'mcp-method': 'tools/call',
      'mcp-name': 'list_issues',
      'mcp-param-project-id': 'acme/rocket'
    },
    body: rpc('tools/call', {
      name: 'list_issues',
      arguments: { project_id: 'acme/rocket' },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': modern,
        'io.modelcontextprotocol/clientCapabilities': {}
      }
    })
  })
} satisfies Record<
  string,
  (sid: string | undefined, turn: number) => { headers: Record<string, string>; body: unknown }
>

const issues = () => call('list_issues', { project_id: 'acme/rocket' })

interface LoadOptions {
  readonly url: string
  /** Clients of each kind. */
  readonly each: number
  /** Milliseconds between an answer and the next call. */
  readonly pause: number
}

interface Client {
  readonly name: string
  readonly kind: Kind
  turns: number
  isOn: boolean
  readonly end: Promise<void>
}

export class Load {
  readonly failures: Failure[] = []
  /** Answers by pod, as the proxy names it. */
  readonly byPod = new Map<string, number>()
  calls = 0
  connections = 0
  longest = 0
  #url: URL
  readonly #pause: number
  #clients: Client[] = []

  constructor({ url, each, pause }: LoadOptions) {
    this.#url = new URL(url)
    this.#pause = pause
    this.grow(each)
  }

  /** More clients of each kind. */
  grow(each: number): void {
    for (const kind of Object.keys(kinds) as Kind[])
      for (let index = 0; index < each; index++) {
        const client = { name: `${kind} ${this.#clients.length}`, kind, turns: 0, isOn: true }
        this.#clients.push(Object.assign(client, { end: this.#run(client) }))
      }
  }

  /** The clients that came first stay, so many of them; the others leave after their call. */
  async shrink(left: number): Promise<void> {
    const leaving = this.#clients.splice(left)
    for (const client of leaving) client.isOn = false
    await Promise.all(leaving.map(({ end }) => end))
  }

  /** From its next call on, every client speaks to this address. */
  sendTo(url: string): void {
    this.#url = new URL(url)
  }

  /** Waits until every client has called `count` more times. */
  async pass(count: number): Promise<void> {
    const goals = this.#clients.map(client => ({ client, turns: client.turns + count }))
    while (goals.some(({ client, turns }) => client.turns < turns)) await sleep(20)
  }

  /** The failures since the last time this was asked. */
  newFailures(): Failure[] {
    return this.failures.splice(0)
  }

  stop(): Promise<void> {
    return this.shrink(0)
  }

  async #run(client: Omit<Client, 'end'>): Promise<void> {
    const { kind, name } = client
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    let sid: string | undefined
    while (client.isOn) {
      const { headers, body } = kinds[kind](sid, client.turns)
      const sent = performance.now()
      const answer = await this.#post(agent, headers, JSON.stringify(body))
      const problem = problemOf(answer)
      if (problem !== undefined)
        this.failures.push({
          client: name,
          what: problem,
          status: typeof answer === 'string' ? 0 : answer.status,
          sent,
          failed: performance.now()
        })
      else if (typeof answer !== 'string') {
        const pod = String(answer.headers['x-pod'])
        this.byPod.set(pod, (this.byPod.get(pod) ?? 0) + 1)
        if (kind === 'session') sid = answer.headers[SID] as string
      }
      this.calls++
      this.longest = Math.max(this.longest, performance.now() - sent)
      client.turns++
      await sleep(this.#pause)
    }
    agent.destroy()
  }

  /** @returns the answer, or why there was none */
  #post(agent: Agent, headers: Record<string, string>, body: string): Promise<Answer | string> {
    return new Promise(resolve => {
      const sending = request(
        this.#url,
        {
          method: 'POST',
          agent,
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'content-length': Buffer.byteLength(body),
            ...headers
          },
          timeout: 30_000
        },
        response => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', chunk => (text += chunk))
          response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }))
          response.on('error', error => resolve(error.message))
        }
      )
      sending.on('socket', socket => {
        if (!sending.reusedSocket) socket.once('connect', () => this.connections++)
      })
      sending.on('timeout', () => sending.destroy(new Error('no answer within 30 s')))
      sending.on('error', error => resolve(error.message))
      sending.end(body)
    })
  }
}

/** What is wrong with an answer, if anything is. */
function problemOf(answer: Answer | string): string | undefined {
  if (typeof answer === 'string') return answer
  const { status, text } = answer
  if (status !== 200) return `${status} ${text.slice(0, 200)}`
  try {
    const { result } = JSON.parse(text) as { result?: { isError?: boolean } }
    return result === undefined || result.isError ? text.slice(0, 200) : undefined
  } catch {
    return `cut short: ${text.slice(0, 200)}`
  }
}
