import type { Settings } from './load.ts'
import type { Variable } from './schema.ts'

/** Variables without which callers may do more. */
export const policies: readonly Variable[] = [
  'FORGE_READ_ONLY_MODE',
  'FORGE_DENIED_TOOLS_REGEX',
  'FORGE_CONFIRM',
  'FORGE_ALLOWED_PROJECT_IDS',
  'FORGE_DENY_SECRET_VALUES'
]

/** The same, if callers name their forge. */
const policiesOfHosts: readonly Variable[] = ['FORGE_ALLOWED_HOSTS', 'FORGE_DENY_PRIVATE_ADDRESSES']

/**
 * Whether callers may do more without a variable.
 * @param decided the settings from all sources
 */
export const isPolicy = (name: string, decided: Settings): boolean =>
  policies.some(policy => policy === name) ||
  (decided.ENABLE_DYNAMIC_API_URL === 'true' && policiesOfHosts.some(policy => policy === name))
