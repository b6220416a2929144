import { quoted, wordsOf } from '../../../src/results/visible.ts'

/** A pipeline or job in one of these goes no further by itself; `manual` is blocked until a person acts. */
const over = new Set<unknown>(['success', 'failed', 'canceled', 'skipped', 'manual'])

export const isOver = (status: unknown): boolean => over.has(status)

/** The forge's word for it, inside a sentence of ours. */
export const shown = (status: unknown): string => quoted(wordsOf(status).slice(0, 40))
