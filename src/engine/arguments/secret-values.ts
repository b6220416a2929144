import { PolicyProblem } from '../../results/problem.ts'
import type { ToolRow } from '../rows/row.ts'
import type { Check } from './values.ts'

/** FORGE_DENY_SECRET_VALUES: removes the arguments that ask for secret values from rows. */

/** The row as it is listed if nobody may see secret values. */
export function withoutRevealing(row: ToolRow): ToolRow {
  const denied = row.reveals ?? []
  if (denied.length === 0) return row
  const properties = Object.fromEntries(
    Object.entries(row.input.properties).filter(([name]) => !denied.includes(name))
  )
  return { ...row, input: { ...row.input, properties } }
}

/** @throws CallProblem if an argument asks for secret values */
export const notRevealing =
  (row: ToolRow): Check =>
  args => {
    const asked = row.reveals?.find(name => args[name] === true)
    if (asked !== undefined)
      throw new PolicyProblem(`${asked} is not allowed: this server shows no secret values. Call without it.`)
  }
