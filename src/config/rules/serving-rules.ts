import { accessSync, constants, statSync } from 'node:fs'
import { parsedUrl } from '../../base/parsed-url.ts'
import { isToken } from '../../session/credential.ts'
import { portPattern } from '../../upstream/hosts/hosts.ts'
import { normalizeApiUrl } from '../../upstream/hosts/url.ts'
import { isLoopback } from '../loopback.ts'
import { insteadOfEntries, isHarmless, tokenHint } from '../shown.ts'
import { entriesRule, type Rule } from './rule.ts'

function isWritableFolder(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** A host, with or without a port, as in a Host header. */
export const hostPattern = new RegExp(`^(?:\\[[\\da-f:.]+\\]|\\w[\\w.-]*)(?::(?:${portPattern}))?$`, 'i')

/** The origin of a browser extension or an application, which has a scheme of its own. */
export const appOriginPattern = /^[a-z][a-z\d+.-]*:\/\/[a-z\d][a-z\d.-]*$/

/** Rules about serving: by which transport, with whose tokens, and under which addresses. */
export const servingRules: readonly Rule[] = [
  {
    variables: ['FORGE_DOWNLOAD_DIR'],
    atStart: true,
    broken: config => config.FORGE_DOWNLOAD_DIR !== '' && !isWritableFolder(config.FORGE_DOWNLOAD_DIR),
    say: ({ FORGE_DOWNLOAD_DIR }) =>
      `FORGE_DOWNLOAD_DIR must be a folder that is there and may be written to${insteadOfEntries([FORGE_DOWNLOAD_DIR])}.`
  },
  {
    variables: ['STREAMABLE_HTTP', 'FORGE_PERSONAL_ACCESS_TOKEN'],
    broken: config => !config.STREAMABLE_HTTP && config.FORGE_PERSONAL_ACCESS_TOKEN === '',
    say: 'STREAMABLE_HTTP=false serves over stdio and needs FORGE_PERSONAL_ACCESS_TOKEN.'
  },
  {
    variables: ['REMOTE_AUTHORIZATION', 'FORGE_PERSONAL_ACCESS_TOKEN'],
    broken: config =>
      config.STREAMABLE_HTTP &&
      !config.REMOTE_AUTHORIZATION &&
      !config.FORGE_MCP_OAUTH &&
      config.FORGE_PERSONAL_ACCESS_TOKEN === '',
    say: 'Over HTTP set REMOTE_AUTHORIZATION=true (callers bring tokens) or FORGE_MCP_OAUTH=true (callers log in), or give FORGE_PERSONAL_ACCESS_TOKEN on a loopback HOST.'
  },
  {
    variables: ['REMOTE_AUTHORIZATION', 'FORGE_PERSONAL_ACCESS_TOKEN'],
    broken: config =>
      config.STREAMABLE_HTTP && config.REMOTE_AUTHORIZATION && config.FORGE_PERSONAL_ACCESS_TOKEN !== '',
    say: 'REMOTE_AUTHORIZATION=true and FORGE_PERSONAL_ACCESS_TOKEN exclude each other. For a client that starts this program by a command set STREAMABLE_HTTP=false, which serves over stdio; over HTTP set REMOTE_AUTHORIZATION=false to serve every call with that token, on a loopback HOST; or unset it, so that callers bring theirs.'
  },
  {
    variables: ['HOST', 'FORGE_PERSONAL_ACCESS_TOKEN'],
    broken: config =>
      config.STREAMABLE_HTTP && config.FORGE_PERSONAL_ACCESS_TOKEN !== '' && !isLoopback(config.HOST),
    say: 'FORGE_PERSONAL_ACCESS_TOKEN over HTTP serves everyone who can connect: set HOST to a loopback address. In a container nobody outside reaches that: leave the token out there, so that callers bring theirs.'
  },
  {
    variables: ['FORGE_PERSONAL_ACCESS_TOKEN'],
    broken: config =>
      config.FORGE_PERSONAL_ACCESS_TOKEN !== '' && !isToken(config.FORGE_PERSONAL_ACCESS_TOKEN),
    say: ({ FORGE_PERSONAL_ACCESS_TOKEN: token }) =>
      `FORGE_PERSONAL_ACCESS_TOKEN must be 20 to 2048 characters of a token alone, without blanks, and no NAME= before it.${/^https?:\/\//i.test(token) ? ' An address: FORGE_API_URL may be meant.' : ''}`
  },
  {
    variables: ['FORGE_API_URL'],
    broken: config => normalizeApiUrl(config.FORGE_API_URL) === undefined,
    say: ({ FORGE_API_URL }) =>
      `FORGE_API_URL must be an http or https URL with its scheme once, without user, query or fragment, and with no port above 65535.${schemeHint(FORGE_API_URL)}`
  },
  {
    variables: ['PORT', 'METRICS_PORT'],
    broken: config => config.METRICS_PORT !== 0 && config.METRICS_PORT === config.PORT,
    say: 'METRICS_PORT must differ from PORT.'
  },
  {
    variables: ['MCP_SERVER_URL'],
    broken: config => config.MCP_SERVER_URL !== '' && !isPublicUrl(config.MCP_SERVER_URL),
    say: ({ MCP_SERVER_URL }) =>
      `MCP_SERVER_URL must be an https URL (http only on a loopback host) without wildcard, query or fragment, and with no port above 65535.${isSeveral(MCP_SERVER_URL) ? ' It is one URL, its scheme once; more names go in MCP_ALLOWED_HOSTS.' : ''}${schemeHint(MCP_SERVER_URL)}`
  },
  entriesRule(
    'MCP_ALLOWED_HOSTS',
    entry => hostPattern.test(entry),
    'MCP_ALLOWED_HOSTS must list host names such as mcp.example.com, without a scheme, path, wildcard, dot in front or port above 65535.'
  ),
  entriesRule(
    'MCP_ALLOWED_ORIGINS',
    isOrigin,
    'MCP_ALLOWED_ORIGINS must list origins such as https://app.example or chrome-extension://id, in small letters and without a path, wildcard or default port.'
  )
]

/**
 * A hint for a host or an address with a path that lacks its scheme, and for an address that git clones from. An
 * address with a user other than `git` is not repeated.
 */
function schemeHint(value: string): string {
  const address = /^(?!https?\/)[\w-]+(?:\.[\w-]+)*(?::\d+)?(?:\/[^\s?#@]*)?$/.exec(value)?.[0]
  const meant = address ?? /^(?:ssh:\/\/)?git@([\w.-]+)[:/]/.exec(value)?.[1]
  if (meant === undefined || tokenHint(meant) !== '') return ''
  if (!isHarmless(meant))
    return address === undefined
      ? ' It is https:// and the host alone.'
      : ' Its scheme is missing: write https:// before it.'
  const [host] = meant.split(/[:/]/, 1)
  return ` ${isLoopback(host!) ? 'http' : 'https'}://${meant} may be meant.`
}

/** Whether a value has more than one URL, or the scheme twice: parsers take the second one for a host or a path. */
const isSeveral = (value: string): boolean => /[\s,;]|^.+https?:\/\//i.test(value)

function isPublicUrl(value: string): boolean {
  const url = isSeveral(value) ? undefined : parsedUrl(value)
  if (url === undefined || url.hostname.includes('*')) return false
  const secure = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
  return secure && url.search === '' && url.hash === '' && url.username === '' && url.password === ''
}

function isOrigin(value: string): boolean {
  const url = parsedUrl(value)
  if (url === undefined || value.includes('*')) return false
  const { origin, protocol } = url
  return origin === value || (protocol !== 'file:' && origin === 'null' && appOriginPattern.test(value))
}
