import type { Settings } from './load.ts'

/**
 * Whether calls go to FORGE_API_URL, or its default, if the caller names no forge. If callers may name a forge, the
 * default is not used: a token of another forge would be sent there.
 */
export const hasHomeForge = ({ FORGE_API_URL, ENABLE_DYNAMIC_API_URL }: Settings): boolean =>
  FORGE_API_URL !== undefined || ENABLE_DYNAMIC_API_URL !== 'true'
