/**
 * A configuration with which the service must not start; `problems` has one sentence for each problem, without secrets.
 */
export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
    this.problems = problems
  }
}
