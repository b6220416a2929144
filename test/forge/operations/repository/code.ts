import { LEVEL, levelIn, projectOf } from '../../access.ts'
import { type Call, forbidden, notFound } from '../../http.ts'
import { resolveRef } from '../../model/history.ts'
import type { Commit, Project } from '../../types.ts'

/** The project, if the caller may see its code. Guests of a private project may not (docs: permissions). */
export const codeOf = (call: Call): Project => {
  const project = projectOf(call)
  if (project.visibility === 'private' && levelIn(call.user, project) < LEVEL.reporter) throw forbidden()
  return project
}

/** A commit by any ref that names it. */
export const commitOf = (project: Project, ref: string, thing = 'Commit'): Commit => {
  const commit = resolveRef(project, ref)
  if (!commit) throw notFound(thing)
  return commit
}
