import { isRecord } from '../../src/results/is-record.ts'
import { eventsOn } from './events.ts'

/** The address without what may be a secret in it: its query and who it is for. */
export function maskedUrl(url: string): string {
  const [before = '', query] = url.split('?', 2)
  const bare = before.replace(/^(\w+:\/\/)[^/]*@/, '$1***@').replace(/#.*/s, '')
  return query === undefined ? bare : `${bare}?***`
}

/** A webhook as it is shown: its events as a list, nothing that is a secret. */
export function shownHook(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shownHook)
  if (!isRecord(value)) return value
  const { url_variables: _, custom_headers: __, token: ___, signing_token: ____, ...hook } = value
  const rest = Object.fromEntries(Object.entries(hook).filter(([name]) => !/_events$/.test(name)))
  return {
    ...rest,
    url: typeof value.url === 'string' ? maskedUrl(value.url) : undefined,
    events: eventsOn(value)
  }
}
