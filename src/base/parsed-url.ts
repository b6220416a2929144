/** Of a name (RFC 1035: 253), the dot behind it, a colon and five digits of a port. */
const MAX_HOST_CHARS = 260

/**
 * What may be the host of a URL, with its port and without a user. Parsers take backslashes for slashes, any number of
 * them, and none behind a scheme. The origin of a blob: URL is parsed out of that within it.
 */
const hostIn =
  /^[\u0000-\u0020]*(?:blob:)?(?:[^\u0000-\u0020:/\\?#][^:/\\?#]*:|(?=[/\\]{2}))[/\\]*(?:[^/\\?#]*@)?([^/\\?#]*)/i

/**
 * Parses a URL of whoever wrote it, by WHATWG's URL standard. A host beyond ASCII is turned into Punycode, or back, in a
 * time that grows with the square of its letters: one longer than any host, as it is written, is refused before.
 * @param base of relative references; without it, only absolute URLs are taken
 * @returns undefined for what is no URL
 */
export function parsedUrl(text: string, base?: string): URL | undefined {
  const [, host = ''] = hostIn.exec(text.replaceAll(/[\t\n\r]/g, '')) ?? []
  return host.length > MAX_HOST_CHARS ? undefined : (URL.parse(text, base) ?? undefined)
}
