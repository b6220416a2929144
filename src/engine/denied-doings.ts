import { isEmptyList } from '../results/is-record.ts'
import { PolicyProblem } from '../results/problem.ts'
import type { Check } from './arguments/values.ts'
import type { OthersByValue, ToolRow } from './rows/row.ts'
import type { ToolSettings } from './tool-settings.ts'

/** Whether an argument, with any value, does the work of a tool that the operator denies. */
export const isOff = (
  other: string | OthersByValue | undefined,
  isDenied: ToolSettings['isDenied']
): boolean => typeof other === 'string' && isDenied(other)

/** Checks that refuse arguments by which a tool would do the work of a denied tool. */
export function notDoing(
  { doesWith = {}, name }: ToolRow,
  isDenied: ToolSettings['isDenied']
): readonly Check[] {
  const refusal = (what: string, other: string, instead: string) =>
    new PolicyProblem(
      `${what} is not allowed: ${name} does with it what ${other} does, which is switched off on this server. ${instead}.`
    )
  return Object.entries(doesWith).flatMap(([argument, of]): Check[] => {
    if (typeof of === 'string') {
      if (!isOff(of, isDenied)) return []
      return [
        args => {
          if (args[argument] !== undefined && !isEmptyList(args[argument]))
            throw refusal(argument, of, 'Call without it')
        }
      ]
    }
    const off = new Map(Object.entries(of).map(([value, others]) => [value, [others].flat().find(isDenied)]))
    return [
      args => {
        const other = off.get(String(args[argument]))
        if (other !== undefined) throw refusal(`${argument}=${args[argument]}`, other, 'Give another value')
      }
    ]
  })
}
