import { CallProblem } from '../engine/problem.ts'
import type { Writer } from '../engine/run.ts'
import type { ContentBlock } from '../results/blocks.ts'
import { type ToolOutput, writeResult } from '../results/result.ts'
import type { ResourceRow } from './row.ts'

/** MCP ResourceContents. */
export interface ResourceContents {
  readonly uri: string
  readonly mimeType: string
  readonly text?: string
  readonly blob?: string
}

/**
 * Writes what a tool gives back as the contents of a resource, bounded and cleaned as results are: first what it is,
 * then, under a URI of its own, what is to be said of it, such as where it was cut.
 */
export const contentsWriter =
  (uri: string, { shows, mimeType }: ResourceRow): Writer<readonly ResourceContents[]> =>
  (output, policy, tool, onCut) => {
    const { content } = writeResult({ ...output, about: undefined }, policy, tool, onCut)
    const at = content.findIndex(block => isShown(block, shows, output))
    const remarks = content.flatMap((block, index) =>
      block.type === 'text' && index !== at && !isRecordOfContent(index, shows, output) ? [block.text] : []
    )
    const block = content[at]
    if (block === undefined || isNothing(output)) throw new CallProblem(remarks.join('\n'))
    const contents: ResourceContents =
      block.type === 'text'
        ? { uri, mimeType: mimeType ?? textType(shows, output), text: block.text }
        : blobOf(uri, block)
    const notice = { uri: `${uri}#notice`, mimeType: 'text/plain', text: remarks.join('\n') }
    return remarks.length === 0 ? [contents] : [contents, notice]
  }

/** Of content only the text or the image is it. */
const isShown = ({ type }: ContentBlock, shows: ResourceRow['shows'], { text }: ToolOutput): boolean =>
  shows === 'record' || text !== undefined ? type === 'text' : type === 'image' || type === 'audio'

/** Beside an image, or in its place, stands what there is to know of it. */
const isRecordOfContent = (index: number, shows: ResourceRow['shows'], { value }: ToolOutput): boolean =>
  shows === 'content' && value !== undefined && index === 0

const isNothing = ({ value, notices = [] }: ToolOutput): boolean =>
  Array.isArray(value) && value.length === 0 && notices.length > 0

const textType = (shows: ResourceRow['shows'], { mediaType }: ToolOutput): string =>
  shows === 'record' ? 'application/json' : (mediaType ?? 'text/plain')

function blobOf(uri: string, block: ContentBlock): ResourceContents {
  const { data, mimeType } = block as Extract<ContentBlock, { type: 'image' | 'audio' }>
  return { uri, mimeType, blob: data }
}
