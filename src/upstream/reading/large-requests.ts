import { AtWork, bodyWorkLimits, type PartOf, type Sender } from '../../fairness/at-work.ts'
import type { WorkOwner } from '../../fairness/fair-queue.ts'
import { type KeepRoom, roomOfSeveral } from '../../fairness/work.ts'
import { isLongerThan, jsonLength } from '../../json/size.ts'
import { lineFault, WorkerLine } from '../../workers/line.ts'
import { cancelled, ForgeError } from '../errors.ts'

/** Characters or bytes from which a request counts as large. */
const LARGE_REQUEST = 64 * 1024

/**
 * Bytes from which the memory of a request counts here. Up to that, it is covered by what each call counts by itself
 * (edge/requests/request-head.ts).
 */
const COUNTED_REQUEST = 8 * 1024

/** The memory of requests that wait is bounded by the room that each of them takes. */
const limits = { budgetMs: 2_000, wallMs: 15_000, all: 1_024, caller: 256 }

/**
 * Large requests to forges. They are serialized to JSON off the event loop, and the memory they hold is bounded until
 * the forge has answered, or undici has let go of what was given up. A write that was sent is not given up, so with a
 * slow forge this process would otherwise hold all of them.
 */
export class LargeRequests {
  readonly #line = new WorkerLine(limits)
  readonly #held: AtWork

  /** @param part as in AtWork */
  constructor(part?: PartOf) {
    this.#held = new AtWork(bodyWorkLimits, part)
  }

  /**
   * Writes a body as JSON. The body takes its room already while it waits: a tool may have made a large body of a few
   * arguments, which the limits on the bodies of calls do not bound.
   * @throws ForgeError busy or cancelled: it must not be sent
   */
  async write(body: unknown, owner: WorkOwner): Promise<Buffer> {
    const give = this.#take({ address: owner.from ?? '', credential: owner.caller }, jsonLength(body))
    try {
      const { buffer, byteLength, byteOffset } = await this.#line.run('jsonBytes', body, owner)
      return Buffer.from(buffer, byteOffset, byteLength)
    } catch (error) {
      const failed = () => tooMany('of this caller')
      throw lineFault(error, { full: failed, cancelled, failed })
    } finally {
      give()
    }
  }

  /**
   * Takes room for a request, for as long as anybody keeps it: its call, or the dispatcher if the call gives it up.
   * @param size of its body, path and headers, in bytes
   * @returns undefined for a small request
   * @throws ForgeError busy if there is no room
   */
  take(sender: Sender, size: number): KeepRoom | undefined {
    return size < COUNTED_REQUEST ? undefined : roomOfSeveral(this.#take(sender, size))
  }

  #take(sender: Sender, size: number): () => void {
    const give = this.#held.take(sender, size)
    if (give === undefined) throw tooMany(this.#held.takenBy(sender, size))
    return give
  }

  close(): Promise<void> {
    return this.#line.close()
  }
}

/** @param whose as from AtWork.takenBy */
const tooMany = (whose: string) =>
  new ForgeError(
    'busy',
    `Too many large requests ${whose} are under way. This one was not sent: try again in a few seconds.`
  )

/** Whether a request of so many bytes is a large one. */
export const isLargeRequest = (size: number): boolean => size >= LARGE_REQUEST

/** Whether the request with this body will be large. */
export const isLargeBody = (body: unknown): boolean => isLongerThan(body, LARGE_REQUEST)
