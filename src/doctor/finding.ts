/** The checks, in an order in which each check needs those before it. */
const checks = [
  'configuration',
  'listening',
  'downloads',
  'name',
  'proxy',
  'connection',
  'certificate',
  'forge',
  'graphql',
  'token',
  'projects',
  'login',
  'clock'
] as const
export type CheckName = (typeof checks)[number]

/** The result of a check: `skip` means that it could not be made, or was not needed. */
type State = 'ok' | 'warn' | 'fail' | 'skip'

/** One line of the report. */
export interface Finding {
  readonly state: State
  readonly check: CheckName
  readonly says: string
  /** What to do about it. */
  readonly advice?: string | undefined
}

/** Makes a finding. */
export const found = (state: State, check: CheckName, says: string, advice?: string): Finding => ({
  state,
  check,
  says,
  advice
})

/** A number of days in words. */
export const inDays = (days: number): string => `${days} ${days === 1 ? 'day' : 'days'}`

/**
 * The report as text. It also names the checks that were skipped.
 * @param why the reason why they were skipped
 */
export function printed(findings: readonly Finding[], why = 'mend what is above first'): string {
  const seen = new Set(findings.map(({ check }) => check))
  const missing = checks
    .filter(check => !seen.has(check))
    .map(check => found('skip', check, `not looked at: ${why}.`))
  const lines = [...findings, ...missing].map(({ state, check, says, advice }) => {
    const todo = advice === undefined ? '' : `\n${' '.repeat(6)}→ ${advice}`
    return `${state.padEnd(4)}  ${check}: ${says}${todo}`
  })
  const many = (wanted: State) => findings.filter(({ state }) => state === wanted).length
  const [failed, warned] = [many('fail'), many('warn')]
  const doubts = warned === 0 ? '' : `, but ${warned === 1 ? '1 warning is' : `${warned} warnings are`} above`
  const end = failed === 0 ? `Nothing is in the way${doubts}.` : `${failed} to mend.`
  return `${[...lines, '', end].join('\n')}\n`
}
