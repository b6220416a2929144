import { parsedUrl } from '../../base/parsed-url.ts'
import type { Fields } from '../../json/records.ts'
import { CallProblem } from '../../results/problem.ts'
import { wholeSha } from '../requests/sha.ts'
import { drawerIn } from './drawer.ts'
import { filtered, filtersFor } from './filters.ts'
import type { Owner } from './owner.ts'
import { partIn, type WebUrlPart } from './parts.ts'
import { fieldsOfShape, SEAM } from './segments.ts'
import type { Shape } from './shape.ts'
import { firstWords, ownWords, shapes } from './shapes.ts'

/*
 * Parses a web address of the forge without asking the forge. The address alone leaves only one thing unclear: where a
 * branch name with slashes ends and a path begins.
 */

export interface WebUrl {
  readonly kind: string
  readonly owner: Owner | undefined
  readonly tool: string
  /** The values in the address, named as the tool names them. */
  readonly fields: Fields
  readonly use: Fields
  /** The filters in the address, if it is that of a list. */
  readonly filters?: { readonly given: readonly string[]; readonly unread: readonly string[] }
  /**
   * Segments of a ref followed by a path, if the border between them is unknown. At least the first belongs to the
   * ref.
   */
  readonly unclear?: readonly string[]
  /** The part of the thing that the address names, if it names one. */
  readonly part?: WebUrlPart
  /**
   * For an item that is open on a page: the page, and whether the item is of another project or group than the page.
   */
  readonly page?: WebUrl
  readonly isElsewhere?: boolean
  /** Set if an item is open on the page, but the address names it in a format that cannot be read. */
  readonly unread?: true
  /** Set if more than one kind of thing could be meant. */
  readonly guessed?: true
  /** Set if the address is written with `/-/`. */
  readonly dashed?: true
  /** Set if the text is no web address, but a reference: a place and a number, as in `group/project!7`. */
  readonly isReference?: true
}

/**
 * Whether an address certainly names something in a project or group. Without `/-/` it does only if it has a number, a
 * ref or a filter: a project may well be called `pipelines`.
 */
export const isWithin = ({ dashed, fields, filters }: WebUrl): boolean =>
  dashed === true ||
  Object.keys(fields).some(name => name === 'ref' || name.endsWith('id')) ||
  (filters?.given.length ?? 0) > 0

/**
 * @param webUrl of the forge
 * @param name of the argument that holds the address
 * @throws CallProblem for an address that is not of this forge, or of no known shape
 */
export function readWebUrl(text: string, webUrl: string, name = 'url'): WebUrl {
  const { segments: written, after } = partsOf(text, webUrl, name)
  const segments = ofApi(written) ?? written
  const dash = segments.indexOf('-')
  const address =
    dash >= 0
      ? shaped(segments.slice(0, dash), segments.slice(dash + 1), after, true)
      : ownWords.has(segments[0] ?? '') && numbered(segments) === undefined
        ? shaped([], segments, after)
        : (undashed(segments, after) ?? placed(segments))
  if (address === undefined)
    throw new CallProblem(
      'This address of the forge names nothing that a tool here shows: give that of a project, a group or something in one.'
    )
  return dash >= 0 ? { ...address, dashed: true } : address
}

function partsOf(text: string, webUrl: string, name: string) {
  const url = /^https?:/i.test(text) ? parsedUrl(text) : undefined
  if (url === undefined)
    throw new CallProblem(`${name} must be a whole address, such as https://host/group/project.`)
  const forge = new URL(webUrl)
  const base = forge.pathname.replace(/\/$/, '')
  const isHere = url.host === forge.host && `${url.pathname}/`.startsWith(`${base}/`)
  if (!isHere) throw new CallProblem(`${name} is not of this forge, which is ${webUrl}. Nothing was asked.`)
  const written = url.pathname
    .slice(base.length)
    .split('/')
    .filter(segment => segment !== '')
  if (written.length > MAX_SEGMENTS)
    throw new CallProblem(`${name} has a path of more than ${MAX_SEGMENTS} parts.`)
  const segments = written.map(segment => decoded(segment, name))
  return { segments, after: { query: url.searchParams, fragment: url.hash.slice(1) } }
}

/** Things that have the same number or name in the forge's API as on its pages. */
const sameInApi =
  /^(?:issues|merge_requests|pipelines|jobs|environments|pipeline_schedules|snippets|packages|releases|wikis|epics)$/

/** Converts the path of a REST API address to the path of the corresponding page. */
function ofApi([api, version, place, path, ...rest]: readonly string[]): readonly string[] | undefined {
  if (api !== 'api' || version !== 'v4' || path === undefined) return undefined
  if (place !== 'projects' && place !== 'groups') return undefined
  const owner = /^\d+$/.test(path)
    ? [place, path]
    : [...(place === 'groups' ? [place] : []), ...path.split('/')]
  if (rest.length === 0) return owner
  return sameInApi.test(rest[0]!) ? [...owner, '-', ...rest] : undefined
}

/** Most segments of a path; each is decoded and compared. Files are at most some dozens of folders deep. */
const MAX_SEGMENTS = 200

/** The query and fragment, after the path. */
interface After {
  readonly query: URLSearchParams
  readonly fragment: string
}

function decoded(segment: string, name: string): string {
  let text: string
  try {
    text = decodeURIComponent(segment)
  } catch {
    throw new CallProblem(`${name} has a malformed % escape.`)
  }
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text))
    throw new CallProblem(`${name} has a control character in its path.`)
  return text
}

/** Most levels of nested groups and a project: a forge allows twenty. */
const MAX_LEVELS = 24

/**
 * Most candidates for the word that begins the thing's part of the address; each is tried. Few groups or projects have
 * such names.
 */
const MAX_TRIES = 3

/** Reads an older address without `/-/`: the part that names a thing comes after at least a group and a project. */
function undashed(segments: readonly string[], after: After): WebUrl | undefined {
  let tries = 0
  for (let at = 2; at < Math.min(segments.length, MAX_LEVELS) && tries < MAX_TRIES; at++) {
    if (!firstWords.has(segments[at]!)) continue
    tries++
    const address = shaped(segments.slice(0, at), segments.slice(at), after)
    if (address !== undefined) return address
  }
  return undefined
}

/** A project by its id: no group is called `projects`. */
const numbered = ([first, id = '', ...more]: readonly string[]): Owner | undefined =>
  first === 'projects' && /^\d{1,19}$/.test(id) && more.length === 0 ? { project_path: id } : undefined

const ownerOf = (segments: readonly string[]): Owner | undefined => {
  if (segments[0] === 'groups' && segments.length > 1) return { group_path: segments.slice(1).join('/') }
  return numbered(segments) ?? (segments.length > 1 ? { project_path: segments.join('/') } : undefined)
}

const belongs = ({ alone, group }: Shape, owner: Owner | undefined): boolean => {
  if (owner === undefined || alone === 'always') return owner === undefined && alone !== undefined
  return 'project_path' in owner || group === true
}

function shaped(
  before: readonly string[],
  segments: readonly string[],
  after: After,
  dashed = false
): WebUrl | undefined {
  const owner = ownerOf(before)
  if (owner === undefined && before.length > 0) return undefined
  const text = segments.join(SEAM)
  for (const shape of shapes) {
    if (!belongs(shape, owner) || (shape.dashed && !dashed)) continue
    const found = fieldsOfShape(shape, text)
    if (found !== undefined) return readAs(shape, found, owner, after)
  }
  return undefined
}

/** @param found the fields that the shape reads from the path */
function readAs(
  shape: Shape,
  found: Readonly<Record<string, string>>,
  owner: Owner | undefined,
  after: After
): WebUrl | undefined {
  const { query, fragment } = after
  const { rest, tab = '', view: _, asset, ...given } = found
  const { fields, unclear } = rest === undefined ? { fields: given } : restOf(shape, rest)
  if (fields === undefined) return undefined
  const all = { ...fields, ...fragmentOf(fragment, shape) }
  const shown = shownBy(shape, all, query)
  if (shown === undefined) return undefined
  const part = partIn({ tab, path: found[shape.part ?? ''] ?? '', query, fragment })
  const { kind } = shape
  const page = { kind, owner, fields: all, ...shown, ...(unclear && { unclear }), ...(part && { part }) }
  return openOn(page, after)
}

/** An empty query: the query of the page does not apply to the item. */
const NO_QUERY = new URL('https://forge.invalid').searchParams

/** The item that is open on a page; the page itself if none is open. */
function openOn(page: WebUrl, { query, fragment }: After): WebUrl | undefined {
  const drawer = drawerIn(page.kind, page.owner, query)
  if (drawer === undefined) return page
  if (drawer === 'unread') return { ...page, unread: true }
  const { before, after, isElsewhere } = drawer
  const item = shaped(before, after, { query: NO_QUERY, fragment })
  return item && { ...item, page, isElsewhere, ...(isElsewhere && { guessed: true }) }
}

/** The tool and its arguments; undefined if an argument that the tool needs is missing. */
function shownBy(
  { tool, instead, needs, comment, use }: Shape,
  { note_id, ...own }: Fields,
  query: URLSearchParams
): Pick<WebUrl, 'tool' | 'use' | 'filters'> | undefined {
  if (note_id !== undefined && comment !== undefined)
    return { tool: comment.tool, use: { ...own, ...(comment.by === 'note_id' && { note_id }) } }
  const filters = filtersFor.get(tool)
  const { args, ...read } = filtered(filters ?? {}, query)
  const all = { ...own, ...args }
  if (needs !== undefined && !Object.hasOwn(all, needs)) return undefined
  return { tool: instead?.(all) ?? tool, use: use?.(all) ?? all, ...(filters && { filters: read }) }
}

function restOf({ rest }: Shape, text: string): { fields?: Fields; unclear?: readonly string[] } {
  if (rest === 'compare') return compared(text)
  const segments = segmentsOf(text)
  const least = rest === 'file' ? 2 : 1
  if (segments.length < least) return {}
  const fields = refAndPath(segments, 1)
  const isTold = segments.length === least || segments[0] === 'HEAD' || wholeSha.test(segments[0]!)
  return isTold ? { fields } : { fields, unclear: segments }
}

/** The segments of a ref and a path. The first has the whole beginning of a full name, as in `refs/heads/main`. */
function segmentsOf(text: string): readonly string[] {
  const full = fullName.exec(text)?.[0] ?? ''
  const [first, ...others] = text.slice(full.length).split('/')
  return [full + first, ...others]
}

const fullName = /^refs\/(?:heads|tags)\/(?=[^/])/

function compared(text: string): { fields?: Fields } {
  if (!text.includes('..')) return {}
  const [, from, dots, to] = /^(.+?)(\.{2,3})(.+)$/s.exec(text) ?? []
  return from === undefined ? {} : { fields: { from, to, ...(dots === '..' && { straight: true }) } }
}

/** The first segments as the ref, the others as the path. */
export function refAndPath(segments: readonly string[], count: number): Fields {
  const path = segments.slice(count).join('/')
  return { ref: segments.slice(0, count).join('/'), ...(path !== '' && { path }) }
}

/** Whether the first segments of a path are those of a ref. */
export const beginsWith = (path: string, ref: string): boolean =>
  path.startsWith(ref) && (path.length === ref.length || path[ref.length] === '/')

function fragmentOf(fragment: string, { lines: has }: Shape): Fields {
  const note = /^note_(\d{1,19})$/.exec(fragment)
  if (note !== null) return { note_id: note[1] }
  const lines = /^L(\d{1,9})(?:-L?(\d{1,9}))?$/.exec(fragment)
  if (lines === null || has !== true) return {}
  const [start, end] = [Number(lines[1]), Number(lines[2] ?? lines[1])]
  return { start_line: Math.min(start, end), end_line: Math.max(start, end) }
}

/** Reads the address of a group or a project itself. */
function placed(segments: readonly string[]): WebUrl | undefined {
  const [first] = segments
  if (first === undefined) return undefined
  const owner = ownerOf(segments)
  if (owner === undefined) return { ...group({ group_path: first }), guessed: true }
  if ('group_path' in owner) return group(owner)
  const path = owner.project_path.replace(/\.git$/, '')
  return { kind: 'project', owner: { project_path: path }, tool: 'get_project', fields: {}, use: {} }
}

const group = (owner: Owner): WebUrl => ({ kind: 'group', owner, tool: 'get_group', fields: {}, use: {} })
