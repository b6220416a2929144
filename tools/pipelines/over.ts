import { isRecord } from '../../src/results/is-record.ts'
import { wordsOf } from '../../src/results/visible.ts'

/** Whether a pipeline or job, as the forge returns it after a change, has one of these statuses. */
export const hasStatus = (record: unknown, statuses: readonly string[]): boolean =>
  isRecord(record) && statuses.includes(wordsOf(record.status))

/** The notice about a pipeline or job that had ended before it could be canceled. The forge returns it unchanged. */
export const nothingCanceled = (record: unknown): string | undefined =>
  hasStatus(record, ['success', 'skipped', 'failed'])
    ? 'Nothing was canceled: it was over already.'
    : undefined
