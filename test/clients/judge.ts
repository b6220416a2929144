import type { Expected } from './expected.ts'
import type { ScenarioName } from './scenarios.ts'
import type { FormName } from './servers.ts'

/** What came of one scenario. */
export interface Result {
  readonly form: FormName
  readonly scenario: ScenarioName
  /** What is worth saying of how it went. */
  readonly note?: string | undefined
  readonly failure?: string | undefined
  /** Why it was not tried. */
  readonly cannot?: string | undefined
}

/** What came of a client in one of its modes. */
export interface Line {
  readonly name: string
  readonly version: string
  readonly mode: string
  /** In which its calls were made, as it stood on the wire. */
  readonly revisions: readonly string[]
  readonly results: readonly Result[]
}

/** A client as a person names it. */
export const nameOf = ({ name, version, mode }: Pick<Line, 'name' | 'version' | 'mode'>): string =>
  mode === 'default' ? `${name} ${version}` : `${name} ${version} (${mode})`

/** Whether a client is known to fail there. */
export const isKnown = (
  expected: readonly Expected[],
  client: Pick<Line, 'name' | 'version' | 'mode'>,
  { form, scenario }: Pick<Result, 'form' | 'scenario'>
): boolean =>
  expected.some(
    ({ clients, forms, scenarios }) =>
      clients.includes(nameOf(client)) && forms.includes(form) && scenarios.includes(scenario)
  )

interface Verdict {
  readonly passed: number
  /** Failures that are known. */
  readonly known: number
  /** A sentence each: what fails and should not, and what should fail and does not. */
  readonly unexpected: readonly string[]
}

/** Holds what came of the clients that ran against what is expected of them. */
export function judge(lines: readonly Line[], expected: readonly Expected[]): Verdict {
  const unexpected: string[] = []
  let passed = 0
  let known = 0
  for (const line of lines)
    for (const result of line.results) {
      const { form, scenario, failure, cannot } = result
      if (cannot !== undefined) continue
      const isExpected = isKnown(expected, line, result)
      const where = `${nameOf(line)}, ${form}, ${scenario}`
      if (failure === undefined && isExpected)
        unexpected.push(`${where}: works, so take it off the list of expected failures`)
      else if (failure !== undefined && !isExpected) unexpected.push(`${where}: ${failure}`)
      else if (failure === undefined) passed++
      else known++
    }
  return { passed, known, unexpected }
}

/** Whom the list names that is not tried any more. */
export function unknownIn(expected: readonly Expected[], lines: readonly Line[]): string[] {
  const names = new Set(lines.map(nameOf))
  return expected.flatMap(({ clients }) => clients).filter(name => !names.has(name))
}
