import { CallProblem, PolicyProblem } from '../results/problem.ts'
import { absentProject, withoutDefault } from './absent-project.ts'
import { argumentsOf } from './arguments/argument-flags.ts'
import { type Absent, argumentReader } from './arguments/arguments.ts'
import { clearedStep, fillersStep, keptSecretsStep } from './arguments/cleared.ts'
import { emptiedStep } from './arguments/emptied.ts'
import { ownNames } from './arguments/own-names.ts'
import { notRevealing } from './arguments/secret-values.ts'
import type { Check, OwnArguments } from './arguments/values.ts'
import { confirmable, withoutIdleConfirm } from './consent/consent.ts'
import type { ToolContext } from './context.ts'
import { notDoing } from './denied-doings.ts'
import type { Assumed } from './facts/reason.ts'
import { unnumberedCheck } from './files/line-numbers.ts'
import { isOfProjectOrGroup } from './requests/template.ts'
import { exactlyOne, timesInOrder, wordsAlone } from './rows/checks.ts'
import type { ToolRow } from './rows/row.ts'
import { eachThing } from './several.ts'
import { textCheck } from './texts/quick-actions.ts'
import { wordsForNoneCheck } from './texts/words-for-none.ts'
import { escapedTwiceStep, uncutCheck } from './texts/written-texts.ts'
import type { ToolSettings } from './tool-settings.ts'
import { eachWebUrl } from './web-urls/each.ts'
import { placeOfWebUrl } from './web-urls/place-argument.ts'
import { webUrlStep } from './web-urls/step.ts'
import { thingsStep } from './web-urls/things.ts'

interface Admitted extends Assumed {
  readonly args: OwnArguments
  /** How the arguments were understood, as sentences. */
  readonly said: string[]
}

/** Collects remarks on the arguments while they are read. */
interface Told extends Absent {
  readonly said: string[]
  /** The unused parts of addresses and the unused empty texts, which may explain why something is missing. */
  readonly unused: string[]
  guess?: readonly string[]
  filled?: string
}

/**
 * Prepares the reading of a call's arguments.
 * @returns a function (raw, context) that reads the arguments, fills in the project, and checks them against the policy
 *   and the rules over several of them; it throws CallProblem
 * @throws Error if the row is invalid
 */
export function admission(
  row: ToolRow,
  settings: ToolSettings
): (raw: unknown, context: ToolContext) => Admitted {
  const understand = understanding(row, settings)
  const lookAtEmpty = emptiedStep(row)
  const lookAtCleared = clearedStep(row)
  const lookAtBreaks = escapedTwiceStep(row)
  return (raw, context) => {
    const told: Told = { said: [], unused: [], emptied: [], nulls: [] }
    try {
      const args = understand(raw, context, told)
      const { said, unused, emptied, nulls, ...assumed } = told
      const none = [
        ...(lookAtEmpty?.({ emptied, nulls }, args) ?? []),
        ...(lookAtCleared?.(args) ?? []),
        ...(lookAtBreaks?.(args) ?? [])
      ]
      return { args, said: [...none, ...said, ...unused], ...assumed }
    } catch (error) {
      if (error instanceof CallProblem && !(error instanceof PolicyProblem))
        error.message = [error.message, ...told.unused].join(' ')
      throw error
    }
  }
}

/** Prepares the conversion of arguments to those of the row. They are checked, and `told` collects the remarks. */
function understanding(
  row: ToolRow,
  settings: ToolSettings
): (raw: unknown, context: ToolContext, told: Told) => OwnArguments {
  const { input } = confirmable(row, settings.confirm)
  const read = argumentReader(
    settings.defaultProject === '' ? input : withoutDefault(input),
    row.class === 'read'
  )
  const fields = argumentsOf(input)
  const asMeant = withoutIdleConfirm(row, input)
  const readThings = thingsStep(row)
  const readWebUrls = webUrlStep(row.input, row.class === 'read')
  const leaveFillers = fillersStep(row)
  const keepSecrets = keptSecretsStep(row)
  const readEach = row.kind === 'several' ? eachThing(row) : eachWebUrl(row)
  const absent = absentProject(row, settings)
  const isLimited = settings.projects.isLimit && 'project_id' in row.input.properties
  const checks = checksOf(row, settings)
  const checkTexts = textCheck(row.input)
  return (raw, context, told) => {
    const named = ownNames(asMeant(raw), fields, told.nulls)
    const args = read(readThings(named, context, told), told, context.unseenBudget)
    readWebUrls(args, context.forge.webUrl)
    const isNowhere = absent.isNowhere(args)
    const filled = isNowhere ? absent.fill(args) : undefined
    if (filled !== undefined) told.filled = filled
    readEach?.(args, context, told)
    told.unused.push(...(leaveFillers?.(args, told.emptied) ?? []))
    told.said.push(...(keepSecrets?.(args) ?? []))
    // Before any check refuses the arguments, so that the log line of the call has them in any case.
    context.admitted(args)
    // A tool without project_id is offered only if it shows nothing of projects, so it needs no check.
    if (isLimited) settings.projects.check(args, context.isStranger)
    if (isNowhere) absent.refuse(args)
    for (const check of checks) check(args)
    checkTexts(args, context.checkText)
    return args
  }
}

/** The checks of a row's arguments. Those that the policy requires come first. */
function checksOf(row: ToolRow, settings: ToolSettings): readonly Check[] {
  return [
    ...(settings.denySecretValues ? [notRevealing(row)] : []),
    ...notDoing(row, settings.isDenied),
    ...ownChecks(row),
    ...[uncutCheck(row, settings.isTool), unnumberedCheck(row), wordsForNoneCheck(row)].filter(
      check => check !== undefined
    )
  ]
}

/** The row's own checks, after those that its request requires. */
function ownChecks(row: ToolRow): readonly Check[] {
  const own = [
    ...timesInOrder(row.input.properties),
    ...wordsAlone(argumentsOf(row.input)),
    ...(row.check ?? [])
  ]
  const isOfEither = row.kind === 'rest' && [row.request].flat().some(isOfProjectOrGroup)
  return isOfEither ? [placeOfWebUrl, exactlyOne('project_id', 'group_id'), ...own] : own
}
