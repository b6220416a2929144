import type { CancelSignal } from '../base/cancellation.ts'
import { MIB } from '../base/units.ts'
import type { StreamAnswer, StreamRequest } from '../upstream/answers/stream.ts'
import type { ForgeAnswer, ForgeClient } from '../upstream/client.ts'
import type { ForgeRequest } from '../upstream/request.ts'

/** Reports the progress of a call with the forge. */
type Observe = (message: string, done: number) => void

/** A forge client that reports each answer, and each MiB of a large one: whole lists and downloads wait for these. */
export class WatchedForge implements ForgeClient {
  readonly #forge: ForgeClient
  readonly #observe: Observe
  #answers = 0

  constructor(forge: ForgeClient, observe: Observe) {
    this.#forge = forge
    this.#observe = observe
  }

  get wrote(): boolean {
    return this.#forge.wrote
  }

  get answered(): boolean {
    return this.#forge.answered
  }

  get isOfJob(): boolean {
    return this.#forge.isOfJob
  }

  get webUrl(): string {
    return this.#forge.webUrl
  }

  keep(size: number): void {
    this.#forge.keep(size)
  }

  paced<T>(work: () => T): T | Promise<T> {
    return this.#forge.paced(work)
  }

  waits<T>(wait: (signal: CancelSignal) => Promise<T>): Promise<T> {
    return this.#forge.waits(wait)
  }

  async send(request: ForgeRequest): Promise<ForgeAnswer> {
    return this.#answered(await this.#forge.send(request))
  }

  async graphql(
    document: string,
    variables: Readonly<Record<string, unknown>>
  ): Promise<Record<string, unknown>> {
    return this.#answered(await this.#forge.graphql(document, variables))
  }

  async stream<T>(request: StreamRequest, read: (answer: StreamAnswer) => Promise<T>): Promise<T> {
    return this.#answered(
      await this.#forge.stream(request, answer =>
        read({ ...answer, body: reader => this.#counted(answer.body(reader)) })
      )
    )
  }

  #answered<T>(answer: T): T {
    this.#observe(`The forge has answered ${++this.#answers} requests.`, this.#answers)
    return answer
  }

  async *#counted(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0
    for await (const chunk of body) {
      const before = toMebibytes(bytes)
      bytes += chunk.length
      const now = toMebibytes(bytes)
      if (now > before) this.#observe(`${now} MiB are read.`, this.#answers + now)
      yield chunk
    }
  }
}

const toMebibytes = (bytes: number): number => Math.floor(bytes / MIB)
