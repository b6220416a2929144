import type { Config, Variable } from './schema.ts'

/**
 * A combination of variables that must not start. `broken` looks at values that are
 * each valid on their own; a rule about a variable whose value was already refused is not asked.
 */
export interface Rule {
  variables: readonly Variable[]
  broken: (config: Config) => boolean
  say: string
}
