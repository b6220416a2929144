/** Written in place of a possible secret. */
export const MASK = '***'

/** An address with its query and user information masked, as both may hold secrets. */
export function maskedUrl(url: string): string {
  const [before = '', query] = url.split('?', 2)
  const bare = before.replace(/^(\w+:\/\/)[^/]*@/, `$1${MASK}@`).replace(/#.*/s, '')
  return query === undefined ? bare : `${bare}?${MASK}`
}
