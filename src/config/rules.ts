import { accessSync, constants, statSync } from 'node:fs'
import { parsedUrl } from '../base/parsed-url.ts'
import { decodeSecret } from '../seal/keyring.ts'
import { isToken } from '../session/credential.ts'
import { portPattern } from '../upstream/hosts/hosts.ts'
import { normalizeApiUrl } from '../upstream/hosts/url.ts'
import { isLoopback } from './loopback.ts'
import { networkRules } from './network-rules.ts'
import { oauthRules } from './oauth-rules.ts'
import { policyRules } from './policy-rules.ts'
import { entriesRule, type Rule } from './rule.ts'
import { type Config, factsOf } from './schema.ts'
import { insteadOfEntries, isHarmless, tokenHint } from './shown.ts'
import { toolRules } from './tool-rules.ts'
import { tracingRules } from './tracing-rules.ts'

const goodSecret = 'base64url of at least 32 random bytes, such as the output of: openssl rand -base64 48.'

/** Longer outputs of openssl, and of base64, are broken into lines. */
const inOneLine = (secret: string): string => (/\s/.test(secret) ? ' It is one line, without blanks.' : '')

const sameSecret = (one: string, other: string): boolean => {
  const bytes = decodeSecret(one)
  const others = decodeSecret(other)
  return bytes !== undefined && others !== undefined && bytes.equals(others)
}

/** Seconds after which an unused sealed session id is refused. */
export const sidAge = (config: Config): number =>
  config.OAUTH_STATELESS_SESSION_TTL_SECONDS ?? config.SESSION_TIMEOUT_SECONDS

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

/** All rules about values and combinations with which the service must not start. */
export const rules: readonly Rule[] = [
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
    say: 'FORGE_PERSONAL_ACCESS_TOKEN over HTTP serves everyone who can connect: set HOST to a loopback address.'
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
  ),
  {
    variables: ['OAUTH_STATELESS_MODE', 'OAUTH_STATELESS_SECRET'],
    broken: config => config.OAUTH_STATELESS_MODE && config.OAUTH_STATELESS_SECRET === '',
    say: `OAUTH_STATELESS_MODE=true needs OAUTH_STATELESS_SECRET: ${goodSecret}`
  },
  {
    variables: ['OAUTH_STATELESS_SECRET'],
    // Also outside this mode: the state that clients send back with a person's answer is sealed with this key.
    broken: config =>
      config.OAUTH_STATELESS_SECRET !== '' && decodeSecret(config.OAUTH_STATELESS_SECRET) === undefined,
    say: ({ OAUTH_STATELESS_SECRET }) =>
      `OAUTH_STATELESS_SECRET must be ${goodSecret}${inOneLine(OAUTH_STATELESS_SECRET)}`
  },
  {
    variables: ['OAUTH_STATELESS_SECRET_PREVIOUS'],
    broken: config =>
      config.OAUTH_STATELESS_SECRET_PREVIOUS !== '' &&
      decodeSecret(config.OAUTH_STATELESS_SECRET_PREVIOUS) === undefined,
    say: ({ OAUTH_STATELESS_SECRET_PREVIOUS }) =>
      `OAUTH_STATELESS_SECRET_PREVIOUS must be ${goodSecret}${inOneLine(OAUTH_STATELESS_SECRET_PREVIOUS)}`
  },
  {
    variables: ['OAUTH_STATELESS_SECRET', 'OAUTH_STATELESS_SECRET_PREVIOUS'],
    broken: config => sameSecret(config.OAUTH_STATELESS_SECRET, config.OAUTH_STATELESS_SECRET_PREVIOUS),
    say: 'OAUTH_STATELESS_SECRET_PREVIOUS must differ from OAUTH_STATELESS_SECRET: unset it when no rotation is going on.'
  },
  {
    variables: ['OAUTH_STATELESS_MODE', 'REMOTE_AUTHORIZATION', 'FORGE_PERSONAL_ACCESS_TOKEN'],
    broken: config =>
      config.OAUTH_STATELESS_MODE &&
      ((!config.REMOTE_AUTHORIZATION && !config.FORGE_MCP_OAUTH) ||
        config.FORGE_PERSONAL_ACCESS_TOKEN !== ''),
    say: 'OAUTH_STATELESS_MODE=true serves callers who bring their own tokens: set REMOTE_AUTHORIZATION=true or FORGE_MCP_OAUTH=true, and unset FORGE_PERSONAL_ACCESS_TOKEN.'
  },
  {
    variables: [
      'OAUTH_STATELESS_SID_REUSE_SECONDS',
      'OAUTH_STATELESS_SESSION_TTL_SECONDS',
      'SESSION_TIMEOUT_SECONDS'
    ],
    broken: config => config.OAUTH_STATELESS_SID_REUSE_SECONDS > sidAge(config),
    say: 'OAUTH_STATELESS_SID_REUSE_SECONDS must not exceed the age at which a session id ends, OAUTH_STATELESS_SESSION_TTL_SECONDS.'
  },
  {
    variables: ['OAUTH_STATELESS_MODE', 'STREAMABLE_HTTP'],
    broken: config => config.OAUTH_STATELESS_MODE && !config.STREAMABLE_HTTP,
    say: 'OAUTH_STATELESS_MODE=true is for serving over HTTP: set STREAMABLE_HTTP=true, or turn it off for stdio.'
  },
  ...policyRules,
  ...networkRules,
  ...oauthRules,
  ...tracingRules
]

/**
 * Returns the sentences of all broken rules, except those about `refused` variables.
 * @param tools names of all tools; undefined if they are not known
 * @param isAgain whether the service runs, and they are not those of its start
 */
export function brokenRules(
  config: Config,
  refused: ReadonlySet<string>,
  tools: readonly string[] | undefined,
  isAgain: boolean
): string[] {
  return [...rules, ...(tools === undefined ? [] : toolRules(tools))]
    .filter(({ atStart }) => !(isAgain && atStart))
    .filter(rule => !rule.variables.some(variable => refused.has(variable)) && rule.broken(config))
    .map(rule => sentenceOf(rule, config))
}

/** What a broken rule says; of one about a single variable also if a token is where none belongs. */
function sentenceOf({ variables: [variable, ...others], say }: Rule, config: Config): string {
  const says = typeof say === 'string' ? say : say(config)
  return others.length > 0 || factsOf(variable!).writeOnly
    ? says
    : says + tokenHint(String(config[variable!]))
}

/**
 * A hint for a host or an address with a path that lacks its scheme, and for the address that git clones from; of an
 * address with another user nothing is repeated.
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

/** Whether a value has more than one URL, or the scheme twice: parsers take the second for a host or a path. */
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
