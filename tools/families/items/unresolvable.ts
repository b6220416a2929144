import type { Reason } from '../../../src/engine/facts/reason.ts'

/**
 * The message for a comment that cannot be resolved.
 * @param threads words put before "can"
 * @param how words put after "can": how it becomes a thread
 */
export const standsAlone = (threads: string, how = ''): string =>
  `It is a comment that stands alone, and cannot be resolved: only threads${threads} can${how}.`

/**
 * Why a thread is not resolved. The forge gives the same message to callers without permission and for comments that
 * are no thread.
 * @param read template of the request that reads the thread
 * @param alone the message for a comment that stands alone
 */
export const unresolvable = (read: string, alone: string): Reason => ({
  statuses: [403],
  read,
  say: ({ notes }) =>
    Array.isArray(notes) &&
    notes.length < 2 &&
    notes.every((note: { resolvable?: unknown } | null) => note?.resolvable !== true)
      ? alone
      : undefined
})
