import { createHash } from 'node:crypto'
import type { Commit } from '../types.ts'
import { bytesOf } from './zip.ts'

/** One entry of a tree, as `git ls-tree` shows it. */
interface TreeEntry {
  id: string
  name: string
  type: 'tree' | 'blob' | 'commit'
  path: string
  mode: string
}

interface Folder {
  files: Map<string, string>
  folders: Map<string, Folder>
}

const objectId = (type: string, bytes: Buffer) =>
  createHash('sha1').update(`${type} ${bytes.length}\0`).update(bytes).digest('hex')

/** The id that Git gives this content. */
export const blobId = (content: string): string => objectId('blob', bytesOf(content))

const foldersOf = (commit: Commit): Folder => {
  const root: Folder = { files: new Map(), folders: new Map() }
  for (const path of Object.keys(commit.files)) {
    const parts = path.split('/')
    const name = parts.pop()!
    let at = root
    for (const part of parts) {
      const below = at.folders.get(part) ?? { files: new Map(), folders: new Map() }
      at.folders.set(part, below)
      at = below
    }
    at.files.set(name, path)
  }
  return root
}

const entryOf = (commit: Commit, name: string, path: string): TreeEntry => {
  const mode = commit.modes?.[path] ?? '100644'
  const content = commit.files[path]!
  // The content of a submodule is the commit that it is at.
  if (mode === '160000') return { id: content.trim(), name, type: 'commit', path, mode }
  return { id: blobId(content), name, type: 'blob', path, mode }
}

/** Git sorts a directory as if its name ended with a slash. */
const gitOrder = (a: TreeEntry, b: TreeEntry) => {
  const key = ({ name, type }: TreeEntry) => Buffer.from(type === 'tree' ? `${name}/` : name)
  return Buffer.compare(key(a), key(b))
}

const treeId = (entries: readonly TreeEntry[]) =>
  objectId(
    'tree',
    Buffer.concat(
      entries.flatMap(({ mode, name, id }) => [
        Buffer.from(`${mode.replace(/^0/, '')} ${name}\0`),
        Buffer.from(id, 'hex')
      ])
    )
  )

interface Walked {
  id: string
  /** The entries of the folder itself, and those with everything below it, both in Git's order. */
  direct: TreeEntry[]
  all: TreeEntry[]
}

const walk = (commit: Commit, folder: Folder, prefix: string): Walked => {
  const below = new Map<string, Walked>()
  const trees = [...folder.folders].map(([name, child]): TreeEntry => {
    const path = `${prefix}${name}`
    const walked = walk(commit, child, `${path}/`)
    below.set(path, walked)
    return { id: walked.id, name, type: 'tree', path, mode: '040000' }
  })
  const files = [...folder.files].map(([name, path]) => entryOf(commit, name, path))
  const direct = [...trees, ...files].sort(gitOrder)
  const all = direct.flatMap(entry => [entry, ...(below.get(entry.path)?.all ?? [])])
  return { id: treeId(direct), direct, all }
}

/** The entries of a directory in a commit; undefined if there is no such directory. */
export const treeAt = (commit: Commit, path: string, recursive: boolean): TreeEntry[] | undefined => {
  let folder: Folder | undefined = foldersOf(commit)
  for (const part of path === '' ? [] : path.split('/')) folder = folder?.folders.get(part)
  if (!folder) return undefined
  const walked = walk(commit, folder, path === '' ? '' : `${path}/`)
  return recursive ? walked.all : walked.direct
}
