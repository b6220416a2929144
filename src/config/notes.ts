import { MAX_CALL_SECONDS } from '../base/longest-call.ts'
import { MIB } from '../base/units.ts'
import { heapLimit } from '../load/heap.ts'
import { decodeSecret, isGuessed } from '../seal/keyring.ts'
import { MAX_TOKEN_LENGTH } from '../session/credential.ts'
import { otherToken, variableForToken } from '../session/other-tokens.ts'
import { MAX_API_URL } from '../upstream/hosts/url.ts'
import { logNotes } from './log-notes.ts'
import { isLoopback } from './loopback.ts'
import { networkNotes } from './rules/network-rules.ts'
import { oauthNotes } from './rules/oauth-rules.ts'
import { policyNotes } from './rules/policy-rules.ts'
import { sidAge } from './rules/sealing-rules.ts'
import { toolNotes } from './rules/tool-rules.ts'
import { tracingNotes } from './rules/tracing-rules.ts'
import type { Config, Variable } from './schema.ts'
import { policyVariables } from './settings-file.ts'
import { unusedNotes } from './unused-settings.ts'

/**
 * All notes for the operator on a configuration that is accepted.
 * @param tools names of all tools; without them, patterns of names are not checked
 * @param changed the variables that have changed; undefined at the start
 */
export function notesOn(
  config: Config,
  tools: readonly string[] | undefined,
  changed: readonly Variable[] | undefined
): string[] {
  const ofTools = tools === undefined ? [] : toolNotes(config, tools)
  if (changed === undefined) return [...startNotes(config), ...ofTools]
  return [
    ...(changed.includes('LOG_LEVEL') ? logNotes(config) : []),
    ...(policyVariables.some(variable => changed.includes(variable)) ? ofTools : [])
  ]
}

/**
 * Most bytes of an idle session in memory, with the longest token and, if callers name their forge, the longest URL: a
 * session that calls of its caller share has that URL in its key as well.
 */
const sessionBytes = ({ ENABLE_DYNAMIC_API_URL }: Config): number =>
  1_152 + MAX_TOKEN_LENGTH + (ENABLE_DYNAMIC_API_URL ? 192 + 2 * MAX_API_URL : 0)

function tokenNotes({ FORGE_PERSONAL_ACCESS_TOKEN }: Config): string[] {
  const other = otherToken(FORGE_PERSONAL_ACCESS_TOKEN)
  if (other === undefined) return []
  const variable = variableForToken(FORGE_PERSONAL_ACCESS_TOKEN)
  return [
    `FORGE_PERSONAL_ACCESS_TOKEN: ${other}${variable === undefined ? '' : ` ${variable} may be meant.`}`
  ]
}

/**
 * Notes for the operator on a configuration with which the service starts.
 * @param heap most bytes of long-lived objects
 */
export function startNotes(config: Config, heap = heapLimit()): string[] {
  const notes: string[] = [
    ...tokenNotes(config),
    ...networkNotes(config),
    ...policyNotes(config),
    ...oauthNotes(config),
    ...tracingNotes(config),
    ...unusedNotes(config),
    ...logNotes(config)
  ]
  for (const name of ['OAUTH_STATELESS_SECRET', 'OAUTH_STATELESS_SECRET_PREVIOUS'] as const) {
    const secret = decodeSecret(config[name])
    if (secret !== undefined && isGuessed(secret))
      notes.push(
        `${name} repeats the same few bytes, so that it can be guessed: take the output of openssl rand -base64 48.`
      )
  }
  const isReached = config.STREAMABLE_HTTP && !isLoopback(config.HOST)
  if (isReached && config.MCP_SERVER_URL === '' && config.MCP_ALLOWED_HOSTS === '')
    notes.push('Any Host header is accepted: set MCP_SERVER_URL or MCP_ALLOWED_HOSTS to check it.')
  if (/^\w+:\/\/[^/]+\/(?:.*\/)?mcp\/*$/.test(config.MCP_SERVER_URL))
    notes.push(
      'MCP_SERVER_URL is the base of the service: clients are told to call its /mcp, so it hardly ends in /mcp itself.'
    )
  if (config.OAUTH_STATELESS_MODE && sidAge(config) <= MAX_CALL_SECONDS)
    notes.push(
      `OAUTH_STATELESS_SESSION_TTL_SECONDS: session ids end after ${sidAge(config)} seconds, and a call may take ${MAX_CALL_SECONDS}. The id of an answer that streams is of the beginning of the call, so it may have ended with it: set a longer age.`
    )
  const inMemory = config.STREAMABLE_HTTP && !config.OAUTH_STATELESS_MODE
  const mib = (bytes: number) => Math.round(bytes / MIB)
  const sessions = config.MAX_SESSIONS * sessionBytes(config)
  if (inMemory && sessions > heap / 2)
    notes.push(
      `MAX_SESSIONS take up to ${mib(sessions)} MiB with tokens of ${MAX_TOKEN_LENGTH} characters, more than half of Node’s heap (${mib(heap)} MiB): lower it, or raise --max-old-space-size.`
    )
  if (config.FORGE_CONFIRM !== 'off' && !isLoopback(config.HOST) && config.OAUTH_STATELESS_SECRET === '')
    notes.push(
      'FORGE_CONFIRM: with several replicas set OAUTH_STATELESS_SECRET, or a person’s answer counts on the one alone that asked.'
    )
  return notes
}
