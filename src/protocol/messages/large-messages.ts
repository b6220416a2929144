import type { WorkOwner } from '../../fairness/fair-queue.ts'
import { lineFault, WorkerLine } from '../../workers/line.ts'
import { callerGone, tooCostly } from './body-refusals.ts'
import { overCapacity } from './limit-refusals.ts'
import { type ReadMessage, readMessageText, smallShape, type WeighedMessage } from './message-text.ts'
import { messageOf } from './read-message.ts'

/**
 * Characters from which a message counts as large, as it also does with many values: reading it takes half a
 * millisecond or so.
 */
export const LARGE_MESSAGE = 64 * 1024

/**
 * Reads a message at once, unless it is large, which the check of its shape shows.
 * @returns undefined for a large one
 */
export function readSmallText(text: string): ReadMessage | undefined {
  if (text.length >= LARGE_MESSAGE) return undefined
  const read = readMessageText(text, smallShape)
  return read.fault === 'wide' ? undefined : read
}

/** The queue is bounded by the limits on bytes where messages are received. */
const limits = { budgetMs: 2_000, wallMs: 15_000, all: 4_096, caller: 4_096 }

/** Reads large messages off the event loop, one at a time; senders take turns. */
export class LargeMessages {
  readonly #line = new WorkerLine(limits)

  /** Like readSmallText, for a large message. @param owner whom it is counted for @throws Refusal */
  async read(text: string, owner: WorkOwner): Promise<WeighedMessage> {
    return messageOf(
      await this.#line.run('readMessageText', text, owner).catch(error => {
        throw lineFault(error, { full: tooMany, cancelled: callerGone, failed: tooCostly })
      })
    )
  }

  close(): Promise<void> {
    return this.#line.close()
  }
}

const tooMany = () => overCapacity('Server capacity reached: too many large bodies wait to be read.')
