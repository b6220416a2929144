import type { RecordViews } from './index.ts'

/** What scanners found. */
export const securityRecords = {
  vulnerability: { list: '* description:4000' }
} as const satisfies Readonly<Record<string, RecordViews>>
