import type { RecordViews } from './views.ts'

/** Webhooks, as tools/webhooks/record.ts returns them. */
export const webhookRecords = {
  webhook: {
    list: 'id name description url events push_events_branch_filter branch_filter_strategy enable_ssl_verification alert_status disabled_until token_present created_at'
  }
} as const satisfies Readonly<Record<string, RecordViews>>
