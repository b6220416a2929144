import type { ForgeState } from '../state.ts'
import type { Commit, Files, Project, Snapshot, User } from '../types.ts'
import { diffLines } from './diff.ts'

/** Adds a commit to a project. Its id depends on its content and not on the clock, so sample data keeps its ids. */
export const addCommit = (
  state: ForgeState,
  project: Project,
  parts: Pick<Commit, 'message' | 'author' | 'parents' | 'files' | 'modes' | 'written'> & { at?: string }
): Commit => {
  const { at, ...rest } = parts
  const sha = state.hash(project.id, parts.message, parts.parents, parts.files)
  const commit: Commit = { sha, createdAt: at ?? state.time(), ...rest }
  project.commits.set(sha, commit)
  return commit
}

/** Points a branch at a new commit, as a push does. A new branch starts at the commit `from`. */
export const push = (
  state: ForgeState,
  project: Project,
  branch: string,
  parts: { message: string; author: User; files: Files; from?: string; at?: string }
) => {
  const parent = project.branches.get(branch)?.sha ?? parts.from
  const { message, author, files, at } = parts
  const commit = addCommit(state, project, {
    message,
    author,
    parents: parent ? [parent] : [],
    files,
    ...(parent && { modes: project.commits.get(parent)!.modes ?? {} }),
    ...(at ? { at } : {})
  })
  const known = project.branches.get(branch)
  project.branches.set(branch, { name: branch, sha: commit.sha, protected: known?.protected ?? false })
  return commit
}

/** Resolves HEAD, a branch, a tag or a commit id. Ids may be shortened to 7 digits or more. */
export const resolveRef = (project: Project, ref: string): Commit | undefined => {
  const [named] = refsNamed(project, ref === 'HEAD' ? project.defaultBranch : ref)
  const tip = named?.sha
  if (tip) return project.commits.get(tip)
  if (!/^[0-9a-f]{7,40}$/.test(ref)) return undefined
  return [...project.commits.values()].find(commit => commit.sha.startsWith(ref))
}

/** The branches and tags that a name means. A full name (`refs/tags/v1`) means only one kind. */
export const refsNamed = (project: Project, ref: string) => {
  const [, only, name = ref] = /^refs\/(heads|tags)\/(.+)$/.exec(ref) ?? []
  const branch = only === 'tags' ? undefined : project.branches.get(name)
  const tag = only === 'heads' ? undefined : project.repository.tags.get(name)
  return [
    ...(branch ? [{ name, sha: branch.sha, tag: false, protected: branch.protected }] : []),
    ...(tag ? [{ name, sha: tag.sha, tag: true, protected: false }] : [])
  ]
}

/** A commit and all its ancestors, nearest first. */
export const ancestry = (project: Project, sha: string): Commit[] => {
  const seen = new Map<string, Commit>()
  const queue = [sha]
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const commit = project.commits.get(next)
    if (!commit || seen.has(next)) continue
    seen.set(next, commit)
    queue.push(...commit.parents)
  }
  return [...seen.values()]
}

/** Copies a commit and its ancestors from one project into another of its network. */
export const fetchCommits = (from: Project, into: Project, sha: string) => {
  if (from === into) return
  for (const commit of ancestry(from, sha)) into.commits.set(commit.sha, commit)
}

/** The newest commit that two histories share. */
export const mergeBase = (project: Project, a: string, b: string): Commit | undefined => {
  const others = new Set(ancestry(project, b).map(commit => commit.sha))
  return ancestry(project, a).find(commit => others.has(commit.sha))
}

/** Commits reachable from `head` and not from `base`, newest first. */
export const commitsBetween = (project: Project, base: string, head: string): Commit[] => {
  const known = new Set(ancestry(project, base).map(commit => commit.sha))
  return ancestry(project, head).filter(commit => !known.has(commit.sha))
}

const changedLines = (before: string, after: string) => {
  const touched = new Set<number>()
  let position = 0
  for (const line of diffLines(before, after)) {
    if (line.old !== null) position = line.old
    if (line.sign === '-') touched.add(position)
    if (line.sign === '+') touched.add(position).add(position + 1)
  }
  return touched
}

const overlap = (base: string, ours: string, theirs: string) => {
  const mine = changedLines(base, ours)
  return [...changedLines(base, theirs)].some(line => mine.has(line))
}

const mergeText = (base: string, ours: string, theirs: string): string => {
  // Both sides changed different lines. So the line edits of `theirs` are replayed on `ours`, keyed by the base line
  // they follow.
  const inserts = new Map<number, string[]>()
  const removed = new Set<number>()
  let position = 0
  for (const line of diffLines(base, theirs)) {
    if (line.old !== null) position = line.old
    if (line.sign === '-') removed.add(position)
    if (line.sign === '+') inserts.set(position, [...(inserts.get(position) ?? []), line.text])
  }
  const merged: string[] = [...(inserts.get(0) ?? [])]
  for (const line of diffLines(base, ours)) {
    if (line.sign === '+') merged.push(line.text)
    if (line.sign === '-' || line.old === null) continue
    if (!removed.has(line.old)) merged.push(line.text)
    merged.push(...(inserts.get(line.old) ?? []))
  }
  return `${merged.join('\n')}\n`
}

/** Merges two snapshots over their base. Paths that both sides changed in the same place are conflicts. */
export const mergeFiles = (
  base: Snapshot = { files: {} },
  ours: Snapshot,
  theirs: Snapshot
): Required<Snapshot> & { conflicts: string[] } => {
  const files: Record<string, string> = {}
  const modes: Record<string, string> = {}
  const conflicts: string[] = []
  for (const path of new Set([base, ours, theirs].flatMap(side => Object.keys(side.files)))) {
    const [before, left, right] = [base.files[path], ours.files[path], theirs.files[path]]
    let result = left
    if (left === right || right === before) result = left
    else if (left === before) result = right
    else if (
      before === undefined ||
      left === undefined ||
      right === undefined ||
      overlap(before, left, right)
    )
      conflicts.push(path)
    else result = mergeText(before, left, right)
    if (result === undefined) continue
    files[path] = result
    const mode = theirs.modes?.[path] === base.modes?.[path] ? ours.modes?.[path] : theirs.modes?.[path]
    if (mode) modes[path] = mode
  }
  return { files, modes, conflicts }
}
