import { addEpic } from '../model/make.ts'
import type { ForgeState } from '../state.ts'
import type { Group, Issue, Project } from '../types.ts'
import { person } from './people.ts'

const DAY = 86_400_000

/** An epic of acme that the first issue is part of. */
export const addEpics = (state: ForgeState, group: Group, part: Issue) => {
  const ago = (days: number) => new Date(state.now() - days * DAY).toISOString()
  const epic = addEpic(state, group, {
    title: 'Fly to orbit',
    description: 'All that is between us and orbit.',
    author: person(state, 'margaret'),
    createdAt: ago(50)
  })
  Object.assign(epic.planning, { color: '#1f75cb', startDate: ago(50).slice(0, 10), statusId: 2 })
  part.planning.parent = epic
}

/** What scanners found in acme/rocket. */
export const addVulnerabilities = (state: ForgeState, rocket: Project) => {
  const detectedAt = new Date(state.now() - 7 * DAY).toISOString()
  const open = { confirmedAt: null, resolvedAt: null, dismissedAt: null, dismissalReason: null, detectedAt }
  const cwe = (number: string) => ({ externalType: 'cwe', externalId: number, name: `CWE-${number}` })
  rocket.vulnerabilities.push(
    {
      ...open,
      id: state.nextId('vulnerability'),
      title: 'Launch code in a URL',
      description: 'The launch code is part of the address and ends in access logs.',
      state: 'DETECTED',
      severity: 'HIGH',
      reportType: 'SAST',
      location: {
        __typename: 'VulnerabilityLocationSast',
        file: 'src/engine.ts',
        startLine: '3',
        endLine: '5'
      },
      identifiers: [cwe('598')]
    },
    {
      ...open,
      id: state.nextId('vulnerability'),
      title: 'Prototype pollution in left-pad',
      description: 'Update it.',
      state: 'CONFIRMED',
      severity: 'CRITICAL',
      reportType: 'DEPENDENCY_SCANNING',
      location: {
        __typename: 'VulnerabilityLocationDependencyScanning',
        file: 'package-lock.json',
        dependency: { package: { name: 'left-pad' }, version: '1.0.0' }
      },
      identifiers: [cwe('1321')]
    }
  )
}
