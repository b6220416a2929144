import { quotedName } from '../../results/visible.ts'

/* What an address names within the thing that it is of: a comment, a line, a version, a file. */

export interface AddressPart {
  /** As a noun: `note 5`. */
  readonly noun: string
  /** What the address has besides that of the thing itself. */
  readonly written: string
  /** Of a line in a diff: its number after the change and before it; 0 where it is not there. */
  readonly ofDiff?: { readonly line: number; readonly old_line: number }
  /** It is a file of a diff. */
  readonly isFile?: true
  /**
   * A `text` or a line of one, and a file of a diff, have no title, and are not merged or erased. A `passage`, which a
   * heading's anchor names, is shown within the text of its thing, and only who replaces all of that could mean it alone.
   */
  readonly as?: 'text' | 'passage'
}

/** What follows a thing's own address. */
interface Rest {
  /** Segments of the path after the thing's number, with slashes between them. */
  readonly tab: string
  /** The path of a file in it; empty for none. */
  readonly path: string
  readonly query: URLSearchParams
  /** Without its #. */
  readonly fragment: string
}

/**
 * The part of its thing that an address names; undefined for that of the thing itself. A tab of its page is that, and so
 * is what sorts, filters or shows something there.
 */
export function partIn({ tab, path, query, fragment }: Rest): AddressPart | undefined {
  const ofFile = path === '' ? undefined : named(`/${path}`)
  const parts = [ofTab(tab), ofFile, ofQuery(query), ofFragment(fragment)].filter(part => part !== undefined)
  const last = parts.findLast(({ as }) => as !== 'passage') ?? parts.at(-1)
  return last && { ...last, written: parts.map(({ written }) => written).join('') }
}

const named = (written: string): AddressPart => ({ noun: `a part, ${quotedName(written)}`, written })

/** A word is a tab; what is on it has a name behind that. The artifacts of a job are a tab with tabs. */
const ofTab = (tab: string): AddressPart | undefined =>
  /^(?:artifacts\/)?[a-z_-]*$/.test(tab) ? undefined : named(`/${tab}`)

/** Parameters that name a part; others say how the page is shown, or where a reader came from. */
const naming =
  /^(?:version_id|commit_id|diff_id|start_sha|discussion_id|(?:\w+_)?note(?:_id)?|file|pin|show)$/

function ofQuery(query: URLSearchParams): AddressPart | undefined {
  const named = [...query].filter(([key, value]) => value !== '' && naming.test(key))
  if (named.length === 0) return undefined
  const written = `?${named.map(pair => pair.join('=')).join('&')}`
  const version = query.get('version_id')
  if (version) return { noun: `version ${quotedName(version)}`, written }
  return { noun: `a part, ${quotedName(written)}`, written, ...(query.has('file') && { isFile: true }) }
}

/** Places on the page of a thing that are no part of its text: a tab, or a section of what belongs to it. */
const place =
  /^(?:tab-.*|\/|activity|attributes|award-emoji|childitems|comments|description|designs|developmentwidget|labels|linkeditems|notes|related-issues|related-merge-requests|tasks|title)$/

function ofFragment(fragment: string): AddressPart | undefined {
  if (fragment === '' || place.test(fragment)) return undefined
  const written = `#${fragment}`
  // Forges call a line by the SHA-1 of its file's path and its numbers (line_code).
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
  // A diff of a merge request calls a file by the SHA-1 of its path.
  if (/^(?:diff-content-.*|[0-9a-f]{40}(?![0-9a-f]).*)$/.test(fragment))
    return { ...named(written), as: 'text', isFile: true }
  return /^(?:design|note|discussion)_/.test(fragment) ? named(written) : { ...named(written), as: 'passage' }
}
