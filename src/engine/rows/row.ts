import type { Static, TObject, TProperties } from 'typebox'
import type { Fields, OwnFields } from '../../json/records.ts'
import type { Advice } from '../../results/failure.ts'
import type { RecordName } from '../../results/records/index.ts'
import type { ToolOutput } from '../../results/result.ts'
import type { ToolClass } from '../../results/tool-class.ts'
import type { Arguments, Check, OwnArguments, Values } from '../arguments/values.ts'
import type { Confirmation } from '../consent/confirm.ts'
import type { NoticeContext, ToolContext } from '../context.ts'
import type { EditionNeed } from '../facts/edition.ts'
import type { ForgeSchema } from '../facts/forge-schema.ts'
import type { Reason } from '../facts/reason.ts'
import type { FileSaid } from '../files/file-output.ts'
import type { ReadFile } from '../files/read-file.ts'
import type { Lookup } from '../names/lookup.ts'
import type { Placeholders } from '../requests/template.ts'
import type { HiddenActions } from '../texts/left-actions.ts'

/*
 * A tool is a row of data. The row says what is listed, which request its arguments make and which part of the answer
 * is returned; the engine does the rest, the same way for every row.
 */

/** Types of records by the value of an argument. */
interface RecordsBy {
  readonly argument: string
  readonly of: Readonly<Record<string, RecordName>>
}

export type OthersByValue = Readonly<Record<string, string | readonly string[]>>

interface Listed<P extends TProperties> {
  /** Unique over all toolsets, at most 40 characters. */
  name: string
  class: ToolClass
  /**
   * It writes a file where the server runs. Such a tool is off if there is no folder for that, or if only reading is
   * allowed.
   */
  saves?: true
  /** A label for people, short and without articles. */
  title: string
  /**
   * For the model that chooses a tool: what the tool does, verb first, and what to do before or after it. "It" is the
   * thing in the name.
   */
  summary: string
  input: TObject<P>
  /**
   * The result's schema, for records that this service defines itself; they are then also returned as
   * structuredContent.
   */
  output?: TObject
  /** Rules over several arguments, checked before anything is sent. */
  check?: readonly Check[]
  /** Fills missing arguments from other arguments, by asking the forge. Several lookups run one after the other. */
  lookup?: Lookup | readonly Lookup[]
  /** For a thing that is deleted by its number: it is read first, and deleted only if `confirm` is its name. */
  confirm?: Confirmation
  /**
   * How the tool's thing is read and named, for a tool without `confirm` for which FORGE_CONFIRM requires asking a
   * person. With `ofProject` it is always read.
   */
  subject?: Confirmation
  /** What a person is told when asked about a destructive tool whose effect can be undone. */
  undo?: string
  /**
   * The tool reaches beyond the project that it names: by what it creates there, by whose records it shows, or by
   * following a record to its project. If projects are limited, the tool is off, such records are left out, or nothing
   * is shown, respectively.
   */
  beyond?: 'makes' | 'shows' | 'follows'
  /**
   * When no default project stands in for a missing `project_id`: never (`true`), because the caller's own things are
   * meant; or for these values of arguments, which belong to no project.
   */
  noProject?: true | Readonly<Record<string, readonly string[]>>
  /** Tools whose work it also does: if one of them is denied, so is this tool. */
  does?: readonly string[]
  /**
   * Arguments by which it does the work of another tool: each with that tool, or with the tools for each value of the
   * argument. They are refused if that tool is denied.
   */
  doesWith?: Readonly<Record<string, string | OthersByValue>>
  /**
   * Parts of its records that other tools show, by path (`note.body`), with the tools that show them: a part is left
   * out if one of these is denied. All tools with the same record need the same entry, because `X-Forge-Output: full`
   * shows the whole record. Whole records within others are recognized by their kind (results/records/within.ts).
   */
  shows?: Readonly<Record<string, string | readonly string[]>>
  /** Set if its answers do not show which quick actions of its texts the forge executed. */
  hiddenActions?: HiddenActions
  /**
   * The type of its records, whose table defines what is shown in a list, after a get and after a write
   * (results/records); or the argument that determines the type.
   */
  record?: RecordName | RecordsBy
  /** The record to read for an explanation of a refusal, if the forge's message does not give one. */
  reason?: Reason
  /**
   * The edition of the forge that the tool requires, if not every forge has it; errors mention it
   * (engine/facts/edition.ts).
   */
  edition?: EditionNeed
  /** Flags that request secret values; FORGE_DENY_SECRET_VALUES removes them. */
  reveals?: readonly string[]
  /**
   * Next steps for this tool if the forge refuses or its answer is too large: by status, and if a status has several
   * causes, by the forge's message.
   */
  advice?: Advice
}

/** A row that is one REST request, possibly after a lookup. */
export interface RestRow<
  P extends TProperties = TProperties,
  R extends string | readonly string[] = string | readonly string[]
> extends Listed<P> {
  /** A template, or several: the first whose placeholders are all given is used. */
  request: R
  /** Chooses one of the templates, if the placeholders do not determine it. */
  choose?: (args: Arguments) => R extends readonly (infer One)[] ? One : R
  /** Argument name → the forge's name for it, if they differ. */
  rename?: Readonly<Record<string, string>>
  /** Sent with every call. */
  fixed?: Readonly<Record<string, unknown>>
  /** Arguments the engine or `shape` uses itself; they are not sent. */
  local?: readonly string[]
  /** String arguments that the forge wants as JSON numbers in a body. */
  numeric?: readonly string[]
  /** Converts the arguments into what is sent, if more than renaming is needed. */
  adapt?: (args: OwnArguments, context: ToolContext) => Values | Promise<Values>
  /** The part of the forge's record that is returned; default all of it. Returns `Noted` to add a notice. */
  shape?: (value: unknown, args: Arguments, context: ToolContext, adapted: Values) => unknown
  /** Set if the list is read to its end (engine/requests/pages.ts). */
  whole?: Whole
  /**
   * A notice that the forge's record, as received, requires. It may ask the forge for more, and must do without if the
   * forge does not answer soon.
   */
  notice?: (
    value: unknown,
    args: Arguments,
    context: NoticeContext,
    adapted: Values
  ) => string | undefined | Promise<string | undefined>
  /**
   * Set if the answer is a file, not a record. The file is read as it arrives, and shown as text by lines (LineRange,
   * `line_numbers`), as an image, or not at all. Returns the facts and notices about it.
   */
  file?: (file: ReadFile, args: Arguments) => FileSaid
  /** The message of the result when the forge answers without a record (204). */
  done?: string | ((args: Arguments) => string)
  /**
   * Sent if the forge answers `request` with 404, to create what does not exist; the result says `created` or
   * `updated`.
   */
  orElse?: OrElse
  /**
   * Statuses by which the forge says that the state is already as requested, each with the message of the result, or
   * the GET whose record is the result.
   */
  already?: Readonly<Record<number, string>>
}

interface OrElse {
  readonly request: string
  /** Converts the arguments into what is sent, if that differs from what was sent for `request`. */
  readonly adapt?: (args: OwnArguments, context: ToolContext) => Values | Promise<Values>
  /**
   * Whether an answer is the thing. Any other that is not empty is words about it, and the result does not say `created`
   * or `updated`.
   */
  readonly is: (answer: unknown) => boolean
  /** If the answer is 409, the change is tried once more: somebody else has created the thing meanwhile. */
  readonly again?: boolean
  /** A notice about the created thing, in the same way; it never fails the call. */
  readonly notice?: (args: Arguments, context: NoticeContext) => Promise<string | undefined>
}

export interface Whole {
  /**
   * The part of each record that is kept; default all. Dropping unneeded parts bounds the memory that a long list
   * takes.
   */
  pick?: (record: OwnFields) => OwnFields
  /**
   * The list is read to its end only if this argument is given, for which the forge has no filter; otherwise one page
   * is read. The requested page is cut out of the list that the row's code returns.
   */
  with?: string
}

/** A row that is one GraphQL document. */
export interface GraphqlRow<P extends TProperties = TProperties> extends Listed<P> {
  /**
   * A constant text, or a text composed of constant parts, chosen by the given arguments and by the forge's schema. No
   * input of a caller becomes part of it.
   */
  document: string | ((args: Static<TObject<P>>, schema: ForgeSchema) => string | Promise<string>)
  /** Converts the arguments into the document's variables; default the arguments themselves. */
  variables?: (args: Static<TObject<P>>, context: ToolContext) => Values | Promise<Values>
  /** The payload field of a mutation: errors in it are reported to the caller. */
  payload?: string | ((args: Static<TObject<P>>) => string)
  /** The error to report instead of the forge's own if that says too little. */
  explain?: (error: unknown, args: Static<TObject<P>>, context: ToolContext) => unknown
  /** Whether a repeated call changes nothing more. */
  idempotent?: boolean
  /** Reads the texts that the call would replace, to check whether they would be lost. */
  stored?: (args: Static<TObject<P>>, context: ToolContext) => Promise<readonly string[]>
  /** The part of `data` that is returned. @throws CallProblem if the requested thing does not exist */
  shape: (data: Record<string, unknown>, args: Static<TObject<P>>, context: ToolContext) => unknown
  /** A notice that `data` requires. */
  notice?: (data: Fields, args: Static<TObject<P>>) => string | undefined
}

/** A row that needs code: several requests, streams, or no request at all. */
interface CustomRow<P extends TProperties = TProperties> extends Listed<P> {
  /** True when repeating the call changes nothing more (the MCP hint). */
  idempotent: boolean
  run: (args: Static<TObject<P>>, context: ToolContext) => Promise<ToolOutput>
}

/** A row that makes the call of another row for each of several things. */
export interface SeveralRow {
  /** The row whose call is made. */
  readonly of: ToolRow
  /** The argument with the things. */
  readonly argument: string
  /** The argument of `of` that identifies each thing. */
  readonly by: string
  /** Arguments of `of` that are given once, for all. */
  readonly shared: readonly string[]
  /** The part of a thing's record that is shown, given the arguments for it; default all of it. */
  readonly shown?: (record: Fields, asked: Arguments) => Fields
}

/** A finished row, without its input type. */
export type ToolRow =
  | ({ readonly kind: 'rest' } & RestRow)
  | ({
      readonly kind: 'graphql'
      readonly document: string | ((args: never, schema: ForgeSchema) => string | Promise<string>)
      readonly payload?: string | ((args: never) => string)
      readonly explain?: (error: unknown, args: never, context: ToolContext) => unknown
      readonly variables?: (args: never, context: ToolContext) => Values | Promise<Values>
      readonly stored?: (args: never, context: ToolContext) => Promise<readonly string[]>
      readonly shape: (data: Record<string, unknown>, args: never, context: ToolContext) => unknown
    } & Omit<GraphqlRow, 'document' | 'variables' | 'stored' | 'payload' | 'shape' | 'explain'>)
  | ({
      readonly kind: 'custom'
      readonly run: (args: never, context: ToolContext) => Promise<ToolOutput>
    } & Omit<CustomRow, 'run'>)
  | ({ readonly kind: 'several' } & SeveralRow & Listed<TProperties>)

type Unknown<R extends string | readonly string[], Names> = R extends string
  ? Exclude<Placeholders<R>, Names>
  : R extends readonly string[]
    ? Exclude<Placeholders<R[number]>, Names>
    : never

/** Makes the compiler refuse a template with a placeholder that the input does not have. */
type Known<P, R extends string | readonly string[]> = [Unknown<R, keyof P>] extends [never]
  ? unknown
  : { request: `{${Unknown<R, keyof P>}} is not an argument of this tool` }

/** A tool that is one REST request. */
export function rest<P extends TProperties, const R extends string | readonly string[]>(
  row: RestRow<P, R> & Known<P, R>
): ToolRow {
  return { kind: 'rest', ...(row as unknown as RestRow) }
}

/** A tool that is one GraphQL document. */
export function graphql<P extends TProperties>(row: GraphqlRow<P>): ToolRow {
  return { kind: 'graphql', ...row } as unknown as ToolRow
}

/** A tool that needs code of its own. */
export function custom<P extends TProperties>(row: CustomRow<P>): ToolRow {
  return { kind: 'custom', ...row } as unknown as ToolRow
}
