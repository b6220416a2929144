import { quotedName } from '../../results/visible.ts'

/* What an address names within the thing that it is of: a comment, a line, a version, a file. */

export interface Part {
  /** As a noun: `note 5`. */
  readonly noun: string
  /** What the address has besides that of the thing itself. */
  readonly written: string
  /** Of a line in a diff: its number after the change and before it; 0 where it is not there. */
  readonly ofDiff?: { readonly line: number; readonly old_line: number }
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
export function partIn({ tab, path, query, fragment }: Rest): Part | undefined {
  const ofFile = path === '' ? undefined : named(`/${path}`)
  const parts = [ofTab(tab), ofFile, ofQuery(query), ofFragment(fragment)].filter(part => part !== undefined)
  const last = parts.at(-1)
  return last && { ...last, written: parts.map(({ written }) => written).join('') }
}

const named = (written: string): Part => ({ noun: `a part, ${quotedName(written)}`, written })

/** One word is a tab: what is on it has a name or number behind that. */
const ofTab = (tab: string): Part | undefined => (/^[a-z_-]*$/.test(tab) ? undefined : named(`/${tab}`))

/** Parameters that name nothing: which part of a list is shown and how, where a reader came from. */
const showing =
  /^(?:page|per_page|(?:first|last)_page_size|page_(?:after|before)|cursor|utf8|ref_type|tab|view|w|nav_source|expand(?:ed)?|sort|order_by|direction|state|scope|search|type|utm_\w+|(?:label|milestone|author|assignee|reviewer)_(?:name|title|id|username)(?:\[\])?)$/

function ofQuery(query: URLSearchParams): Part | undefined {
  const naming = [...query].filter(([key, value]) => value !== '' && !showing.test(key))
  if (naming.length === 0) return undefined
  const written = `?${naming.map(pair => pair.join('=')).join('&')}`
  const version = query.get('version_id')
  return version ? { noun: `version ${quotedName(version)}`, written } : named(written)
}

function ofFragment(fragment: string): Part | undefined {
  if (fragment === '' || fragment.startsWith('tab-')) return undefined
  const written = `#${fragment}`
  // Forges call a line by the SHA-1 of its file's path and its numbers (line_code).
  const [, old, now] = /^[0-9a-f]{40}_(\d{1,9})_(\d{1,9})$/.exec(fragment) ?? []
  if (now !== undefined)
    return { noun: 'a line of a diff', written, ofDiff: { line: Number(now), old_line: Number(old) } }
  const note = /^note_(\d{1,19})$/.exec(fragment)?.[1]
  if (note !== undefined) return { noun: `note ${note}`, written }
  const line = /^L(\d{1,9})/.exec(fragment)?.[1]
  return line === undefined ? named(written) : { noun: `line ${line}`, written }
}
