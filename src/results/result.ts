import { isLongerThan } from '../json/size.ts'
import type { ReplyHeaders } from '../upstream/connections/reply-headers.ts'
import { ForgeError } from '../upstream/errors.ts'
import { type ContentBlock, type OutputBlock, type TextBlock, writeBlocks } from './blocks.ts'
import { boundJson, boundText, type FirstItems, firstItems } from './bounds.ts'
import { cleanJson, cleanSource, cleanText, jsonOf } from './clean.ts'
import { compact, withoutSecrets } from './compact.ts'
import { cutStrings } from './cut-strings.ts'
import { isRecord } from './is-record.ts'
import { hasOldEnds, OLD_ENDS, withShownEnds } from './old-ends.ts'
import { paginationOf } from './pagination.ts'
import { FailedOutcome } from './problem.ts'
import { itemViewOf, type RecordName, type Shown, shownOf } from './records/index.ts'
import { kindLinkedBy, type ReferenceKinds } from './records/within.ts'
import { ReferencesOnly } from './references-only.ts'
import { type Selection, same } from './selection.ts'
import { shortened, startOf } from './shortened.ts'
import type { ToolClass } from './tool-class.ts'

/** The output of a tool, before it is written as an MCP result. */
export interface ToolOutput {
  /** A record or list, written as compact JSON. */
  readonly value?: unknown
  /** Set if the value was composed by this service and is not a record of the forge: it is shown as it is. */
  readonly own?: true | undefined
  /** The type of its records, if it is not the tool's. */
  readonly record?: RecordName | undefined
  /** Fields that this service adds to those of the forge's record. */
  readonly added?: Readonly<Record<string, unknown>>
  /** Plain text instead of a record: a log, a text file. */
  readonly text?: string
  /** Set if the text is that of a file, or a diff. */
  readonly isSource?: true
  /** Length of the whole text in characters, if `text` is only a part of it. */
  readonly textChars?: number | undefined
  /** Facts about the text, as JSON. */
  readonly about?: string | undefined
  /** Media type of the text, if it is known to be more than plain text. */
  readonly mediaType?: string | undefined
  /** Shown after the record or text, or alone if there is neither. */
  readonly blocks?: readonly OutputBlock[]
  /** Further text blocks: remarks, such as what is missing and how to get it. */
  readonly notices?: readonly string[]
  /** The error of a part of the call that failed, for the log line of the call; the value itself reports it, too. */
  readonly failed?: unknown
  /** Headers of the forge's answer, which may name further pages. */
  readonly page?: ReplyHeaders
}

/** The MCP CallToolResult, as far as this service uses it. */
export interface ToolResult {
  readonly content: readonly ContentBlock[]
  /**
   * The JSON of structuredContent. It is not parsed, because parsing a large value only to write it again would take
   * milliseconds.
   */
  readonly structuredJson?: string
  readonly isError?: true
}

/**
 * A result as JSON. The outer object is written by hand: nearly all of it is one text, and JSON.stringify writes a text
 * alone several times as fast as within an object.
 */
export function resultJson({ content, structuredJson, isError }: ToolResult): string {
  const structured = structuredJson === undefined ? '' : `,"structuredContent":${structuredJson}`
  return `{"content":[${content.map(blockJson).join(',')}]${structured}${isError === true ? ',"isError":true' : ''}}`
}

const blockJson = (block: ContentBlock): string =>
  block.type === 'text' ? `{"type":"text","text":${JSON.stringify(block.text)}}` : JSON.stringify(block)

/** The fields of a forge's records that are shown: those in the record table, or everything except secrets. */
export type Output = 'compact' | 'full'

export interface ResultPolicy {
  /** FORGE_OUTPUT, or X-Forge-Output for one request. */
  readonly output: Output
  /** FORGE_MAX_RESULT_CHARS */
  readonly maxChars: number
  /** Undefined if all kinds of records may be shown within others. */
  readonly referencesOnly?: ReferenceKinds | undefined
}

/** Properties of a tool on which its results depend. */
export interface ResultOf {
  /** Argument names. */
  readonly inputs: ReadonlySet<string>
  /** Whether the value is also returned as structuredContent. */
  readonly structured: boolean
  readonly class: ToolClass
  /** The type of the forge's records in the value, if there is a table for it. */
  readonly record: RecordName | undefined
}

/**
 * Writes a tool's output as an MCP result, compacted and bounded.
 * @param onCut called if something does not fit, while the result is written
 */
export function writeResult(
  output: ToolOutput,
  policy: ResultPolicy,
  tool: ResultOf,
  onCut: (notice: string) => void = () => {}
): ToolResult {
  const { inputs, structured } = tool
  const first = firstItems(output.value, policy.maxChars)
  const { value, common, each = same, references } = shownValue(output, first, policy, tool)
  const { text, notice } =
    output.text === undefined
      ? boundJson(value, policy.maxChars, inputs, each, first.total)
      : boundText(output.text, policy.maxChars, inputs, output.textChars)
  const clean = output.text === undefined ? cleanJson : output.isSource ? shownSource : cleanText
  const shown = clean(text)
  const blocks = writeBlocks(output.blocks ?? [], policy.maxChars)
  const cuts = notice === undefined ? blocks.notices : [...blocks.notices, notice]
  for (const cut of cuts) onCut(cut)
  const content: ContentBlock[] = [
    ...(isBlocksAlone(output) ? [] : [block(shown)]),
    // The second block, because clients look for it there.
    ...pagesOf(output, value, inputs).map(block),
    ...(common === undefined ? [] : [block(jsonOf({ in_each_record: common }))]),
    ...blocks.content,
    ...(output.about === undefined ? [] : [block(cleanJson(output.about))]),
    ...boundNotices(noticesOf(output, references)).map(block),
    ...(output.isSource
      ? ofSource(text, shown)
      : ofDescription(value, shown.length < text.length, policy)
    ).map(block),
    ...cuts.map(block)
  ]
  if (!structured) return { content }
  return {
    content,
    structuredJson: notice === undefined ? shown : cleanJson(wholeJson(value, policy.maxChars))
  }
}

const noticesOf = (
  { notices = [] }: ToolOutput,
  references: ReferencesOnly | undefined
): readonly string[] => (references === undefined ? notices : [...notices, ...references.notices])

/** As many notices as fit, each cleaned: they are not part of the text that the policy bounds. */
function boundNotices(notices: readonly string[]): readonly string[] {
  const shown: string[] = []
  let room = MAX_LOOKED_AT
  for (const notice of notices) {
    const left = notices.length - shown.length
    if (room <= 0)
      return [...shown, left === 1 ? '1 more notice is left out.' : `${left} more notices are left out.`]
    shown.push(said(notice))
    room -= Math.min(notice.length, MAX_SAID_CHARS)
  }
  return shown
}

const shownSource = (text: string): string => cleanSource(withShownEnds(text))

/** Remarks on differences between the shown text and the file. */
const ofSource = (text: string, shown: string): readonly string[] => [
  ...(shown.length < text.length ? [LEFT_OUT] : []),
  ...(hasOldEnds(text) ? [OLD_ENDS] : [])
]

const LEFT_OUT =
  'Invisible characters (such as a byte order mark) and passwords in URLs are left out of this text: writing it back whole would delete them from the file.'

/**
 * Remarks on differences between the shown description of a record and the stored one, which a change replaces as a
 * whole.
 */
function ofDescription(value: unknown, isShorter: boolean, { maxChars }: ResultPolicy): readonly string[] {
  const description = isShorter && isRecord(value) ? value.description : undefined
  if (typeof description !== 'string') return []
  const first = startOf(description, maxChars)
  return cleanText(first).length < first.length ? [LEFT_OUT_OF_PROSE] : []
}

const LEFT_OUT_OF_PROSE =
  'Invisible characters and passwords in URLs are left out of this description: writing it back whole would delete them from it.'

/** Most characters of a structured value that exceeds the limit for text: more than any forge's record has. */
const MAX_STRUCTURED_CHARS = 200_000

/**
 * The structured value as JSON. Clients check it against the schema, so it is whole even if the text is cut. If it
 * exceeds the limit, which no forge's record does, its strings are shortened.
 * @throws ForgeError too-large if it has too many parts
 */
function wholeJson(value: unknown, maxChars: number): string {
  const most = Math.max(maxChars, MAX_STRUCTURED_CHARS)
  const json = isLongerThan(value, most) ? cutStrings(value, most) : JSON.stringify(value)
  if (json === undefined) throw tooLargeToShow()
  return json
}

const tooLargeToShow = (): ForgeError =>
  new ForgeError('too-large', 'The forge’s answer is too large to be shown. Ask for less of it.')

const isBlocksAlone = ({ value, text, blocks }: ToolOutput): boolean =>
  blocks !== undefined && value === undefined && text === undefined

function pagesOf({ page }: ToolOutput, value: unknown, inputs: ReadonlySet<string>): readonly string[] {
  // A record that was made from a list has no further pages.
  if (page === undefined || !Array.isArray(value)) return []
  const pagination = paginationOf(page, inputs, value.length === 0)
  return pagination === undefined ? [] : [said(pagination)]
}

/**
 * The value as it is shown with this setting: the fields that the table of its type selects, compacted, or all of it;
 * records within it are reduced if need be. For a list, `each` does this when an item is written, unless it depends on
 * all items.
 */
function shownValue(
  { own, added, record: typed }: ToolOutput,
  { value, total }: FirstItems,
  policy: ResultPolicy,
  tool: ResultOf
): Shown & { readonly each?: Selection; readonly references?: ReferencesOnly | undefined } {
  const record = typed ?? tool.record
  const withAdded = (record: unknown) => (added === undefined ? record : { ...(record as object), ...added })
  if (own === true) return { value: withAdded(value) }
  const references = referencesFor(record, policy)
  const isFull = policy.output === 'full' && !isReferencesOnly(record, policy)
  const clean = isFull ? withoutSecrets : compact
  const finish: Selection = references === undefined ? clean : value => references.within(clean(value))
  const view = isFull || record === undefined ? same : itemViewOf(record, total)
  if (view !== undefined && Array.isArray(value) && added === undefined && !tool.structured)
    return { value, each: view === same ? finish : item => finish(view(item)), references }
  if (isFull || record === undefined) return { value: finish(withAdded(value)), references }
  const shown = shownOf(record, tool.class === 'read' ? 'get' : 'write', value)
  const common = finish(shown.common) as Shown['common']
  return { value: finish(withAdded(shown.value)), common, references }
}

/**
 * A value without a type was composed by a row's own code, and is not reduced. The caller's own record is not reduced
 * as another person's would be.
 */
function referencesFor(
  record: RecordName | undefined,
  { referencesOnly }: ResultPolicy
): ReferencesOnly | undefined {
  if (record === undefined || referencesOnly === undefined) return undefined
  const { person, ...others } = referencesOnly
  return new ReferencesOnly(record === 'you' ? others : referencesOnly)
}

/** Whether the records are whole ones of a kind that must be reduced, listed as references from another record. */
function isReferencesOnly(record: RecordName | undefined, { referencesOnly }: ResultPolicy): boolean {
  const kind = record && referencesOnly && kindLinkedBy(record)
  return kind !== undefined && referencesOnly?.[kind] !== undefined
}

/**
 * Most characters of a problem or notice: none needs more, and it may contain text of any length from a caller or
 * forge.
 */
const MAX_SAID_CHARS = 4000

/** Most characters that are read of a longer one, and of all notices of a result. */
const MAX_LOOKED_AT = 16 * MAX_SAID_CHARS

/** A result that tells the caller what to correct. @param error the error behind it, which may have a record */
export const problemResult = (text: string, error?: unknown): ToolResult => ({
  content: [...(error instanceof FailedOutcome ? [block(jsonOf(error.record))] : []), block(said(text))],
  isError: true
})

/** A text, cleaned and then cut. */
const said = (text: string): string => shortened(cleanText(startOf(text, MAX_LOOKED_AT)), MAX_SAID_CHARS)

const block = (text: string): TextBlock => ({ type: 'text', text })
