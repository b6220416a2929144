import type { RecordViews } from './views.ts'

/** Findings of security scanners. */
export const securityRecords = {
  vulnerability: { list: '* description:4000' }
} as const satisfies Readonly<Record<string, RecordViews>>
