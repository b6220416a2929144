import type { Static, TObject, TProperties } from 'typebox'
import type { Check } from '../engine/checks.ts'
import type { Confirmation } from '../engine/confirm.ts'
import type { ToolContext } from '../engine/context.ts'
import type { EditionNeed } from '../engine/edition.ts'
import type { FileSaid } from '../engine/files/file-output.ts'
import type { ReadFile } from '../engine/files/read-file.ts'
import type { ForgeSchema } from '../engine/forge-schema.ts'
import type { Lookup } from '../engine/lookup.ts'
import type { Reason } from '../engine/reason.ts'
import type { Placeholders } from '../engine/template.ts'
import type { Advice } from '../results/failure.ts'
import type { RecordName } from '../results/records/index.ts'
import type { ToolOutput } from '../results/result.ts'
import type { ClientCapability } from '../session/client.ts'
import type { SeveralRow } from './several.ts'

/*
 * A tool is a row of data. The row says what is listed, which request its arguments make and which part of the answer
 * is returned; the engine does the rest, the same way for every row.
 */

/** A destructive tool is also a write tool. */
export type ToolClass = 'read' | 'write' | 'destructive'

/** Types of records by the value of an argument. */
export interface RecordsBy {
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
   * For the model that chooses: what the tool does, verb first, and what goes before or after it. "It" is what
   * the name says.
   */
  summary: string
  input: TObject<P>
  /** The result's schema, for records this service defines itself; it is then also structuredContent. */
  output?: TObject
  /** The client capability that it needs; without it the tool is not run. */
  needs?: ClientCapability
  /** Rules over several arguments, asked before anything is sent. */
  check?: readonly Check[]
  /** Fills missing arguments from other arguments by asking the forge, one after the other. */
  lookup?: Lookup | readonly Lookup[]
  /** For what is deleted by a number: it is read first, and left alone unless `confirm` is its own name. */
  confirm?: Confirmation
  /**
   * How its thing is read and named, for one without `confirm` that FORGE_CONFIRM has a person asked about. With
   * `ofProject` it is always read.
   */
  subject?: Confirmation
  /** What a person is told who is asked about a destructive tool that can be undone. */
  undo?: string
  /**
   * It reaches beyond the project it names, by what it makes there, by whose records it shows, or as it follows a
   * record to the project that it is of: where projects are limited it is off, such records are left out, or nothing is
   * shown.
   */
  beyond?: 'makes' | 'shows' | 'follows'
  /** Tools whose work it does, too: where one of them is denied, so is this. */
  does?: readonly string[]
  /**
   * Arguments by which it does the work of another tool, too, by that tool, or by their values: refused where it is
   * denied.
   */
  doesWith?: Readonly<Record<string, string | OthersByValue>>
  /**
   * The type of its records, whose table says what a list, a get and a write show (results/records); or which
   * argument tells the type.
   */
  record?: RecordName | RecordsBy
  /** What is read to say why the forge refused, where its own words do not. */
  reason?: Reason
  /** The edition of the forge it takes, for a tool that not every forge has; errors say so (engine/edition.ts). */
  edition?: EditionNeed
  /** Flags that ask for secret values; FORGE_DENY_SECRET_VALUES takes them away. */
  reveals?: readonly string[]
  /**
   * What to do next where the forge refuses, or has too much to say, for reasons of this tool's own: by status, and
   * where that has several causes by the forge's words.
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
  /** Which of the templates it is, where that is not told by the placeholders. */
  choose?: (args: Values) => R extends readonly (infer One)[] ? One : R
  /** Argument name → the forge's name for it, where they differ. */
  rename?: Readonly<Record<string, string>>
  /** Sent with every call. */
  fixed?: Readonly<Record<string, unknown>>
  /** Arguments the engine or `shape` uses itself; they are not sent. */
  local?: readonly string[]
  /** String arguments that the forge wants as JSON numbers in a body. */
  numeric?: readonly string[]
  /** Turns the arguments into what is sent, where that is more than other names for them. */
  adapt?: (args: Record<string, unknown>, context: ToolContext) => Values | Promise<Values>
  /** What of the forge's record is returned; default all of it. */
  shape?: (value: unknown, args: Values, context: ToolContext, adapted: Values) => unknown
  /** The list is read to its end (engine/pages.ts). */
  whole?: Whole
  /**
   * What the forge's record, as it came, calls for saying besides; of a change it may ask the forge what became of it.
   */
  notice?: (
    value: unknown,
    args: Values,
    context: ToolContext
  ) => string | undefined | Promise<string | undefined>
  /**
   * The answer is a file and no record: read as it arrives, shown as text by lines (LineRange, `line_numbers`), as an
   * image, or not at all. Says what there is to say of it.
   */
  file?: (file: ReadFile, args: Values) => FileSaid
  /** The message of the result when the forge answers without a record (204). */
  done?: string | ((args: Values) => string)
  /**
   * On 404 of `request` this is sent instead, so that what does not exist is made; the result says `created` or
   * `updated`.
   */
  orElse?: OrElse
  /**
   * Statuses by which the forge says that it is so already, each with the message of the result, or the GET whose
   * record is the result.
   */
  already?: Readonly<Record<number, string>>
}

export interface OrElse {
  readonly request: string
  /** Turns the arguments into what is sent, where that is not what `request` was sent. */
  readonly adapt?: (args: Record<string, unknown>) => Values
  /** On 409 of it the change is tried once more: somebody else made it in between. */
  readonly again?: boolean
}

export interface Whole {
  /** What is kept of each record; default all. Dropping what is not needed bounds what a long list holds. */
  pick?: (record: Record<string, unknown>) => Record<string, unknown>
  /** Only where this argument is given, which the forge has no filter for; else what is asked for is a page. */
  with?: string
}

type Values = Readonly<Record<string, unknown>>

/** A row that is one GraphQL document. */
export interface GraphqlRow<P extends TProperties = TProperties> extends Listed<P> {
  /**
   * A constant text, or one made of constant texts for what is given and what the forge's schema has. Nothing of a
   * caller becomes part of it.
   */
  document: string | ((args: Static<TObject<P>>, schema: ForgeSchema) => string | Promise<string>)
  /** Turns the arguments into the document's variables; default the arguments themselves. */
  variables?: (args: Static<TObject<P>>, context: ToolContext) => Values | Promise<Values>
  /** The payload of a mutation: errors in it are told to the caller. */
  payload?: string | ((args: Static<TObject<P>>) => string)
  /** The error to tell, where the forge's own says too little. */
  explain?: (error: unknown, args: Static<TObject<P>>, context: ToolContext) => unknown
  /** A change that a repeated call leaves as it is. */
  idempotent?: boolean
  /** What of `data` is returned. @throws CallProblem where what was asked for is not there */
  shape: (data: Record<string, unknown>, args: Static<TObject<P>>, context: ToolContext) => unknown
  /** What `data` calls for saying besides. */
  notice?: (data: Values, args: Static<TObject<P>>) => string | undefined
}

/** A row that needs code: several requests, streams, or no request at all. */
export interface CustomRow<P extends TProperties = TProperties> extends Listed<P> {
  /** True when repeating the call changes nothing more (the MCP hint). */
  idempotent: boolean
  run: (args: Static<TObject<P>>, context: ToolContext) => Promise<ToolOutput>
}

/** A finished row, its input type forgotten. */
export type ToolRow =
  | ({ readonly kind: 'rest' } & RestRow)
  | ({
      readonly kind: 'graphql'
      readonly document: string | ((args: never, schema: ForgeSchema) => string | Promise<string>)
      readonly payload?: string | ((args: never) => string)
      readonly explain?: (error: unknown, args: never, context: ToolContext) => unknown
      readonly variables?: (args: never, context: ToolContext) => Values | Promise<Values>
      readonly shape: (data: Record<string, unknown>, args: never, context: ToolContext) => unknown
    } & Omit<GraphqlRow, 'document' | 'variables' | 'payload' | 'shape' | 'explain'>)
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
