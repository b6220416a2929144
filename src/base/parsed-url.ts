/** Most characters of a host: a name (RFC 1035: 253), a dot at its end, a colon and five digits of a port. */
const MAX_HOST_CHARS = 260

/**
 * Finds the text that may be the host of a URL, with its port and without a user. Parsers accept backslashes for
 * slashes, any number of them, and none after a scheme. The origin of a blob: URL is parsed from the URL within it.
 */
const hostIn =
  /^[\u0000-\u0020]*(?:blob:)?(?:[^\u0000-\u0020:/\\?#][^:/\\?#]*:|(?=[/\\]{2}))[/\\]*(?:[^/\\?#]*@)?([^/\\?#]*)/i

/**
 * Parses a URL from any source, by WHATWG's URL standard. Converting a host beyond ASCII to or from Punycode takes time
 * that grows with the square of its length. So a text whose host is longer than any real host is refused without
 * parsing.
 * @param base for relative references; without it, only absolute URLs are accepted
 * @returns undefined for a text that is no URL
 */
export function parsedUrl(text: string, base?: string): URL | undefined {
  const [, host = ''] = hostIn.exec(text.replaceAll(/[\t\n\r]/g, '')) ?? []
  return host.length > MAX_HOST_CHARS ? undefined : (URL.parse(text, base) ?? undefined)
}
