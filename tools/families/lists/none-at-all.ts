import type { Arguments } from '../../../src/engine/arguments/values.ts'
import { isEmptyList } from '../../../src/results/is-record.ts'

/** Whether a list has no records at all. An empty page after the first only lies behind its end. */
export const isNoneAtAll = (value: unknown, { page = 1 }: Arguments): boolean =>
  isEmptyList(value) && String(page) === '1'
