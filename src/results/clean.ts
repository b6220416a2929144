/**
 * Text of a forge is written by strangers. Characters that a person does not see but a model reads (tags,
 * bidirectional controls, zero-width ones) go, and so do credentials inside URLs.
 */
export function clean(text: string): string {
  const visible = invisible.test(text) ? text.replace(invisibles, '') : text
  return visible.includes('@') ? visible.replace(urlCredentials, '://') : visible
}

const invisible = /[\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u
const invisibles = new RegExp(invisible.source, 'gu')
/** The name has no colon, or a long row of colons would be tried in every way there is. */
const urlCredentials = /:\/\/[^\s/@":\\]+:[^\s/@"\\]*@/g
