import { isStatus } from '../../results/failure.ts'
import { quoted } from '../../results/visible.ts'
import type { ForgeClient } from '../../upstream/client.ts'
import type { Arguments } from '../checks.ts'
import type { ToolContext } from '../context.ts'
import { guessOf } from '../problems.ts'
import { folderOf } from './actions.ts'
import { FEW, listed, PAGE, page, sentence, textsOf } from './listed.ts'

/* Files and directories of a repository. */

/** Tools that show what a look for a file does. */
export const fileTools = ['get_repository_tree', 'search_code']

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

/** A folder where a commit starts. @throws what ForgeClient.send throws */
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

/** Lines as a web address names them. */
const LINES = /#L\d+(?:-L?\d+)?$/

export async function nearFile(
  wanted: string,
  args: Arguments,
  forge: ForgeClient
): Promise<string | undefined> {
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
export async function fileLike(
  path: string,
  args: Arguments,
  context: Pick<ToolContext, 'forge' | 'mayRun'>
): Promise<string | undefined> {
  if (!fileTools.every(tool => context.mayRun(tool))) return undefined
  return nearFile(path, args, context.forge).catch(() => undefined)
}

const withoutSlash = (path: string): string => path.replace(/\/$/, '')

/** Whether a ref has a file or directory; of a directory with very many it may. @throws what ForgeClient.send throws */
export async function isPathThere(
  name: string,
  { forge }: Pick<ToolContext, 'forge'>,
  args: Arguments
): Promise<boolean> {
  const path = withoutSlash(name)
  const entries = await inFolder(path, args, forge)
  return entries.length === PAGE || entries.some(entry => entry.path === path)
}

/** What is near of both, else of files elsewhere. */
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
