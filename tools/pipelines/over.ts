import { isRecord } from '../../src/results/is-record.ts'

/** Whether a pipeline or job, as the forge gives it after a change, has one of these statuses. */
export const isOver = (record: unknown, statuses: readonly string[]): boolean =>
  isRecord(record) && statuses.includes(String(record.status))

/** What is said of a pipeline or job that is to be canceled and was over: the forge gives it as it is. */
export const nothingCanceled = (record: unknown): string | undefined =>
  isOver(record, ['success', 'skipped', 'failed']) ? 'Nothing was canceled: it was over already.' : undefined
