import { quoted, wordsOf } from '../../../src/results/visible.ts'

/** States in which a pipeline or job does not go on by itself. `manual` waits for a person. */
const over = new Set<unknown>(['success', 'failed', 'canceled', 'skipped', 'manual'])

export const isOver = (status: unknown): boolean => over.has(status)

/** The forge's word for a status, for use in our own sentences. */
export const shown = (status: unknown): string => quoted(wordsOf(status).slice(0, 40))
