import type { Writer } from '../calls/run.ts'
import type { ContentBlock } from '../results/blocks.ts'
import { CallProblem } from '../results/problem.ts'
import { type ToolOutput, type ToolResult, writeResult } from '../results/result.ts'
import type { ResourceRow } from './row.ts'

/** MCP ResourceContents. */
export interface ResourceContents {
  readonly uri: string
  readonly mimeType: string
  readonly text?: string
  readonly blob?: string
}

/**
 * Writes the output of a tool as the contents of a resource, bounded and cleaned like results: first the content, then,
 * under a separate URI, remarks about it, such as where it was cut.
 */
export const contentsWriter = (uri: string, row: ResourceRow): Writer<readonly ResourceContents[]> => ({
  write: (output, policy, tool, onCut) =>
    contentsOf(uri, row, writeResult({ ...output, about: undefined }, policy, tool, onCut), output),
  of: (result, output) => contentsOf(uri, row, result, output)
})

function contentsOf(
  uri: string,
  { shows, mimeType }: ResourceRow,
  { content }: ToolResult,
  output: ToolOutput
): readonly ResourceContents[] {
  const isText = shows === 'record' || output.text !== undefined
  const main = isText ? content[0] : content.find(({ type }) => type === 'image' || type === 'audio')
  // The first text beside an image, or in place of content that cannot be shown, is a remark about it.
  const others = isText || output.value !== undefined ? content.slice(1) : content
  const remarks = others.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n')
  if (main === undefined || isNothing(output)) throw new CallProblem(remarks)
  const contents: ResourceContents =
    main.type === 'text'
      ? { uri, mimeType: mimeType ?? textType(shows, output), text: main.text }
      : blobOf(uri, main)
  return remarks === ''
    ? [contents]
    : [contents, { uri: `${uri}#notice`, mimeType: 'text/plain', text: remarks }]
}

const isNothing = ({ value, notices = [] }: ToolOutput): boolean =>
  Array.isArray(value) && value.length === 0 && notices.length > 0

const textType = (shows: ResourceRow['shows'], { mediaType }: ToolOutput): string =>
  shows === 'record' ? 'application/json' : (mediaType ?? 'text/plain')

function blobOf(uri: string, block: ContentBlock): ResourceContents {
  const { data, mimeType } = block as Extract<ContentBlock, { type: 'image' | 'audio' }>
  return { uri, mimeType, blob: data }
}
