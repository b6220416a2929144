import type { IncomingMessage } from 'node:http'

/*
 * The target of a request as it was sent. It is not parsed as a URL, because not every target is one. Its query does
 * not become an object: if parameter names are numbers, V8 makes an array with room for all smaller numbers, which is
 * 40 times as long as the query.
 */

type Target = Pick<IncomingMessage, 'url'>

/** The path, without the query. */
export const pathOf = ({ url = '/' }: Target): string => url.split('?', 1)[0]!

/** The part after the `?`; empty if there is none. */
export function rawQueryOf({ url = '/' }: Target): string {
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at + 1)
}

/**
 * One parameter of the query as it was sent, still encoded. Undefined if it is missing, and empty if it occurs several
 * times: it must not be ambiguous which one counts.
 * @param name a name that no client encodes
 */
export function parameterOf(target: Target, name: string): string | undefined {
  const [, value, another] = `&${rawQueryOf(target)}`.split(`&${name}=`, 3)
  return another === undefined ? value?.split('&', 1)[0] : ''
}
