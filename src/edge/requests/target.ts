import type { IncomingMessage } from 'node:http'

/*
 * The target of a request as it was sent. It is not parsed as a URL, because not every one is, and its query becomes no
 * record: of names that are numbers V8 makes an array with room for all smaller ones, 40 times as long as the query.
 */

type Target = Pick<IncomingMessage, 'url'>

/** The path, without the query. */
export const pathOf = ({ url = '/' }: Target): string => url.split('?', 1)[0]!

/** What is behind the `?`; empty without one. */
export function rawQueryOf({ url = '/' }: Target): string {
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at + 1)
}

/**
 * One parameter of the query as it was sent, encoded. Undefined if there is none, and empty if there are several: which of
 * them counts must not be ambiguous.
 * @param name one that is not encoded by anybody
 */
export function parameterOf(target: Target, name: string): string | undefined {
  const [, value, another] = `&${rawQueryOf(target)}`.split(`&${name}=`, 3)
  return another === undefined ? value?.split('&', 1)[0] : ''
}
