import { ConfigError } from '../../src/config/config-error.ts'
import { checkSettings, type Settings } from '../../src/config/load.ts'

/** What keeps settings from starting, one sentence each. @param more problems found before, of the command line */
export function problemsOf(settings: Settings, more: readonly string[] = []): readonly string[] {
  try {
    checkSettings(settings, more)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}
