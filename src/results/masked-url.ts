/** Stands for what may be a secret. */
export const MASK = '***'

/** The address without what may be a secret in it: its query and who it is for. */
export function maskedUrl(url: string): string {
  const [before = '', query] = url.split('?', 2)
  const bare = before.replace(/^(\w+:\/\/)[^/]*@/, `$1${MASK}@`).replace(/#.*/s, '')
  return query === undefined ? bare : `${bare}?${MASK}`
}
