import { type Config, entries } from '../config/schema.ts'
import { decodeNamespace } from '../engine/requests/template.ts'
import { type Finding, found } from './finding.ts'
import type { Probe } from './probe.ts'

/** Most projects of FORGE_ALLOWED_PROJECT_IDS that are checked; the list may be long. */
const MAX_PROJECTS = 10

/**
 * Checks whether a token can see the projects that the configuration names.
 * @param ask requests a path of the forge; undefined if there is no token
 */
export async function projectsFinding(
  { FORGE_PROJECT_ID: byDefault, FORGE_ALLOWED_PROJECT_IDS }: Config,
  ask: ((path: string) => Promise<Probe>) | undefined
): Promise<Finding> {
  const allowed = entries(FORGE_ALLOWED_PROJECT_IDS)
  const named = [
    ...(byDefault === '' ? [] : [{ project: byDefault, variable: 'FORGE_PROJECT_ID' }]),
    ...allowed.slice(0, MAX_PROJECTS).map(project => ({ project, variable: 'FORGE_ALLOWED_PROJECT_IDS' }))
  ]
  if (named.length === 0) return found('skip', 'projects', 'the configuration names none.')
  if (ask === undefined) return found('skip', 'projects', 'who brings no token sees hardly any.')
  const missing: string[] = []
  for (const { project, variable } of named) {
    const { reply } = await ask(`/projects/${encoded(variable, project)}`)
    if (reply?.status === 404) missing.push(`${variable} has ${JSON.stringify(project)}`)
    else if (reply?.status !== 200)
      return found('skip', 'projects', `the forge says nothing of them (${reply?.status ?? 'no answer'}).`)
  }
  if (missing.length > 0)
    return found(
      'warn',
      'projects',
      `${missing.join(', ')}: there is no such project, or this token may not see it.`,
      'Give its id or full path, such as group/project, and make the owner of the token a member of it.'
    )
  const left = allowed.length - MAX_PROJECTS
  return found(
    'ok',
    'projects',
    left > 0 ? `the token sees them; ${left} more were not looked at.` : 'the token sees them.'
  )
}

/** The encoded path of a project. One that cannot be decoded is treated as a project that does not exist. */
function encoded(variable: string, project: string): string {
  try {
    return encodeURIComponent(decodeNamespace(variable, project))
  } catch {
    return encodeURIComponent(project)
  }
}
