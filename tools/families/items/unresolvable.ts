import type { Reason } from '../../../src/engine/facts/reason.ts'

/** @param threads what is said of them, before `can` @param how it becomes one, behind it */
export const standsAlone = (threads: string, how = ''): string =>
  `It is a comment that stands alone, and cannot be resolved: only threads${threads} can${how}.`

/**
 * Why a thread is not resolved: the forge uses the same message for callers who may not, and for what is no thread.
 * @param read a template of the thread
 * @param alone what is said of a comment that stands alone
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
