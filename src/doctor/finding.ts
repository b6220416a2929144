/** What was looked at, in the order in which one thing needs the one before. */
export const checks = [
  'configuration',
  'listening',
  'downloads',
  'name',
  'proxy',
  'connection',
  'certificate',
  'forge',
  'token',
  'projects',
  'clock'
] as const
export type Check = (typeof checks)[number]

/** What was found: `skip` is what could not be looked at, or need not be. */
export type State = 'ok' | 'warn' | 'fail' | 'skip'

/** One line of the report. */
export interface Finding {
  readonly state: State
  readonly check: Check
  readonly says: string
  /** What to do. */
  readonly advice?: string | undefined
}

export const found = (state: State, check: Check, says: string, advice?: string): Finding => ({
  state,
  check,
  says,
  advice
})

/** A time as a person writes it. */
export const inDays = (days: number): string => `${days} ${days === 1 ? 'day' : 'days'}`

/** The report as text; of what was not looked at it says so. */
export function printed(findings: readonly Finding[]): string {
  const seen = new Set(findings.map(({ check }) => check))
  const missing = checks
    .filter(check => !seen.has(check))
    .map(check => found('skip', check, 'not looked at: mend what is above first.'))
  const lines = [...findings, ...missing].map(({ state, check, says, advice }) => {
    const todo = advice === undefined ? '' : `\n${' '.repeat(6)}→ ${advice}`
    return `${state.padEnd(4)}  ${check}: ${says}${todo}`
  })
  const failed = findings.filter(({ state }) => state === 'fail').length
  const end = failed === 0 ? 'Nothing is in the way.' : `${failed} to mend.`
  return `${[...lines, '', end].join('\n')}\n`
}
