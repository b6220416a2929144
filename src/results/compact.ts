import type { Fields, OwnFields } from '../json/records.ts'

/*
 * Reduces a forge's record to the fields that are useful for a model. Links, avatars and nulls make up most of the
 * bytes of a merge request, but carry none of its meaning. Records are changed in place: each belongs to the call that
 * read it, and a copy would cost as much as parsing did. Fields that are set to undefined are not written as JSON.
 */

/** Never returned, in either output mode: not every reader of a result is allowed to use them. */
const secrets = new Set([
  'runners_token',
  'registration_token',
  'authentication_token',
  'private_token',
  'incoming_email_token',
  'token',
  'secret',
  'signing_token',
  'approval_password',
  'ci_job_token',
  'feed_token',
  'static_object_token'
])
const noise = new Set(['_links', 'avatar_url', 'avatar_path'])

/** One lookup in this set shows that a field is in neither set, as with nearly all fields. */
const unwanted = new Set([...secrets, ...noise])

/** A record with facts about a token is not the token. */
const isSecret = (key: string, item: unknown): boolean =>
  secrets.has(key) && !(key === 'token' && isObject(item) && !Array.isArray(item))

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** A record without nulls, links and avatars, people as id, username and name, and no zero time_stats. */
export function compact(value: unknown): unknown {
  if (!isObject(value)) return value
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) if (isObject(value[at])) value[at] = compact(value[at])
    return value
  }
  return compactRecord(value as OwnFields)
}

function compactRecord(record: OwnFields): OwnFields {
  if (isPerson(record)) return { id: record.id, username: record.username, name: record.name }
  for (const key in record) {
    const item = record[key]
    if (item === null || (unwanted.has(key) && (noise.has(key) || isSecret(key, item))))
      record[key] = undefined
    else if (typeof item === 'object')
      record[key] = key === 'time_stats' && isZero(item as object) ? undefined : compact(item)
  }
  return record
}

/** The record as the forge sent it, except for secrets. */
export function withoutSecrets(value: unknown): unknown {
  if (!isObject(value)) return value
  if (Array.isArray(value)) {
    for (const item of value) withoutSecrets(item)
    return value
  }
  const record = value as OwnFields
  for (const key in record)
    if (isSecret(key, record[key])) record[key] = undefined
    else withoutSecrets(record[key])
  return record
}

/** A user as the forge embeds one in other records: it always comes with a state and an avatar. */
export const isPerson = (record: Fields): boolean =>
  'username' in record && 'avatar_url' in record && 'name' in record && 'state' in record

function isZero(stats: object): boolean {
  if (Array.isArray(stats)) return false
  for (const key in stats) {
    const part = (stats as Fields)[key]
    if (part !== 0 && part !== null) return false
  }
  return true
}
