import { quotedName } from '../../results/visible.ts'

/* The part of a thing that an address names: a comment, a line, a version, a file. */

export interface WebUrlPart {
  /** The part as a noun: `note 5`. */
  readonly noun: string
  /** The text of the address after that of the thing itself. */
  readonly written: string
  /** For a line in a diff: its number after the change and before it; 0 on the side where it does not exist. */
  readonly ofDiff?: { readonly line: number; readonly old_line: number }
  /** Set for a file of a diff. */
  readonly isFile?: true
  /**
   * A `text`, a line of one, or a file of a diff has no title, and cannot be merged or deleted by itself. A `passage`
   * is named by a heading's anchor and shown within the text of its thing. Only a call that replaces the whole text
   * could mean the passage alone.
   */
  readonly as?: 'text' | 'passage'
}

/** The rest of an address after the thing's own. */
interface Rest {
  /** Segments of the path after the thing's number, with slashes between them. */
  readonly tab: string
  /** The path of a file in the thing; empty if there is none. */
  readonly path: string
  readonly query: URLSearchParams
  /** Without its #. */
  readonly fragment: string
}

/**
 * The part of a thing that an address names; undefined if it names the thing itself. A tab of the thing's page, and
 * parameters that sort, filter or show something there, name no part.
 */
export function partIn({ tab, path, query, fragment }: Rest): WebUrlPart | undefined {
  const ofFile = path === '' ? undefined : named(`/${path}`)
  const parts = [ofTab(tab), ofFile, ofQuery(query), ofFragment(fragment)].filter(part => part !== undefined)
  const last = parts.findLast(({ as }) => as !== 'passage') ?? parts.at(-1)
  return last && { ...last, written: parts.map(({ written }) => written).join('') }
}

const named = (written: string): WebUrlPart => ({ noun: `a part, ${quotedName(written)}`, written })

/**
 * A single word is a tab. Things on a tab have another segment after it. The artifacts of a job are a tab with tabs of
 * its own.
 */
const ofTab = (tab: string): WebUrlPart | undefined =>
  /^(?:artifacts\/)?[a-z_-]*$/.test(tab) ? undefined : named(`/${tab}`)

/** Parameters that name a part. Others say how the page is shown, or which page the reader came from. */
const naming =
  /^(?:version_id|commit_id|diff_id|start_sha|discussion_id|(?:\w+_)?note(?:_id)?|file|pin|show)$/

function ofQuery(query: URLSearchParams): WebUrlPart | undefined {
  const named = [...query].filter(([key, value]) => value !== '' && naming.test(key))
  if (named.length === 0) return undefined
  const written = `?${named.map(pair => pair.join('=')).join('&')}`
  const version = query.get('version_id')
  if (version) return { noun: `version ${quotedName(version)}`, written }
  return { noun: `a part, ${quotedName(written)}`, written, ...(query.has('file') && { isFile: true }) }
}

/**
 * Anchors on a thing's page that are not part of its text: a tab, or a section of something that belongs to the thing.
 */
const place =
  /^(?:tab-.*|\/|activity|attributes|award-emoji|childitems|comments|description|designs|developmentwidget|labels|linkeditems|notes|related-issues|related-merge-requests|tasks|title)$/

function ofFragment(fragment: string): WebUrlPart | undefined {
  if (fragment === '' || place.test(fragment)) return undefined
  const written = `#${fragment}`
  // GitLab identifies a line by the SHA-1 of its file's path and its two numbers (line_code).
  const [, old, now] = /^[0-9a-f]{40}_(\d{1,9})_(\d{1,9})$/.exec(fragment) ?? []
  if (now !== undefined)
    return {
      noun: 'a line of a diff',
      written,
      as: 'text',
      ofDiff: { line: Number(now), old_line: Number(old) }
    }
  const note = /^note_(\d{1,19})$/.exec(fragment)?.[1]
  if (note !== undefined) return { noun: `note ${note}`, written, as: 'text' }
  const line = /^L(\d{1,9})/.exec(fragment)?.[1]
  if (line !== undefined) return { noun: `line ${line}`, written, as: 'text' }
  // The diff of a merge request identifies a file by the SHA-1 of its path.
  if (/^(?:diff-content-.*|[0-9a-f]{40}(?![0-9a-f]).*)$/.test(fragment))
    return { ...named(written), as: 'text', isFile: true }
  return /^(?:design|note|discussion)_/.test(fragment) ? named(written) : { ...named(written), as: 'passage' }
}
