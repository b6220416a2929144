import { decodings } from '../../base/decodings.ts'
import { ArgumentError } from '../../results/problem.ts'
import { shortened } from '../../results/shortened.ts'
import type { ForgeRequest } from '../../upstream/request.ts'
import { listedBy } from './listed-by.ts'
import { wordFor } from './record.ts'
import { signsOf } from './signs.ts'

export type { Place } from '../../upstream/place.ts'
export type { ForgeRequest } from '../../upstream/request.ts'

/*
 * Request templates, such as `GET /projects/{project_id}/issues`, are the only place where a caller's text becomes part
 * of a URL path. A value fills exactly one segment, or with `{+name}` one or more. `{.name}` takes free text (a file's
 * path, a branch, a label): one segment in which dots are escaped, too, as the forge's own client does, because a
 * router may take the text after a dot for a format. `{PG}` is the given project or group, and stands for two
 * templates. A name without a mark is an id, a project or a group.
 */

/** The names in braces of a template, for the compiler to check against a row's input. */
export type Placeholders<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Bare<Name> | Placeholders<Rest>
  : never

type Bare<Name extends string> = Name extends 'PG'
  ? 'project_id' | 'group_id'
  : Name extends `${'+' | '.'}${infer Rest}`
    ? Rest
    : Name

export type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE'

interface Slot {
  readonly name: string
  readonly encode: (name: string, value: string) => string
}

export interface Template {
  readonly verb: Verb
  /** The path as written in the template, with names in braces. */
  readonly path: string
  readonly names: readonly string[]
  /** Text pieces; slots[i] is between pieces[i] and pieces[i + 1]. */
  readonly pieces: readonly string[]
  readonly slots: readonly Slot[]
}

const verbs = new Set(['GET', 'POST', 'PUT', 'DELETE'])

const PLACE = '{PG}'

/** Whether a template is for a project or a group, exactly one of which must then be given. */
export const isOfProjectOrGroup = (source: string): boolean => source.includes(PLACE)

/** The templates that a text stands for: two if it is for a project or a group. @throws Error as parseTemplate */
export function parseTemplates(source: string): Template[] {
  if (!isOfProjectOrGroup(source)) return [parseTemplate(source)]
  return ['/projects/{project_id}', '/groups/{group_id}'].map(place =>
    parseTemplate(source.replace(PLACE, place))
  )
}

/** The first template whose placeholders are all given; otherwise the last, which then reports what is missing. */
export const fitting = (templates: readonly Template[], args: Readonly<Record<string, unknown>>): Template =>
  templates.find(({ names }) => names.every(name => args[name] !== undefined)) ?? templates.at(-1)!

const encoders: Readonly<Record<string, Slot['encode']>> = { '+': encodePath, '.': encodeFreeText }

/** Parses a template once, at start. @throws Error if a row is invalid */
export function parseTemplate(source: string): Template {
  const [verb, path, ...more] = source.split(' ')
  if (verb === undefined || !verbs.has(verb) || !path?.startsWith('/') || more.length > 0)
    throw new Error(`"${source}" is not a request template`)
  const pieces: string[] = []
  const slots: Slot[] = []
  let at = 0
  for (const match of path.matchAll(/\{([+.]?)(\w+)\}/g)) {
    pieces.push(path.slice(at, match.index))
    slots.push({ name: match[2]!, encode: encoders[match[1]!] ?? encoderOf(match[2]!) })
    at = match.index + match[0].length
  }
  pieces.push(path.slice(at))
  return { verb: verb as Verb, path, names: slots.map(slot => slot.name), pieces, slots }
}

/**
 * Most characters of one path, or of an argument in one, checked before it is read: no forge takes a longer URL, nor
 * Git a longer path.
 */
const MAX_CHARS = 4_096

/** Fills a template. @throws ArgumentError naming the argument that must not be part of a path */
export function fillTemplate(template: Template, args: Readonly<Record<string, unknown>>): string {
  let path = template.pieces[0]!
  for (let at = 0; at < template.slots.length; at++) {
    const { name, encode } = template.slots[at]!
    const value = wordFor(name, args[name])
    refuseLong(name, value)
    path += encode(name, value) + template.pieces[at + 1]!
  }
  return path
}

/**
 * The request that a template makes.
 * @param query as written in a URL, without the question mark
 * @throws ArgumentError
 */
export function requestOf(
  template: Template,
  args: Readonly<Record<string, unknown>>,
  query = ''
): ForgeRequest {
  const path = fillTemplate(template, args)
  return {
    method: template.verb,
    path: query === '' ? path : `${path}?${query}`,
    template: template.path
  }
}

/** The same for rows' own code, with the template given as text: `GET /projects/{project_id}`. */
export const requestTo = (
  source: string,
  args: Readonly<Record<string, unknown>>,
  query?: string
): ForgeRequest => requestOf(fitting(parseTemplates(source), args), args, query)

/** Arguments that name a group or project: by an id, or by a path that may be URL-encoded. */
const namespaceNames = new Set([
  'project_id',
  'group_id',
  'target_project_id',
  'to_project',
  'start_project',
  'namespace',
  'parent'
])

/** Whether an argument of this name is a project or a group. */
export const isNamespace = (name: string): boolean => namespaceNames.has(name)

/** Ids that are not numbers. */
const opaqueNames = new Set(['discussion_id'])

function encoderOf(name: string): Slot['encode'] {
  if (namespaceNames.has(name)) return encodeNamespace
  if (opaqueNames.has(name)) return encodeOpaque
  if (/ids?$/.test(name)) return encodeNumber
  throw new Error(`{${name}} is free text, and is written {.${name}}`)
}

/** Lists over GraphQL return global ids, which end with the id that REST takes. */
const encodeOpaque: Slot['encode'] = (name, value) =>
  encodeSegment(name, value.replace(/^gid:\/\/gitlab\/\w*Discussion\//, ''))

function encodeNumber(name: string, value: string): string {
  if (/^\d{1,19}$/.test(value)) return value
  throw new ArgumentError(
    name,
    `must be a number, ${giverOf(name)}, not ${quote(value)}${isNewest.test(value) ? newestOf(name) : byBranch(name, value)}`
  )
}

/** How to find a merge request by a value that may be its branch, as the rest of a sentence. */
const byBranch = (name: string, value: string): string =>
  name === 'merge_request_iid' && /^[a-z_][\w.-]*\/[\w./-]+$/i.test(value)
    ? ': list_merge_requests with source_branch finds it by its branch'
    : ''

const isNewest = /^(?:latest|last|newest|current|most recent)$/i

/** How to find the newest number, as the rest of a sentence. */
function newestOf(name: string): string {
  if (name === 'pipeline_id') return ': list_pipelines with ref and per_page=1 has the latest of a branch'
  return name === 'deployment_id' ? ': list_deployments with sort=desc and per_page=1 has the latest' : ''
}

/** The tool or place from which a caller gets the number. */
function giverOf(name: string): string {
  if (name.endsWith('iid')) return `as in ${signsOf(name)} and in web addresses`
  if (name === 'user_id') return 'as find_users and lists give it'
  const list = listedBy.get(name)
  // For notes, the tool depends on the thing that they are on.
  return list === undefined || name === 'note_id' ? 'as lists give it' : `as ${list} gives it`
}

/** An id, or a path without dots and escapes: it needs neither decoding nor checks. */
const plainNamespace = /^[\w-]+(?:\/[\w-]+)*$/

/** Decodes once, so that `a/b` and `a%2Fb` are the same project, and encodes into one segment. */
function encodeNamespace(name: string, value: string): string {
  if (plainNamespace.test(value)) return encodeURIComponent(value)
  return encodeURIComponent(decodeNamespace(name, value))
}

/** A group or project as plain text: an id or a full path. @throws ArgumentError */
export function decodeNamespace(name: string, value: string): string {
  refuseLong(name, value)
  let path: string
  try {
    path = decodeURIComponent(value)
  } catch {
    throw new ArgumentError(name, `has a malformed % escape: ${quote(value)}`)
  }
  if (/%[0-9a-f]{2}/i.test(path)) throw new ArgumentError(name, `is encoded more than once: ${quote(value)}`)
  refuseClimbing(name, path)
  if (path.includes('\\')) throw new ArgumentError(name, 'has a backslash; groups are separated by /')
  if (path.includes(','))
    throw new ArgumentError(
      name,
      `takes one a call, and no path has a comma: ${quote(value)}${name === 'project_id' ? '; group_id, where a tool has it, takes all of a group' : ''}`
    )
  return path
}

/** Encodes a text as one segment without decoding it: a branch name, a discussion id. */
function encodeSegment(name: string, value: string): string {
  refuseClimbing(name, value)
  return encodeURIComponent(value)
}

/**
 * Checks free text for a body: a file's path.
 * @throws ArgumentError if it has `..` or `.` segments, or is not a path
 */
export function checkPath(name: string, value: string): void {
  refuseLong(name, value)
  refuseClimbing(name, value)
}

/** Encodes free text as one segment, with its dots escaped, too. */
function encodeFreeText(name: string, value: string): string {
  return encodeSegment(name, value).replaceAll('.', '%2E')
}

/** Encodes several segments: the path of a file in an archive. */
function encodePath(name: string, value: string): string {
  refuseClimbing(name, value)
  return value.split('/').map(encodeURIComponent).join('/')
}

/**
 * Refuses `.` and `..` segments. A URL parser removes them even if they are percent-encoded, so the value must not
 * contain one after any number of decodings. Names in Git may contain a backslash (as those of systemd units do), which
 * hosts on Windows take for a slash. So `.` and `..` are also refused between backslashes.
 */
function refuseClimbing(name: string, value: string): void {
  if (/\p{Surrogate}/u.test(value)) throw new ArgumentError(name, 'has half of a character')
  const forms = decodings(value)
  if (forms === undefined) throw new ArgumentError(name, `is encoded too many times: ${quote(value)}`)
  for (const text of forms) {
    if (/[\u0000-\u001f\u007f]/.test(text)) throw new ArgumentError(name, 'has a control character')
    if (text.split('/').includes('') || text.split(/[/\\]/).some(isDots))
      throw new ArgumentError(
        name,
        value === ''
          ? 'is empty'
          : `has an empty, "." or ".." segment: ${quote(value)}${instead(name, value)}`
      )
  }
}

/**
 * What to write instead. Paths start at the root of the repository anyway, so neither a first slash nor ./ is needed. A
 * global id ends with the number. A label may have any name, so its id is suggested.
 */
function instead(name: string, value: string): string {
  if (name === 'label') return '; give its id'
  if (value.startsWith('gid://')) return '; give the number at its end'
  if (/^https?:\/\//i.test(value)) return '; give the id or path alone, not an address'
  if (/^\/[^/]/.test(value)) return '; leave out the first slash'
  if (/^\.\/[^/]/.test(value)) return '; leave out ./ before it'
  return /[^/]\/$/.test(value) ? '; leave out the slash at the end, and of a folder name a file' : ''
}

function refuseLong(name: string, value: string): void {
  if (value.length > MAX_CHARS)
    throw new ArgumentError(name, `has ${value.length} characters, and may have ${MAX_CHARS} here`)
}

const isDots = (segment: string): boolean => segment === '.' || segment === '..'

const quote = (value: string): string => JSON.stringify(shortened(value, 60))
