import { decodeSecret } from '../../seal/keyring.ts'
import type { Config } from '../schema.ts'
import type { Rule } from './rule.ts'

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

/** Rules about sealing: the secrets, and the mode in which sessions are sealed. */
export const sealingRules: readonly Rule[] = [
  {
    variables: ['OAUTH_STATELESS_MODE', 'OAUTH_STATELESS_SECRET'],
    broken: config => config.OAUTH_STATELESS_MODE && config.OAUTH_STATELESS_SECRET === '',
    say: `OAUTH_STATELESS_MODE=true needs OAUTH_STATELESS_SECRET: ${goodSecret}`
  },
  {
    variables: ['OAUTH_STATELESS_SECRET'],
    // Also checked outside this mode: the state that clients send back with a person's answer is sealed with this key.
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
  }
]
