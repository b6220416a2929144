import { ConfigError } from '../../src/config/config-error.ts'
import { checkSettings, type Settings } from '../../src/config/load.ts'

/**
 * The problems that keep the service from starting with these settings, one sentence each.
 * @param more problems found before, in the command line
 */
export function problemsOf(settings: Settings, more: readonly string[] = []): readonly string[] {
  try {
    checkSettings(settings, more)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}
