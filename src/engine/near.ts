import type { TObject } from 'typebox'
import { nearest } from '../nearest.ts'
import { isStatus } from '../results/failure.ts'
import { isRecord } from '../results/is-record.ts'
import { quoted } from '../results/visible.ts'
import type { ForgeClient } from '../upstream/client.ts'
import { ForgeStatusError } from '../upstream/errors.ts'
import type { Arguments } from './checks.ts'
import type { ToolContext } from './context.ts'
import { folderOf, nearActions } from './near-actions.ts'
import { guessOf } from './problems.ts'
import { queryOf } from './query.ts'
import { placeOf } from './template.ts'

/*
 * Projects, branches, tags, files and labels by names that are not there: what was perhaps meant. The forge is asked only where it said
 * that there is none, for one list, or for a file two and for the ends of a range, and where the caller may run the tools that give these. Which
 * arguments they are, fields.ts says of each.
 */

/** What an argument names. */
export type NamedIn = 'project' | 'revision' | 'tag' | 'release' | 'file' | 'directory' | 'label' | 'actions'

/** Looks for what was meant. @returns it as a sentence; undefined where nothing is near, and where that is not told */
type Near = (name: string, args: Arguments, forge: ForgeClient) => Promise<string | undefined>

type Asking = Pick<ToolContext, 'forge' | 'mayRun'>

interface Missing {
  /** The forge's words for what is not there. */
  readonly says: RegExp
  /** The tools that list such names. */
  readonly by: readonly string[]
  readonly near: Near
}

/** Names of one answer. */
const PAGE = 100
/** Names that are told. */
const FEW = 8

const missing: Readonly<Record<NamedIn, Missing>> = {
  project: { says: /\bproject\b.*\bnot found/i, by: ['list_projects'], near: nearProject },
  revision: {
    says: /\b(?:commit|branch|tree|ref|reference|revision)\b.*\bnot found|invalid reference|target (?:\S{1,255} )?is invalid|does not exist|is ambiguous|are on a branch|set the default branch/i,
    by: ['list_branches'],
    near: nearBranch
  },
  tag: { says: /\btag\b.*\bnot found/i, by: ['list_tags'], near: nearTag },
  release: { says: /\brelease\b.*\bnot found/i, by: ['list_releases', 'list_tags'], near: nearRelease },
  file: { says: /\bfile\b.*\bnot found/i, by: ['get_repository_tree', 'search_code'], near: nearFile },
  directory: { says: /\btree\b.*\bnot found/i, by: ['get_repository_tree'], near: nearDirectory },
  actions: {
    says: /file with this name (?:doesn't exist|already exists)/,
    by: ['get_repository_tree'],
    near: (_, args, forge) => nearActions(args, folder => startFolder(folder, args, forge))
  },
  label: { says: /\blabel\b.*\bnot found/i, by: ['list_labels'], near: nearLabel }
}

/**
 * Prepares the look at what a refused call names.
 * @returns adds to a refusal what was perhaps meant; it never fails. Undefined for a tool that names nothing of these
 */
export function nearStep(
  schema: TObject
): ((error: unknown, args: Arguments, context: Asking) => Promise<void>) | undefined {
  const properties = Object.entries(schema.properties as Record<string, { namedIn?: NamedIn }>)
  const named = properties.flatMap(([argument, { namedIn }]) =>
    namedIn === undefined ? [] : [{ argument, ...missing[namedIn] }]
  )
  if (named.length === 0) return undefined
  return async (error, args, context) => {
    if (!(error instanceof ForgeStatusError) || !statuses.has(error.status)) return
    for (const { argument, says, by, near } of named) {
      const name = args[argument]
      if (error.reason !== undefined || name === undefined || !says.test(error.message)) continue
      if (!by.every(tool => context.mayRun(tool))) continue
      error.reason = await near(String(name), args, context.forge).catch(() => undefined)
    }
  }
}

const statuses = new Set([400, 404, 422])

async function listed(
  template: string,
  args: Arguments,
  query: Readonly<Record<string, string>>,
  forge: ForgeClient
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const place = placeOf(`GET {PG}/${template}`, args, queryOf(query))
  const { value } = await forge.send({ method: 'GET', ...place })
  return (Array.isArray(value) ? value : []).slice(0, PAGE).filter(isRecord)
}

const page = { per_page: String(PAGE) }
const textsOf = (records: readonly Readonly<Record<string, unknown>>[], field: string): readonly string[] =>
  records.map(record => record[field]).filter(text => typeof text === 'string')
const sentence = (guess: string): string => guess.replace(/^d/, 'D')

/** What a clone calls a branch of the forge. */
const asInClone = /^(?:refs\/(?:heads|tags|remotes\/origin)|origin)\//

/** Asks which of some branches was meant, also as a clone calls them: those of whose names it is the first or the last part, else the nearest. */
export function branchLike(name: string, names: readonly string[]): string | undefined {
  const wanted = name.replace(asInClone, '')
  const longer = names.filter(name => name.startsWith(wanted) || name.endsWith(`/${wanted}`)).slice(0, FEW)
  return longer.length > 0 ? `did you mean ${longer.map(quoted).join(' or ')}?` : guessOf(wanted, names)
}

async function nearBranch(name: string, args: Arguments, forge: ForgeClient): Promise<string | undefined> {
  const ends = name.split(/\.{2,3}/)
  if (ends.length > 1) return nearEnd(ends.slice(0, 2), args, forge)
  if (/^!\d+$/.test(name))
    return `${quoted(name)} is a merge request: of it a commit is its merge_commit_sha, a branch its source_branch.`
  if (/^(?:HEAD\b.*|[0-9a-f]{7,64})$/i.test(name)) return undefined
  const branches = await listed('repository/branches', args, page, forge)
  // Of very many it may be one of the others.
  const others =
    branches.length < PAGE ? [] : await listed('repository/branches', args, { ...page, search: name }, forge)
  const names = textsOf([...branches, ...others], 'name')
  if (names.includes(name)) return undefined
  const guess = branchLike(name, names)
  const main = branches.find(branch => branch.default === true)?.name
  if (guess !== undefined) return `There is no ${quoted(name)}: ${guess}`
  return typeof main === 'string'
    ? `There is no ${quoted(name)}; the default branch is ${quoted(main)}.`
    : undefined
}

/** Of a range the forge does not say which end is not there. */
async function nearEnd(
  ends: readonly string[],
  args: Arguments,
  forge: ForgeClient
): Promise<string | undefined> {
  for (const sha of ends.filter(end => end !== '')) {
    const place = placeOf('GET {PG}/repository/commits/{.sha}', { ...args, sha })
    const missing = await forge.send({ method: 'GET', ...place }).then(
      () => false,
      error => isStatus(error, [404])
    )
    if (missing) return nearBranch(sha, args, forge)
  }
  return undefined
}

async function nearTag(name: string, args: Arguments, forge: ForgeClient): Promise<string | undefined> {
  const names = textsOf(await listed('repository/tags', args, page, forge), 'name')
  const guess = guessOf(name.replace(asInClone, ''), names)
  return guess === undefined || names.includes(name) ? undefined : sentence(guess)
}

/** A tag may be there, or near, and have no release. */
async function nearRelease(name: string, args: Arguments, forge: ForgeClient): Promise<string | undefined> {
  const [releases, tags] = await Promise.all([
    listed('releases', args, page, forge),
    listed('repository/tags', args, page, forge)
  ])
  const released = textsOf(releases, 'tag_name')
  // The release is there, and something of it is not.
  if (released.includes(name)) return undefined
  const wanted = name.replace(asInClone, '')
  const guess = guessOf(wanted, released)
  if (guess !== undefined) return sentence(guess)
  const names = textsOf(tags, 'name')
  const tag = names.includes(wanted) ? wanted : nearest(wanted, names)
  return tag && `The tag ${quoted(tag)} is there, and has no release: create_release makes one.`
}

/** One's own project of that name, as its group is often left out. */
async function nearProject(name: string, _: Arguments, forge: ForgeClient): Promise<string | undefined> {
  if (/^\d+$/.test(name)) return undefined
  const path = name.replaceAll(/%2f/gi, '/')
  const query = { search: lastOf(path), membership: 'true', simple: 'true', per_page: String(FEW) }
  const place = placeOf('GET /projects', {}, queryOf(query))
  const { value } = await forge.send({ method: 'GET', ...place })
  const found = (Array.isArray(value) ? value : []).slice(0, FEW).filter(isRecord)
  const paths = textsOf(found, 'path_with_namespace')
  const isThere = paths.some(other => other.toLowerCase() === path.toLowerCase())
  if (isThere || paths.length === 0) return undefined
  return `Perhaps ${paths.map(quoted).join(' or ')} is meant.`
}

async function nearLabel(name: string, args: Arguments, forge: ForgeClient): Promise<string | undefined> {
  const names = textsOf(await listed('labels', args, page, forge), 'name')
  const guess = names.includes(name) ? undefined : guessOf(name, names)
  return guess && sentence(guess)
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** What is in a directory; nothing where there is no such directory either. */
async function inFolder(path: string, args: Arguments, forge: ForgeClient) {
  const folder = folderOf(path)
  const query = { ...page, ...at(args), ...(folder !== '' && { path: folder }) }
  return listed('repository/tree', args, query, forge).catch(error => {
    if (isStatus(error, [404])) return []
    throw error
  })
}

/** A folder where a commit starts. */
async function startFolder(folder: string, args: Arguments, forge: ForgeClient) {
  const { project_id, branch, start_branch, start_sha } = args
  const ref = String(start_sha ?? start_branch ?? branch)
  const entries = await inFolder(`${folder}/`, { project_id, ref }, forge)
  const files = entries.filter(({ type }) => type === 'blob')
  return { paths: textsOf(files, 'path'), whole: entries.length < PAGE }
}

const at = ({ ref }: Arguments): { ref?: string } => (typeof ref === 'string' ? { ref } : {})

/** Lines as a web address names them. */
const LINES = /#L\d+(?:-L?\d+)?$/

async function nearFile(wanted: string, args: Arguments, forge: ForgeClient): Promise<string | undefined> {
  const path = wanted.replace(LINES, '')
  const entries = await inFolder(path, args, forge)
  const files = textsOf(
    entries.filter(({ type }) => type === 'blob'),
    'path'
  )
  if (entries.some(entry => entry.type === 'tree' && entry.path === path))
    return `${quoted(path)} is a directory.`
  if (path !== wanted && files.includes(path))
    return `${quoted(path)} is the file: start_line and end_line say which lines of it.`
  const near = nearIn(path, files)
  if (near !== undefined) return near
  const query = { scope: 'blobs', search: lastOf(path), ...at(args) }
  const found = textsOf(await listed('-/search', args, query, forge).catch(() => []), 'path')
  const same = [...new Set(found)].filter(other => lastOf(other).toLowerCase() === lastOf(path).toLowerCase())
  if (same.length > 0) return `Perhaps ${same.slice(0, FEW).map(quoted).join(' or ')} is meant.`
  return files.length === 0 ? undefined : `Beside it are ${fewOf(files)}.`
}

/** The same for who reads a file before it is changed. @param args the project, and the ref that it is read at */
export async function fileLike(path: string, args: Arguments, context: Asking): Promise<string | undefined> {
  if (!missing.file.by.every(tool => context.mayRun(tool))) return undefined
  return nearFile(path, args, context.forge).catch(() => undefined)
}

const withoutSlash = (path: string): string => path.replace(/\/$/, '')

/** Whether a ref has a file or directory; of a directory with very many it may. @throws what ForgeClient.send throws */
export async function isPathThere(name: string, { forge }: Asking, args: Arguments): Promise<boolean> {
  const path = withoutSlash(name)
  const entries = await inFolder(path, args, forge)
  return entries.length === PAGE || entries.some(entry => entry.path === path)
}

/** What is near of both, else of files elsewhere. */
export async function pathLike(name: string, args: Arguments, context: Asking): Promise<string | undefined> {
  const path = withoutSlash(name)
  const near = nearIn(path, textsOf(await inFolder(path, args, context.forge), 'path'))
  const said = near ?? (await fileLike(path, args, context))
  return said?.replace(/^[A-Z]/, letter => letter.toLowerCase())
}

async function nearDirectory(path: string, args: Arguments, forge: ForgeClient): Promise<string | undefined> {
  const entries = await inFolder(path, args, forge)
  if (entries.some(entry => entry.type !== 'tree' && entry.path === path)) return `${quoted(path)} is a file.`
  const folders = textsOf(
    entries.filter(({ type }) => type === 'tree'),
    'path'
  )
  if (folders.includes(path)) return undefined
  return (
    nearIn(path, folders) ?? (folders.length === 0 ? undefined : `Directories there are ${fewOf(folders)}.`)
  )
}

/** The path of a folder whose last name is near. */
function nearIn(path: string, paths: readonly string[]): string | undefined {
  const guess = guessOf(lastOf(path), paths.map(lastOf))
  const folder = folderOf(path)
  return guess === undefined ? undefined : sentence(folder === '' ? guess : guess.replace('"', `"${folder}/`))
}

const fewOf = (names: readonly string[]): string =>
  names.slice(0, FEW).map(quoted).join(', ') + (names.length > FEW ? ' and more' : '')
