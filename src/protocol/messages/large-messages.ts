import type { WorkOwner } from '../../fairness/fair-queue.ts'
import { lineFault, WorkerLine } from '../../workers/line.ts'
import { callerGone, tooCostly } from './body-refusals.ts'
import { overCapacity } from './limit-refusals.ts'
import { type ReadMessage, readMessageText, smallShape, type WeighedMessage } from './message-text.ts'
import { messageOf } from './read-message.ts'

/**
 * Characters from which a message counts as large; a message with many values is large as well. Reading a large message
 * takes half a millisecond or more.
 */
export const LARGE_MESSAGE = 64 * 1024

/**
 * Reads a message at once, unless the check of its shape shows that it is large.
 * @returns undefined for a large message
 */
export function readSmallText(text: string): ReadMessage | undefined {
  if (text.length >= LARGE_MESSAGE) return undefined
  const read = readMessageText(text, smallShape)
  return read.fault === 'wide' ? undefined : read
}

/** The limits on bytes, at the point where messages are received, also bound this queue. */
const limits = { budgetMs: 2_000, wallMs: 15_000, all: 4_096, caller: 4_096 }

/** Reads large messages outside the event loop, one at a time; senders take turns. */
export class LargeMessages {
  readonly #line = new WorkerLine(limits)

  /**
   * Like readSmallText, for a large message.
   * @param owner whom the work counts for
   * @throws Refusal
   */
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
