import type { ToolClass } from '../catalog/row.ts'
import { isLongerThan } from '../json-size.ts'
import type { ReplyHeaders } from '../upstream/answers/flight.ts'
import { ForgeError } from '../upstream/errors.ts'
import { type ContentBlock, type OutputBlock, type TextBlock, writeBlocks } from './blocks.ts'
import { boundJson, boundText } from './bounds.ts'
import { cleanJson, cleanSource, cleanText } from './clean.ts'
import { compact, withoutSecrets } from './compact.ts'
import { cutStrings } from './cut-strings.ts'
import { nextPageOf, numberOf } from './next-page.ts'
import { nextPageToken } from './page-token.ts'
import { itemViewOf, type RecordName, type Shown, shownOf } from './records/index.ts'
import type { Selection } from './selection.ts'
import { shortened } from './shortened.ts'

/** What a tool gives back, before it is written as an MCP result. */
export interface ToolOutput {
  /** A record or list, written as compact JSON. */
  readonly value?: unknown
  /** The value is no record of the forge, but what this service has to say of it. */
  readonly own?: true | undefined
  /** The type of its records, where it is not the one of the tool. */
  readonly record?: RecordName | undefined
  /** Fields of this service's own beside those of the forge's record. */
  readonly added?: Readonly<Record<string, unknown>>
  /** Plain text instead of a record: a log, a text file. */
  readonly text?: string
  /** The text is of a file, or a change of one. */
  readonly isSource?: true
  /** Characters of the whole text, where `text` is no more of it than is shown. */
  readonly textChars?: number | undefined
  /** What there is to know of the text, as JSON. */
  readonly about?: string | undefined
  /** Of the text, where it is known to be more than plain. */
  readonly mediaType?: string | undefined
  /** Shown after the record or text, or in its place where there is neither. */
  readonly blocks?: readonly OutputBlock[]
  /** Further text blocks: what is missing and how to get it. */
  readonly notices?: readonly string[]
  /** Why a part of the call failed, of which the value says so in its place: for its line. */
  readonly failed?: unknown
  /** Headers of the forge's answer that may say there are more pages. */
  readonly page?: ReplyHeaders
}

/** MCP CallToolResult, as far as this service uses it. */
export interface ToolResult {
  readonly content: readonly ContentBlock[]
  readonly structuredContent?: unknown
  readonly isError?: true
}

/**
 * A result as JSON. The object around the texts is written by hand: nearly all of it is one text, which JSON.stringify
 * writes several times as fast alone as within an object.
 */
export function resultJson({ content, structuredContent, isError }: ToolResult): string {
  const structured =
    structuredContent === undefined ? '' : `,"structuredContent":${JSON.stringify(structuredContent)}`
  return `{"content":[${content.map(blockJson).join(',')}]${structured}${isError === true ? ',"isError":true' : ''}}`
}

const blockJson = (block: ContentBlock): string =>
  block.type === 'text' ? `{"type":"text","text":${JSON.stringify(block.text)}}` : JSON.stringify(block)

/** What is shown of a forge's records: what its table says, or all but secrets. */
export type Output = 'compact' | 'full'

export interface ResultPolicy {
  /** FORGE_OUTPUT, or X-Forge-Output for one request. */
  readonly output: Output
  /** FORGE_MAX_RESULT_CHARS */
  readonly maxChars: number
}

/** What of a tool its results depend on. */
export interface ResultOf {
  /** Argument names. */
  readonly inputs: ReadonlySet<string>
  /** The value is also returned as structuredContent. */
  readonly structured: boolean
  readonly class: ToolClass
  /** The type of the forge's records in the value, where there is a table for it. */
  readonly record: RecordName | undefined
}

/**
 * Writes a tool's output as an MCP result, compacted and bounded.
 * @param onCut told of what does not fit into it, as the result is
 */
export function writeResult(
  output: ToolOutput,
  policy: ResultPolicy,
  tool: ResultOf,
  onCut: (notice: string) => void = () => {}
): ToolResult {
  const { inputs, structured } = tool
  const { value, common, each = same } = shownValue(output, policy, tool)
  const { text, notice } =
    output.text === undefined
      ? boundJson(value, policy.maxChars, inputs, each)
      : boundText(output.text, policy.maxChars, inputs, output.textChars)
  const clean = output.text === undefined ? cleanJson : output.isSource ? cleanSource : cleanText
  const shown = clean(text)
  const blocks = writeBlocks(output.blocks ?? [], policy.maxChars)
  const cuts = notice === undefined ? blocks.notices : [...blocks.notices, notice]
  for (const cut of cuts) onCut(cut)
  const content: ContentBlock[] = [
    ...(isBlocksAlone(output) ? [] : [block(shown)]),
    // The second block, as clients look for it there.
    ...pagesOf(output, value, inputs).map(block),
    ...(common === undefined ? [] : [block(cleanJson(JSON.stringify({ in_each_record: common })))]),
    ...blocks.content,
    ...(output.about === undefined ? [] : [block(cleanText(output.about))]),
    ...(output.notices ?? []).map(text => block(said(text))),
    ...(output.isSource && shown.length < text.length ? [block(LEFT_OUT)] : []),
    ...cuts.map(block)
  ]
  if (!structured) return { content }
  const whole = notice === undefined ? shown : cleanJson(structuredJson(value, policy.maxChars))
  return { content, structuredContent: JSON.parse(whole) }
}

const LEFT_OUT =
  'Invisible characters (such as a byte order mark) and passwords in URLs are left out of this text: writing it back whole would delete them from the file.'

/** Characters of a structured value that is longer than its text may be: more than forges have. */
const MAX_STRUCTURED_CHARS = 200_000

/**
 * Clients check it against the schema, so it is whole even where the text is cut; of what no forge has, texts are
 * shorter.
 * @throws ForgeError too-large where it has too many parts
 */
function structuredJson(value: unknown, maxChars: number): string {
  const most = Math.max(maxChars, MAX_STRUCTURED_CHARS)
  const json = isLongerThan(value, most) ? cutStrings(value, most) : JSON.stringify(value)
  if (json === undefined) throw tooLargeToShow()
  return json
}

const tooLargeToShow = (): ForgeError =>
  new ForgeError('too-large', 'The forge’s answer is too large to be shown. Ask for less of it.')

const isBlocksAlone = ({ value, text, blocks }: ToolOutput): boolean =>
  blocks !== undefined && value === undefined && text === undefined

/** That a list has more pages, or that there is no such page of it, which is said by a block of JSON or a sentence. */
function pagesOf({ page }: ToolOutput, value: unknown, inputs: ReadonlySet<string>): readonly string[] {
  // A record made of a list has no more pages of its own.
  if (page === undefined || !Array.isArray(value)) return []
  const pagination = paginationOf(page, inputs, value.length === 0)
  return pagination === undefined ? [] : [said(pagination)]
}

const same: Selection = value => value

/**
 * The value as the policy wants it shown: the parts that the table of its type names, compacted, or all of it. Of a
 * list `each` does that when an item is written, unless it has to be known of all of them.
 */
function shownValue(
  { value, own, added, record: typed }: ToolOutput,
  { output }: ResultPolicy,
  tool: ResultOf
): Shown & { readonly each?: Selection } {
  const record = own === true ? undefined : (typed ?? tool.record)
  const withAdded = (record: unknown) => (added === undefined ? record : { ...(record as object), ...added })
  const each = output === 'full' ? withoutSecrets : record === undefined ? compact : itemViewOf(record, value)
  if (each !== undefined && Array.isArray(value) && added === undefined && !tool.structured)
    return { value, each: output === 'full' ? each : item => compact(each(item)) }
  if (output === 'full') return { value: withoutSecrets(withAdded(value)) }
  if (record === undefined) return { value: compact(withAdded(value)) }
  const shown = shownOf(record, tool.class === 'read' ? 'get' : 'write', value)
  return { value: compact(withAdded(shown.value)), common: compact(shown.common) as Shown['common'] }
}

/** No problem or notice needs more words; what a caller or a forge sent may be in it, and is of any length. */
const MAX_SAID_CHARS = 4000

/** Of a longer one the rest is not even looked at. */
const MAX_LOOKED_AT = 16 * MAX_SAID_CHARS

/** A result that tells the caller what to put right. */
export const problemResult = (text: string): ToolResult => ({ content: [block(said(text))], isError: true })

/** Cleaned before it is cut, and cut between words first: half a URL does not show that it has a credential. */
function said(text: string): string {
  const looked =
    text.length > MAX_LOOKED_AT ? text.slice(0, Math.max(0, text.lastIndexOf(' ', MAX_LOOKED_AT))) : text
  return shortened(cleanText(looked), MAX_SAID_CHARS)
}

const block = (text: string): TextBlock => ({ type: 'text', text })

/** Says of a page that is none how many there are, where the forge counts; undefined for any other. */
function pastTheEnd(headers: ReplyHeaders, isEmpty: boolean): string | undefined {
  const [page, pages, total] = ['x-page', 'x-total-pages', 'x-total'].map(name => numberOf(headers[name]))
  if (page === undefined || page === 1) return undefined
  if (pages === undefined) return isEmpty ? `There is no page ${page}: the list ends before it.` : undefined
  if (page <= Math.max(pages, 1)) return undefined
  return `There is no page ${page}: the list has ${pages}${total === undefined ? '' : `, ${total} records in all`}.`
}

/** The pagination block of a list that has more pages; totals only when the forge knows them. */
function paginationOf(
  headers: ReplyHeaders,
  inputs: ReadonlySet<string>,
  isEmpty: boolean
): string | undefined {
  // A tool that goes on by token has no page to give it, unless it takes both.
  const token = inputs.has('page_token') ? nextPageToken(headers) : undefined
  const next = nextPageOf(headers)
  if (token !== undefined && !(inputs.has('page') && token.startsWith('page=')))
    return JSON.stringify({ pagination: { next_page_token: token } })
  if (next === undefined) return pastTheEnd(headers, isEmpty)
  const known: [string, number | undefined][] = [
    ['page', numberOf(headers['x-page'])],
    ['per_page', numberOf(headers['x-per-page'])],
    ['next_page', next],
    ['total', numberOf(headers['x-total'])],
    ['total_pages', numberOf(headers['x-total-pages'])]
  ]
  return JSON.stringify({ pagination: Object.fromEntries(known.filter(([, value]) => value !== undefined)) })
}
