import { isRecord } from '../../results/is-record.ts'
import { exactly } from '../../results/unseen-in-names.ts'
import { guessOf } from '../arguments/problems.ts'
import type { Arguments } from '../arguments/values.ts'
import { sideBySide } from '../requests/side-by-side.ts'
import { folderOf } from './path-parts.ts'

/* Finds out which files of a commit are missing, or exist already: the forge's message does not name them. */

/** Most folders that are listed, and how many at once. */
const MAX_FOLDERS = 10
const AT_ONCE = 4
/** Most files of each kind that are named. */
const MAX_FILES = 5

/** The content of a folder, at most one page of it. */
interface Folder {
  readonly paths: readonly string[]
  /** The paths that are folders. */
  readonly folders: readonly string[]
  /** Whether the page contains everything in the folder. */
  readonly whole: boolean
}

interface Needed {
  readonly path: string
  /** Whether the action needs the file to exist, or not to exist. */
  readonly there: boolean
}

/**
 * Says which files of a refused commit are missing or exist already.
 * @param list reads a folder where the commit starts
 * @returns sentences; undefined if nothing is certain
 */
export async function nearActions(
  { actions, start_project }: Arguments,
  list: (folder: string) => Promise<Folder>
): Promise<string | undefined> {
  if (start_project !== undefined || !Array.isArray(actions)) return undefined
  const needed = neededBy(actions.filter(isRecord))
  // If the only problem can be that one new file exists already, the forge has said so.
  if (needed.length === 1 && !needed[0]!.there) return undefined
  const names = [...new Set(needed.map(({ path }) => folderOf(path)))].slice(0, MAX_FOLDERS)
  const listed = await sideBySide(names, AT_ONCE, list)
  const folders = new Map(names.map((name, at) => [name, listed[at]!]))
  const wrong = needed.filter(({ path, there }) => {
    const { paths = [], whole = false } = folders.get(folderOf(path)) ?? {}
    return there ? whole && !paths.includes(path) : paths.includes(path)
  })
  const taken = wrong.filter(({ there }) => !there)
  const isFolder = ({ path }: Needed) => folders.get(folderOf(path))?.folders.includes(path) === true
  const missing = wrong.filter(one => one.there && !isFolder(one))
  const directories = wrong.filter(one => one.there && isFolder(one))
  const said = [
    ...(taken.length === 0 ? [] : [`There already: ${namesOf(taken)}.`]),
    ...(missing.length === 0 ? [] : [`No such file: ${namesOf(missing)}${guessFor(missing, folders)}`]),
    ...directories
      .slice(0, MAX_FILES)
      .map(({ path }) => `${exactly(path)} is a directory: name each of its files.`)
  ]
  return said.length === 0 ? undefined : said.join(' ')
}

/** Suggests the intended file, if exactly one is missing. */
function guessFor([one, ...others]: readonly Needed[], folders: ReadonlyMap<string, Folder>): string {
  if (one === undefined || others.length > 0) return '.'
  const guess = guessOf(one.path, folders.get(folderOf(one.path))?.paths ?? [])
  return guess === undefined ? '.' : `; ${guess}`
}

/** What the first action on each path requires: later actions depend on those before them. */
function neededBy(actions: readonly Readonly<Record<string, unknown>>[]): readonly Needed[] {
  const seen = new Set<string>()
  return actions
    .flatMap(({ action, file_path, previous_path }) => [
      ...(action === 'move' ? [{ path: String(previous_path), there: true }] : []),
      { path: String(file_path), there: action !== 'create' && action !== 'move' }
    ])
    .filter(({ path }) => !seen.has(path) && seen.add(path))
}

const namesOf = (files: readonly Needed[]): string =>
  files
    .slice(0, MAX_FILES)
    .map(({ path }) => exactly(path))
    .join(', ') + (files.length > MAX_FILES ? ' and more' : '')
