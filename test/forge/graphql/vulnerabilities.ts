import { LEVEL, levelIn } from '../access.ts'
import { fullPath } from '../model/places.ts'
import { projectUrl } from '../present/project.ts'
import type { ForgeState } from '../state.ts'
import type { Project, User, Vulnerability } from '../types.ts'
import { NO_ACCESS } from './access.ts'
import { connection, type Page } from './connection.ts'

const projectFields = (state: ForgeState, user: User, project: Project) => ({
  id: `gid://gitlab/Project/${project.id}`,
  name: project.name,
  fullPath: fullPath(project),
  vulnerabilities: (asked: Asked) => listed(state, user, project, asked)
})

const fieldsOf = (state: ForgeState, user: User, project: Project, found: Vulnerability): object => ({
  ...found,
  id: `gid://gitlab/Vulnerability/${found.id}`,
  webUrl: `${projectUrl(state, project)}/-/security/vulnerabilities/${found.id}`,
  scanner: { name: 'Watchdog', externalId: 'watchdog', vendor: 'Acme' },
  identifiers: found.identifiers.map(identifier => ({ ...identifier, url: null })),
  links: [],
  project: () => projectFields(state, user, project)
})

interface Asked extends Page {
  state?: string[]
  severity?: string[]
  reportType?: string[]
}

/** The list of vulnerabilities. Developers see it; others get null (docs: permissions). */
const listed = (state: ForgeState, user: User, project: Project, asked: Asked) => {
  if (levelIn(user, project) < LEVEL.developer) return null
  const wanted = (names: string[] | undefined, name: string) => !names || names.includes(name)
  const rows = project.vulnerabilities.filter(
    found =>
      wanted(asked.state, found.state) &&
      wanted(asked.severity, found.severity) &&
      wanted(asked.reportType, found.reportType)
  )
  return connection(
    rows.map(found => fieldsOf(state, user, project, found)),
    asked
  )
}

interface Change {
  id: string
  comment?: string
  dismissalReason?: string
}

const STAMPS = { CONFIRMED: 'confirmedAt', RESOLVED: 'resolvedAt', DISMISSED: 'dismissedAt' } as const

/** The root fields of vulnerabilities. */
export const vulnerabilityRoot = (state: ForgeState, user: User | undefined) => {
  const find = (gid: string, level: number) => {
    for (const project of state.projects)
      for (const found of project.vulnerabilities)
        if (gid === `gid://gitlab/Vulnerability/${found.id}` && user && levelIn(user, project) >= level)
          return { project, found }
    return undefined
  }
  const change =
    (to: Vulnerability['state']) =>
    ({ input }: { input: Change }) => {
      const at = find(input.id, LEVEL.maintainer)
      if (!at || !user) throw new Error(NO_ACCESS)
      const { project, found } = at
      const shown = () => fieldsOf(state, user, project, found)
      if (found.state === to) return { vulnerability: null, errors: [`State is already ${to.toLowerCase()}`] }
      found.state = to
      found.dismissalReason = input.dismissalReason ?? null
      for (const [name, stamp] of Object.entries(STAMPS)) found[stamp] = name === to ? state.time() : null
      return { vulnerability: shown(), errors: [] }
    }
  return {
    project: ({ fullPath: path }: { fullPath: string }) => {
      const project = state.projects.find(other => fullPath(other) === path)
      return project && user && levelIn(user, project) > 0 ? projectFields(state, user, project) : null
    },
    vulnerability: ({ id }: { id: string }) => {
      const at = find(id, LEVEL.developer)
      return at && user ? fieldsOf(state, user, at.project, at.found) : null
    },
    vulnerabilityConfirm: change('CONFIRMED'),
    vulnerabilityResolve: change('RESOLVED'),
    vulnerabilityRevertToDetected: change('DETECTED'),
    vulnerabilityDismiss: change('DISMISSED')
  }
}
