import { createInterface } from 'node:readline'

/* What all drivers in TypeScript share: a question a line, and its answer as a line. */

export interface Connecting {
  readonly url: string
  /** A forge token, sent as Private-Token. */
  readonly token?: string
  /** Where a login returns to; the client logs in when there is one. */
  readonly redirect?: string
  /** How the client is told to speak; what that may be differs from client to client. */
  readonly mode: string
}

export interface Called {
  readonly text: string
  readonly isError: boolean
}

/** Someone's client while it is connected. */
interface Connection {
  list(): Promise<string[]>
  call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<Called>
  close(): Promise<unknown>
}

/** Has a URL opened in a browser. @returns where the browser ended up */
export type Open = (url: string) => Promise<URL>

type Question =
  | ({ do: 'connect' } & Connecting)
  | { do: 'call' | 'start'; name: string; arguments: Record<string, unknown> }
  | { do: 'list' | 'cancel' | 'close' }
  | { at: string }

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const say = (answer: object) => void process.stdout.write(`${JSON.stringify(answer)}\n`)

async function heard<T>(): Promise<T | undefined> {
  const { value, done } = await lines.next()
  return done ? undefined : (JSON.parse(value) as T)
}

const open: Open = async url => {
  say({ open: url })
  return new URL((await heard<{ at: string }>())!.at)
}

function toldOf(error: unknown) {
  const { code, name, message } = error as { code?: unknown; name: string; message: string }
  return { error: { code: typeof code === 'number' ? code : null, message: `${name}: ${message}` } }
}

/** Answers questions until there are no more. */
export async function drive(connect: (to: Connecting, open: Open) => Promise<Connection>): Promise<void> {
  let connection: Connection | undefined
  let started: { call: Promise<object>; stop: AbortController } | undefined
  const call = (name: string, args: Record<string, unknown>, { signal } = new AbortController()) =>
    connection!.call(name, args, signal).catch(toldOf)
  for (let question = await heard<Question>(); question !== undefined; question = await heard<Question>())
    say(await answer(question).catch(toldOf))

  async function answer(question: Question): Promise<object> {
    if (!('do' in question)) return { error: { code: null, message: 'nothing was asked to be opened' } }
    switch (question.do) {
      case 'connect':
        connection = await connect(question, open)
        return {}
      case 'list':
        return { tools: await connection!.list() }
      case 'call':
        return call(question.name, question.arguments)
      case 'start': {
        const stop = new AbortController()
        started = { call: call(question.name, question.arguments, stop), stop }
        return {}
      }
      case 'cancel':
        started!.stop.abort('changed my mind')
        return started!.call
      case 'close':
        await connection?.close()
        connection = undefined
        return {}
    }
  }
}
