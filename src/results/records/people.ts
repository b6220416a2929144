import type { RecordViews } from './views.ts'

/** People as records of their own. Within other records, compact.ts shortens them. */
export const peopleRecords = {
  person: { list: 'id username name state web_url access_level role' },
  user: {
    list: 'id username name state bot job_title organization location bio:500 public_email local_time web_url created_at email is_admin last_activity_on external two_factor_enabled note'
  },
  you: {
    list: 'user{id username name state email is_admin bot web_url namespace_id} job{id name status ref web_url pipeline{id}} token{name scopes expires_at last_used_at active reason} forge{version revision enterprise reason}'
  },
  status: { list: 'emoji message availability clear_status_at' }
} as const satisfies Readonly<Record<string, RecordViews>>
