import { Lines } from '../support/lines.ts'
import type { Program } from './clients.ts'

/** What a client's user is told when something does not work. */
interface Told {
  readonly code: number | null
  readonly message: string
}

/** What a driver answers: the fields of its kind of answer, or an error. */
interface Answer {
  readonly error?: Told | string
  readonly open?: string
  readonly text?: string
  readonly isError?: boolean
  readonly tools?: string[]
}

interface To {
  readonly url: string
  readonly mode: string
  readonly token?: string
  readonly redirect?: string
}

/** Opens a URL as a person would. @returns where that ended */
type Browse = (url: string) => Promise<string>

/** Someone's client, driven by a program of drivers/. What fails there throws here. */
export class Asking {
  readonly #program: Program
  #lines: Lines | undefined
  #browse: Browse | undefined

  constructor(program: Program) {
    this.#program = program
  }

  /** @param browse what a login needs, then or at any later request */
  async connect(to: To, browse?: Browse): Promise<void> {
    this.#browse = browse
    await this.#ask({ do: 'connect', ...to })
  }

  async list(): Promise<string[]> {
    return (await this.#ask({ do: 'list' })).tools!
  }

  async call(name: string, args: object): Promise<{ text: string; isError: boolean }> {
    const { text = '', isError = false } = await this.#ask({ do: 'call', name, arguments: args })
    return { text, isError }
  }

  /** @returns what is told of a call that must not work */
  async failing(what: 'call', name: string, args: object): Promise<Told> {
    const answer = await this.#say({ do: what, name, arguments: args })
    if (answer.error === undefined) throw new Error(`${name} gave ${answer.text}`)
    return toldOf(answer.error)
  }

  /** Begins a call without waiting for what comes of it. */
  async start(name: string, args: object): Promise<void> {
    await this.#ask({ do: 'start', name, arguments: args })
  }

  /** Cancels it. @returns what its caller is told */
  async cancel(): Promise<Told> {
    const answer = await this.#say({ do: 'cancel' })
    return toldOf(answer.error ?? `the call gave ${answer.text}`)
  }

  async close(): Promise<void> {
    await this.#ask({ do: 'close' })
  }

  /** Ends the program in whatever it does; the next question starts another one. */
  abandon(): void {
    this.#lines?.kill()
    this.#lines = undefined
  }

  async end(): Promise<void> {
    await this.#lines?.close()
  }

  async #ask(question: object): Promise<Answer> {
    const answer = await this.#say(question)
    if (answer.error !== undefined) throw new Error(toldOf(answer.error).message)
    return answer
  }

  async #say(question: object): Promise<Answer> {
    this.#lines ??= new Lines(this.#program.file, this.#program.args, { env: process.env })
    const answer = await this.#lines.ask<Answer>(question)
    return answer.open === undefined ? answer : this.#say({ at: await this.#browse!(answer.open) })
  }
}

const toldOf = (error: Told | string): Told =>
  typeof error === 'string' ? { code: null, message: error } : error
