import { isEmptyList } from '../results/is-record.ts'
import { CallProblem, PolicyProblem } from '../results/problem.ts'
import { quoted } from '../results/visible.ts'
import { argumentsOf } from './arguments/argument-flags.ts'
import { type Absent, argumentReader } from './arguments/arguments.ts'
import { clearedStep, keptSecretsStep } from './arguments/cleared.ts'
import { emptiedStep } from './arguments/emptied.ts'
import { ownNames } from './arguments/own-names.ts'
import { notRevealing } from './arguments/secret-values.ts'
import type { Arguments, Check } from './arguments/values.ts'
import { confirmStep, nameReader } from './consent/confirm.ts'
import { type ConfirmPolicy, confirmable, consentStep, withoutIdleConfirm } from './consent/consent.ts'
import type { ToolContext } from './context.ts'
import type { Assumed } from './facts/reason.ts'
import { unnumberedCheck } from './files/line-numbers.ts'
import { lookupStep } from './names/lookup.ts'
import { namedStep, titleStep } from './names/named.ts'
import { usernameStep } from './names/people.ts'
import { unmeantLabelsStep } from './names/unmeant-labels.ts'
import type { ProjectLimit } from './project-limit.ts'
import { isOfProjectOrGroup, parseTemplates, type Template } from './requests/template.ts'
import { exactlyOne, timesInOrder, wordsAlone } from './rows/checks.ts'
import type { OthersByValue, ToolRow } from './rows/row.ts'
import { eachThing } from './several.ts'
import { type TextRule, textCheck } from './texts/quick-actions.ts'
import { wholeStep } from './texts/whole-texts.ts'
import { escapedTwiceStep, uncutCheck } from './texts/written-texts.ts'
import { eachWebUrl } from './web-urls/each.ts'
import { idAtWebUrl, milestoneTitle } from './web-urls/milestones.ts'
import { placeOfWebUrl } from './web-urls/place-argument.ts'
import { webUrlStep } from './web-urls/step.ts'
import { thingsStep } from './web-urls/things.ts'

export interface ToolSettings {
  /** FORGE_PROJECT_ID: used if project_id is optional and missing, but for deletions; empty means none. */
  readonly defaultProject: string
  readonly projects: ProjectLimit
  /** FORGE_DENIED_TOOLS_REGEX */
  readonly isDenied: (tool: string) => boolean
  /** Whether a tool of that name exists: the pattern may fit any other word as well. */
  readonly isTool: (name: string) => boolean
  /** FORGE_DENY_SECRET_VALUES: secret values must not be requested. */
  readonly denySecretValues: boolean
  readonly checkText: TextRule
  /** FORGE_CONFIRM */
  readonly confirm: ConfirmPolicy
}

/** All steps before a row runs. Each throws CallProblem; `complete` also throws the errors of refusals by the forge. */
interface Ready {
  /**
   * Reads the arguments, fills in the project, and checks them against the policy and the rules over several of them.
   */
  admit(raw: unknown, context: ToolContext): Admitted
  /**
   * Looks up what is named, checks the confirmation of deletions, and asks a person if that is the policy.
   * @returns what was chosen, as sentences
   */
  complete(args: Record<string, unknown>, context: ToolContext): Promise<readonly string[]>
  /** What else may be meant by the arguments as given, once the forge has refused them; undefined for most tools. */
  readonly otherwise: ReturnType<typeof titleStep>
}

interface Admitted extends Assumed {
  readonly args: Record<string, unknown>
  /** How the arguments were understood, as sentences. */
  readonly said: string[]
}

/** What is to be said of the arguments, filled in while they are read. */
interface Told extends Absent {
  readonly said: string[]
  /** What is not used of addresses, which may be why something is missing. */
  readonly unused: string[]
  guess?: readonly string[]
  filled?: string
}

/** Prepares all steps before a row runs, once. @throws Error if the row is invalid */
export function readied(row: ToolRow, settings: ToolSettings): Ready {
  const { input } = confirmable(row, settings.confirm)
  const read = argumentReader(
    settings.defaultProject === '' ? input : withoutDefault(input),
    row.class === 'read'
  )
  const fields = argumentsOf(input)
  const asMeant = withoutIdleConfirm(row, input)
  const readThings = thingsStep(row)
  const readWebUrls = webUrlStep(row.input, row.class === 'read')
  const lookAtEmpty = emptiedStep(row)
  const lookAtCleared = clearedStep(row)
  const keepSecrets = keptSecretsStep(row)
  const lookAtBreaks = escapedTwiceStep(row)
  const readEach = row.kind === 'several' ? eachThing(row) : eachWebUrl(row)
  const namesProject = 'project_id' in row.input.properties
  // A project that nobody may name is not used as the default either.
  const fillProject = isOff(row.doesWith?.project_id, settings.isDenied)
    ? ''
    : takesDefaultProject(row)
      ? settings.defaultProject
      : settings.projects.only
  const mustName = settings.defaultProject !== '' && isNamedToDelete(row)
  const elsewhere = placesElsewhere(row)
  const isOfNone = goesWithNoProject(row)
  const ownChecks = [...notDoing(row, settings.isDenied), ...checksOf(row)]
  const checks = [
    ...(settings.denySecretValues ? [notRevealing(row)] : []),
    ...ownChecks,
    ...[uncutCheck(row, settings.isTool), unnumberedCheck(row)].filter(check => check !== undefined)
  ]
  const checkTexts = textCheck(row.input)
  const looks = [
    ...[row.lookup ?? []].flat().map(lookup => lookupStep(lookup, row.class !== 'read')),
    unmeantLabelsStep(row.input)
  ].filter(step => step !== undefined)
  const readUsernames = usernameStep(row.input)
  const putNumbers = namedStep(row.input, settings.isDenied('create_label'), { idAtWebUrl, milestoneTitle })
  const refuseLoss = wholeStep(row, settings.isTool)
  const confirm = readingStep(row)
  const consent = consentStep(row, settings.confirm)

  const understood = (raw: unknown, context: ToolContext, told: Told): Record<string, unknown> => {
    const named = ownNames(asMeant(raw), fields, told.nulls)
    const args = read(readThings(named, context, told), told)
    readWebUrls(args, context.forge.webUrl)
    const isNowhere = args.project_id === undefined && elsewhere.every(name => args[name] === undefined)
    if (namesProject && fillProject !== '' && isNowhere && !isOfNone(args)) {
      args.project_id = fillProject
      told.filled = fillProject
    }
    readEach?.(args, context, told)
    told.said.push(...(keepSecrets?.(args) ?? []))
    // Before any check refuses them, so that the log line of the call has them, too.
    context.admitted(args)
    // What names none is offered only where it leads to no project's things.
    if (namesProject && settings.projects.isLimit) settings.projects.check(args, context.isStranger)
    if (mustName && isNowhere && args.project_id === undefined) throw unnamed(row)
    for (const check of checks) check(args)
    checkTexts(args, context.checkText)
    return args
  }

  return {
    otherwise: titleStep(row.input),
    admit(raw, context) {
      const told: Told = { said: [], unused: [], emptied: [], nulls: [] }
      try {
        const args = understood(raw, context, told)
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
    },
    async complete(args, context) {
      const remarks: string[] = []
      if (readUsernames !== undefined) await readUsernames(args, context)
      for (const fill of looks) {
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
}

/** Reads a thing before it is changed, if it must be compared with what the caller says about it. */
function readingStep({ confirm, subject }: ToolRow) {
  if (confirm !== undefined) return confirmStep(confirm)
  return subject?.ofProject === true ? nameReader(subject) : undefined
}

/** Which of several of one name it was. */
const toldApart = ({ confirm }: ToolRow, name: string | undefined): readonly string[] =>
  confirm?.beside === undefined || name === undefined ? [] : [`It was ${quoted(name)}.`]

/** The row's own checks, after those that its request requires. */
function checksOf(row: ToolRow): readonly Check[] {
  const own = [
    ...timesInOrder(row.input.properties),
    ...wordsAlone(argumentsOf(row.input)),
    ...(row.check ?? [])
  ]
  const isOfEither = row.kind === 'rest' && [row.request].flat().some(isOfProjectOrGroup)
  return isOfEither ? [placeOfWebUrl, exactlyOne('project_id', 'group_id'), ...own] : own
}

const isOff = (other: string | OthersByValue | undefined, isDenied: ToolSettings['isDenied']): boolean =>
  typeof other === 'string' && isDenied(other)

/** Refuses arguments by which a tool would do what the operator denies. */
function notDoing({ doesWith = {}, name }: ToolRow, isDenied: ToolSettings['isDenied']): readonly Check[] {
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

/**
 * Arguments that name a place other than a project: if one is given, the default project is not used. What is also
 * named within a project, such as a label, is no place.
 */
function placesElsewhere(row: ToolRow): readonly string[] {
  const templates = row.kind === 'rest' ? [row.request].flat().flatMap(parseTemplates) : []
  const isOfProject = ({ names }: Template) => names.includes('project_id')
  const within = new Set(templates.filter(isOfProject).flatMap(({ names }) => names))
  const names = templates.flatMap(({ names }) => names).filter(name => !within.has(name))
  return [...new Set(['group_id', ...names])]
}

/** Whether what is given goes with no project, so that none can stand in. */
function goesWithNoProject({ noProject }: ToolRow): (args: Arguments) => boolean {
  if (noProject === undefined || noProject === true) return () => false
  const values = Object.entries(noProject)
  return args => values.some(([name, of]) => of.includes(String(args[name])))
}

/** Whether it deletes something of a project, or else of another place: that is too much to do where none is named. */
const isNamedToDelete = (row: ToolRow): boolean => row.class === 'destructive' && isProjectOptional(row)

const unnamed = ({ input }: ToolRow): CallProblem => {
  const name = 'group_id' in input.properties ? "'project_id' or 'group_id'" : "'project_id'"
  return new CallProblem(
    `${name} must be provided: the default project of this server does not stand in where something is deleted or removed.`
  )
}

/**
 * Adds to a required project_id the explanation why the default project is not used: whoever set one expects it to be.
 */
function withoutDefault(input: ToolRow['input']): ToolRow['input'] {
  const { project_id: project } = input.properties
  if (project === undefined || !(input.required ?? []).includes('project_id')) return input
  const lacking = 'a default project stands in only where it is optional'
  return { ...input, properties: { ...input.properties, project_id: { ...project, lacking } } }
}

/** Whether the default project applies, and not only that no other one is served. */
const takesDefaultProject = (row: ToolRow): boolean => isProjectOptional(row) && !isNamedToDelete(row)

/**
 * Whether it is of a project or of another place that is named. It is not if project_id is a number: then it filters a
 * list that also covers things outside projects.
 */
function isProjectOptional({ input, noProject }: ToolRow): boolean {
  const project = argumentsOf(input).project_id
  return (
    project !== undefined &&
    noProject !== true &&
    project.projectNumber !== true &&
    !(input.required ?? []).includes('project_id')
  )
}
