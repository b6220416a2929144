import { isRecord } from '../../src/results/is-record.ts'
import { maskedUrl } from '../../src/results/masked-url.ts'
import { eventsOn } from './events.ts'

/**
 * A webhook as it is shown: with its events as a list, without its tokens, headers and variables, and with the query
 * and user of its address masked. The path of the address stays, because it tells webhooks apart. The forge itself
 * hides only those parts of an address that were made variables.
 */
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
