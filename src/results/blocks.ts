import { cleanText } from './clean.ts'
import { shortened } from './shortened.ts'

/* Parts of a result other than text, as MCP content: images and audio, and resources, either embedded or as links. */

/** The blocks that a tool returns, with binary data as bytes. `bytes` are not kept. */
export type OutputBlock =
  | { readonly type: 'image' | 'audio'; readonly bytes: Buffer; readonly mimeType: string }
  | ({ readonly type: 'resource'; readonly uri: string; readonly mimeType?: string } & (
      | { readonly text: string }
      | { readonly bytes: Buffer }
    ))
  | ResourceLink

/** Names a resource that the client may read when it wants it. */
export interface ResourceLink {
  readonly type: 'resource_link'
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  /** In bytes. */
  readonly size?: number
}

export interface TextBlock {
  readonly type: 'text'
  readonly text: string
}

/** MCP ContentBlock. */
export type ContentBlock =
  | TextBlock
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource'
      readonly resource: {
        readonly uri: string
        readonly mimeType?: string
        readonly text?: string
        readonly blob?: string
      }
    }
  | ResourceLink

/**
 * Most bytes of all blocks of one result together. An answer may be an event of a stream, and some clients end the
 * stream at an event beyond 1 MiB (those of the Python SDK v2). In base64 these bytes take 933,336 of it; the rest is
 * for the texts beside them. A tool that would return more says so before it reads the data.
 */
export const MAX_BLOCK_BYTES = 700_000

/**
 * Writes blocks as MCP content. Blocks that do not fit are left out, and named in a notice.
 * @param maxChars for the text of embedded resources, and for links, together
 */
export function writeBlocks(
  blocks: readonly OutputBlock[],
  maxChars: number
): { content: ContentBlock[]; notices: string[] } {
  const room: Room = { bytes: MAX_BLOCK_BYTES, chars: maxChars }
  const content: ContentBlock[] = []
  const notices: string[] = []
  for (const block of blocks) {
    const written = write(block, room)
    if (typeof written === 'string') notices.push(written)
    else content.push(written)
  }
  return { content, notices }
}

interface Room {
  bytes: number
  chars: number
}

/** @returns the block, or why it is left out */
function write(block: OutputBlock, room: Room): ContentBlock | string {
  switch (block.type) {
    case 'resource_link':
      return takes(charsOf(block), room)
        ? cleaned(block)
        : tooLarge(`The link to ${block.name}`, charsOf(block))
    case 'image':
    case 'audio':
      return fits(block.bytes, room)
        ? { type: block.type, data: block.bytes.toString('base64'), mimeType: mediaType(block.mimeType) }
        : tooLarge(`The ${block.type}`, block.bytes.length)
    case 'resource':
      return writeResource(block, room)
  }
}

function writeResource(block: Extract<OutputBlock, { type: 'resource' }>, room: Room): ContentBlock | string {
  const { uri } = block
  const text = 'bytes' in block ? '' : block.text
  const mayStand = takes(uri.length + text.length, room) && (!('bytes' in block) || fits(block.bytes, room))
  if (!mayStand) return tooLarge(uri, 'bytes' in block ? block.bytes.length : text.length)
  const facts = {
    uri: cleanText(uri),
    ...(block.mimeType !== undefined && { mimeType: mediaType(block.mimeType) })
  }
  return {
    type: 'resource',
    resource: {
      ...facts,
      ...('bytes' in block ? { blob: block.bytes.toString('base64') } : { text: cleanText(text) })
    }
  }
}

function fits(bytes: Buffer, room: Room): boolean {
  if (bytes.length > room.bytes) return false
  room.bytes -= bytes.length
  return true
}

/** Texts are counted before they are cleaned: cleaning takes time in proportion to their length. */
function takes(chars: number, room: Room): boolean {
  if (chars > room.chars) return false
  room.chars -= chars
  return true
}

const charsOf = ({ uri, name, title = '', description = '' }: ResourceLink): number =>
  uri.length + name.length + title.length + description.length

/**
 * Most characters of the name of a block that is left out, and most that are read for it, so that no password is cut in
 * half.
 */
const MAX_NAMED = 200
const MAX_READ = 4_000

function tooLarge(what: string, size: number): string {
  const name = shortened(cleanText(inOneLine(shortened(what, MAX_READ))), MAX_NAMED)
  return `${name} is left out: with ${size} bytes it does not fit into the result any more.`
}

const cleaned = (link: ResourceLink): ResourceLink => {
  const texts = Object.entries(link).map(([key, value]) => [
    key,
    typeof value === 'string' && key !== 'type' ? cleanText(value) : value
  ])
  const written = Object.fromEntries(texts) as ResourceLink
  const name = inOneLine(written.name)
  return { ...written, name, ...(link.mimeType !== undefined && { mimeType: mediaType(link.mimeType) }) }
}

/** A name on one line: clients show it as a line among others, and file names may contain line breaks. */
const inOneLine = (name: string): string => name.replaceAll(/[\n\r\u2028\u2029]/g, ' ')

/** A valid media type, in small letters. A forge may send anything; other texts become the type of plain bytes. */
const mediaType = (said: string): string =>
  /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/.test(said) ? said.toLowerCase() : 'application/octet-stream'
