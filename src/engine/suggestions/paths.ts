import { decodings } from '../../base/decodings.ts'
import { nearest } from '../../base/nearest.ts'
import { isStatus } from '../../results/failure.ts'
import { didYouMean, perhaps, sameLooking } from '../../results/unseen-in-names.ts'
import { quoted, quotedFew } from '../../results/visible.ts'
import type { ForgeClient } from '../../upstream/client.ts'
import { sameName } from '../arguments/same-name.ts'
import type { Arguments } from '../arguments/values.ts'
import type { ToolContext } from '../context.ts'
import { PAGE } from '../requests/pages.ts'
import { listed, MAX_LISTED, page, sentence, textsOf } from './listed.ts'
import { withoutLines } from './path-lines.ts'
import { folderOf, lastOf } from './path-parts.ts'

/* Suggests files and directories of a repository. */

/** The tools that show what the lookup of a file reads. */
export const fileTools = ['get_repository_tree', 'search_code']

/** The content of a directory; empty if the directory does not exist either. */
async function inFolder(path: string, args: Arguments, forge: ForgeClient) {
  const folder = folderOf(path)
  const query = { ...page, ...at(args), ...(folder !== '' && { path: folder }) }
  return listed('repository/tree', args, query, forge).catch(error => {
    if (isStatus(error, [404])) return []
    throw error
  })
}

/** The content of a folder at the commit's starting point. @throws what ForgeClient.send throws */
export async function startFolder(folder: string, args: Arguments, forge: ForgeClient) {
  const { project_id, branch, start_branch, start_sha } = args
  const ref = String(start_sha ?? start_branch ?? branch)
  const entries = await inFolder(`${folder}/`, { project_id, ref }, forge)
  const ofType = (wanted: string) =>
    textsOf(
      entries.filter(({ type }) => type === wanted),
      'path'
    )
  return { paths: ofType('blob'), folders: ofType('tree'), whole: entries.length < PAGE }
}

const at = ({ ref }: Arguments): { ref?: string } => (typeof ref === 'string' ? { ref } : {})

/**
 * Suggests a file: one with a similar name in the same directory, otherwise one with the same name elsewhere.
 * @param ofLines what to do with lines after the path
 */
export async function nearFile(
  wanted: string,
  args: Arguments,
  forge: ForgeClient,
  ofLines: string
): Promise<string | undefined> {
  const given = withoutLines(wanted)
  // If a caller encodes a path, all of it is encoded.
  const path = decodings(given)?.at(-1) ?? given
  const entries = await inFolder(path, args, forge)
  const files = textsOf(
    entries.filter(({ type }) => type === 'blob'),
    'path'
  )
  if (path !== given && files.includes(path))
    return `${quoted(path)} is the file: a path is given as it is, not encoded.`
  if (entries.some(entry => entry.type === 'tree' && entry.path === path))
    return `${quoted(path)} is a directory.`
  if (path !== wanted && files.includes(path)) return `${quoted(path)} is the file: ${ofLines}.`
  if (files.includes(path))
    return args.lfs === true
      ? `${quoted(path)} is there, and what its LFS pointer stands for is not: without lfs the pointer is read.`
      : undefined
  const near = nearIn(path, files)
  if (near !== undefined) return near
  if (path.includes('\\')) return notSeparated(path)
  const query = { scope: 'blobs', search: lastOf(path), ...at(args) }
  const found = textsOf(await listed('-/search', args, query, forge).catch(() => []), 'path')
  const isWanted = sameName(lastOf(path))
  const same = [...new Set(found)].filter(other => isWanted(lastOf(other)))
  if (same.length > 0) return perhaps(same.slice(0, MAX_LISTED))
  return files.length === 0 ? undefined : `Beside it are ${quotedFew(files, MAX_LISTED)}.`
}

/** The same for tools that take a file as a whole. @param args the project, and the ref at which it is read */
export async function fileLike(
  path: string,
  args: Arguments,
  context: Pick<ToolContext, 'forge' | 'mayRun'>
): Promise<string | undefined> {
  if (!fileTools.every(tool => context.mayRun(tool))) return undefined
  return nearFile(path, args, context.forge, 'give that alone').catch(() => undefined)
}

const withoutSlash = (path: string): string => path.replace(/\/$/, '')

/**
 * Whether a ref has a file or directory; true if its directory has a full page of entries.
 * @throws what ForgeClient.send throws
 */
export async function isPathThere(
  name: string,
  { forge }: Pick<ToolContext, 'forge'>,
  args: Arguments
): Promise<boolean> {
  const path = withoutSlash(name)
  const entries = await inFolder(path, args, forge)
  return entries.length === PAGE || entries.some(entry => entry.path === path)
}

/** Suggests a file or directory with a similar name, otherwise a file elsewhere. */
export async function pathLike(
  name: string,
  args: Arguments,
  context: Pick<ToolContext, 'forge' | 'mayRun'>
): Promise<string | undefined> {
  const path = withoutSlash(name)
  const near = nearIn(path, textsOf(await inFolder(path, args, context.forge), 'path'))
  const said = near ?? (await fileLike(path, args, context))
  return said?.replace(/^[A-Z]/, letter => letter.toLowerCase())
}

/** Suggests a directory for a path that does not exist. */
export async function nearDirectory(
  path: string,
  args: Arguments,
  forge: ForgeClient
): Promise<string | undefined> {
  const entries = await inFolder(path, args, forge)
  if (entries.some(entry => entry.type !== 'tree' && entry.path === path)) return `${quoted(path)} is a file.`
  const folders = textsOf(
    entries.filter(({ type }) => type === 'tree'),
    'path'
  )
  if (folders.includes(path)) return undefined
  return (
    nearIn(path, folders) ??
    (path.includes('\\') ? notSeparated(path) : undefined) ??
    (folders.length === 0 ? undefined : `Directories there are ${quotedFew(folders, MAX_LISTED)}.`)
  )
}

/** The message for a path as Windows writes it. */
const notSeparated = (path: string): string =>
  `In ${quoted(path)} the backslash is part of a name: folders are separated by /.`

/** Suggests an entry of the same folder with a similar last name. */
function nearIn(path: string, paths: readonly string[]): string | undefined {
  const names = paths.map(lastOf)
  const wanted = lastOf(path)
  const near = sameLooking(wanted, names) ?? nearest(wanted, names)
  if (near === undefined) return undefined
  const folder = folderOf(path)
  return sentence(didYouMean([folder === '' ? near : `${folder}/${near}`], path))
}
