import type { Fields } from '../../json/records.ts'
import { CallProblem } from '../../results/problem.ts'
import { shortened } from '../../results/shortened.ts'
import { saidOfUnseen, sameLooking } from '../../results/unseen-in-names.ts'
import type { Arguments } from '../arguments/values.ts'
import type { ToolContext } from '../context.ts'
import { isProjectOf } from '../facts/id-of-path.ts'
import { fitting, parseTemplates, requestOf } from '../requests/template.ts'

/** Describes, as data, what is read of a record before a call acts on it by its number. */
export interface Confirmation {
  /** A template of the record, or several: the first whose placeholders are all given. */
  readonly read: string | readonly string[]
  /** The field that `confirm` must equal exactly. */
  readonly field: string
  /** The thing, in messages. */
  readonly noun: string
  /**
   * Whether its number is unique across all projects, so that a wrong number would be a thing of another project: the
   * record's `project_id` is then checked.
   */
  readonly ofProject?: boolean
  /** The form in which the field is shown, if it is not shown completely; `confirm` may equal that, too. */
  readonly shown?: (name: string) => string
  /**
   * A field that distinguishes it from others of the same name. It is shown beside the name, to the person and to the
   * caller.
   */
  readonly beside?: string
}

/** Most characters of a name if something is shown beside it: a longer name would leave no room for that. */
const MAX_NAME = 120

/**
 * @returns the record's name as it may be shown, and what is shown beside it
 * @throws CallProblem if `confirm` is not that name, and what ForgeClient.send throws
 */
type ConfirmStep = (args: Arguments, context: ConfirmContext) => Promise<string>

type ConfirmContext = Pick<ToolContext, 'forge' | 'names' | 'known'>

/**
 * Prepares the check before a deletion, so that a wrong number cannot delete the wrong thing. The message does not
 * reveal the name: a caller who deletes something should have read it first.
 */
export function confirmStep(confirmation: Confirmation): ConfirmStep {
  const { field, shown, beside } = confirmation
  const read = recordReader(confirmation)
  return async (args, context) => {
    const record = await read(args, context)
    const name = textOrNone(record, field)
    const short = name === undefined ? undefined : (shown?.(name) ?? name)
    if (short !== undefined && [name, short].includes(args.confirm as string)) {
      const other = beside === undefined ? undefined : textOrNone(record, beside)
      return other === undefined ? short : `${shortened(short, MAX_NAME)} ${other}`
    }
    throw unconfirmed(confirmation, name, args)
  }
}

function unconfirmed({ field, noun }: Confirmation, name: string | undefined, { confirm }: Arguments) {
  // Nobody could read the invisible characters that the name may have in addition.
  const other = name === undefined ? undefined : sameLooking(String(confirm), [name])
  return new CallProblem(
    `confirm is not the ${field} of this ${noun}. Nothing was done: read the ${noun}, and if it is the right one give its ${field} exactly as it is.${other === undefined ? '' : saidOfUnseen([other], String(confirm))}`
  )
}

/**
 * Prepares the reading of a record's name; undefined for a record without one.
 * @throws CallProblem for a record of another project
 */
export function nameReader(confirmation: Confirmation) {
  const read = recordReader(confirmation)
  return async (args: Arguments, context: ConfirmContext): Promise<string | undefined> =>
    textOrNone(await read(args, context), confirmation.field)
}

function textOrNone(record: Fields | undefined, field: string): string | undefined {
  const text = record?.[field]
  return typeof text === 'string' ? text : undefined
}

function recordReader({ read, noun, ofProject }: Confirmation) {
  const templates = [read].flat().flatMap(parseTemplates)
  return async (args: Arguments, context: ConfirmContext): Promise<Fields | undefined> => {
    const { value } = await context.forge.send(requestOf(fitting(templates, args), args))
    const record = value as Fields | undefined
    if (ofProject && !(await isProjectOf(args, record?.project_id, context)))
      throw new CallProblem(
        `This ${noun} is not of this project. Nothing was done: its number counts over all projects.`
      )
    return record
  }
}
