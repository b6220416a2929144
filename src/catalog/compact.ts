/*
 * What of a forge's record is worth a model's attention. Links, avatars and nulls are most of the bytes of
 * a merge request and none of its meaning.
 */

/** Never returned, in either output mode: a reader of a result is not always who may use them. */
const secrets = new Set([
  'runners_token',
  'approval_password',
  'ci_job_token',
  'feed_token',
  'static_object_token'
])
const noise = new Set(['_links', 'avatar_url', 'avatar_path'])

/** A record without nulls, links and avatars, people as id, username and name, and no zero time_stats. */
export function compact(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(compact)
  const record = value as Record<string, unknown>
  if (isPerson(record)) return { id: record.id, username: record.username, name: record.name }
  const kept: Record<string, unknown> = {}
  for (const key in record) {
    const item = record[key]
    if (item === null || noise.has(key) || secrets.has(key)) continue
    if (key === 'time_stats' && isZero(item)) continue
    kept[key] = typeof item === 'object' ? compact(item) : item
  }
  return kept
}

/** The record as the forge sent it, but for secrets. */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutSecrets)
  const kept: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) if (!secrets.has(key)) kept[key] = withoutSecrets(item)
  return kept
}

/** A user as the forge embeds one in other records: it always comes with a state and an avatar. */
const isPerson = (record: Record<string, unknown>): boolean =>
  'username' in record && 'avatar_url' in record && 'name' in record && 'state' in record

const isZero = (stats: unknown): boolean =>
  typeof stats === 'object' &&
  stats !== null &&
  Object.values(stats).every(part => part === 0 || part === null)
