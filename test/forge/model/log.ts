import type { Commit, Project } from '../types.ts'
import { changesBetween, diffLines, type FileChange } from './diff.ts'
import { ancestry } from './history.ts'

/** What a commit changed against its first parent; everything, if it has no parent. */
export const changesOfCommit = (project: Project, commit: Commit): FileChange[] => {
  const parent = project.commits.get(commit.parents[0] ?? '')
  return changesBetween(parent ?? { files: {} }, commit)
}

/** Whether a commit changed a file, or a directory's files. */
const touches = (project: Project, commit: Commit, path: string) =>
  changesOfCommit(project, commit).some(({ oldPath, newPath }) =>
    [oldPath, newPath].some(name => name === path || name.startsWith(`${path}/`))
  )

/** The commits up to `head` that changed a path, nearest first. */
export const logOf = (project: Project, head: Commit, path: string): Commit[] =>
  ancestry(project, head.sha).filter(commit => touches(project, commit, path))

/** Lines added and removed by a commit. */
export const statsOf = (project: Project, commit: Commit) => {
  const lines = changesOfCommit(project, commit).flatMap(change => change.lines)
  const additions = lines.filter(({ sign }) => sign === '+').length
  const deletions = lines.filter(({ sign }) => sign === '-').length
  return { additions, deletions, total: additions + deletions }
}

/** For each line of a file, the commit that introduced it, as `git blame` finds it. */
export const blameOf = (project: Project, commit: Commit, path: string): Commit[] => {
  const text = commit.files[path] ?? ''
  const found: Commit[] = []
  for (const line of diffLines('', text)) found[line.new! - 1] = commit
  for (const sha of [...commit.parents].reverse()) {
    const parent = project.commits.get(sha)
    if (parent?.files[path] === undefined) continue
    const before = blameOf(project, parent, path)
    for (const line of diffLines(parent.files[path], text))
      if (line.sign === ' ') found[line.new! - 1] = before[line.old! - 1]!
  }
  return found
}
