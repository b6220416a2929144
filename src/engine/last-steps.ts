import { quoted } from '../results/visible.ts'
import type { OwnArguments } from './arguments/values.ts'
import { confirmStep, nameReader } from './consent/confirm.ts'
import { consentStep, unaskedStep } from './consent/consent.ts'
import type { ToolContext } from './context.ts'
import { lookupStep } from './names/lookup.ts'
import { namedStep } from './names/named.ts'
import { usernameStep } from './names/people.ts'
import { unmeantLabelsStep } from './names/unmeant-labels.ts'
import type { ToolRow } from './rows/row.ts'
import { wholeStep } from './texts/whole-texts.ts'
import type { ToolSettings } from './tool-settings.ts'
import { idAtWebUrl, milestoneTitle } from './web-urls/milestones.ts'

/**
 * Prepares the last steps before a row runs. They may ask the forge.
 * @returns a function (args, context) that looks up names, checks the confirmation of deletions, and asks a person if
 *   the policy requires it. It returns sentences on what was chosen, and throws CallProblem or the errors with which
 *   the forge refuses
 * @throws Error if the row is invalid
 */
export function lastSteps(
  row: ToolRow,
  settings: ToolSettings
): (args: OwnArguments, context: ToolContext) => Promise<readonly string[]> {
  const lookups = [
    ...[row.lookup ?? []].flat().map(lookup => lookupStep(lookup, row.class !== 'read')),
    unmeantLabelsStep(row.input)
  ].filter(step => step !== undefined)
  const readUsernames = usernameStep(row.input)
  const putNumbers = namedStep(row.input, settings.isDenied('create_label'), { idAtWebUrl, milestoneTitle })
  const refuseLoss = wholeStep(row, settings.isTool)
  const confirm = readingStep(row)
  const consent = consentStep(row, settings.confirm) ?? unaskedStep(row)
  return async (args, context) => {
    const remarks: string[] = []
    if (readUsernames !== undefined) await readUsernames(args, context)
    for (const fill of lookups) {
      const found = fill(args, context)
      const remark = found && (await found)
      if (remark !== undefined) remarks.push(remark)
    }
    // An await is skipped if there is nothing to do.
    if (putNumbers !== undefined) await putNumbers(args, context)
    const looking = refuseLoss?.(args, context)
    if (looking !== undefined) remarks.push(...(await looking))
    const name = confirm && (await confirm(args, context))
    if (consent !== undefined) await consent(args, context, name)
    return [...remarks, ...toldApart(row, name)]
  }
}

/** Reads a thing before it is changed, if it must be compared with what the caller says about it. */
function readingStep({ confirm, subject }: ToolRow) {
  if (confirm !== undefined) return confirmStep(confirm)
  return subject?.ofProject === true ? nameReader(subject) : undefined
}

/** Tells which one it was, if several have the same name. */
const toldApart = ({ confirm }: ToolRow, name: string | undefined): readonly string[] =>
  confirm?.beside === undefined || name === undefined ? [] : [`It was ${quoted(name)}.`]
