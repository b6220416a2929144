import { Type } from 'typebox'
import type { Arguments } from '../../src/engine/arguments/values.ts'
import { fullPathOf } from '../../src/engine/facts/full-path.ts'
import { gidOf } from '../../src/engine/requests/gid.ts'
import {
  CursorPage,
  inert,
  insteadOfNumber,
  oneOf,
  optional,
  ProjectId,
  text
} from '../../src/engine/rows/fields.ts'
import { graphql, type ToolRow } from '../../src/engine/rows/row.ts'
import type { Fields } from '../../src/results/is-record.ts'
import { CallProblem, NoPlace } from '../../src/results/problem.ts'
import { filling, nodesOf, pageInfoOf } from '../families/lists/connections.ts'
import { changeMutations, listQuery, mutations, oneQuery } from './documents.ts'
import { slimRecord, wholeRecord } from './record.ts'

const states = ['detected', 'confirmed', 'resolved', 'dismissed'] as const
const severities = ['critical', 'high', 'medium', 'low', 'info', 'unknown'] as const
const reports = [
  'sast',
  'dast',
  'dependency_scanning',
  'container_scanning',
  'secret_detection',
  'coverage_fuzzing',
  'api_fuzzing',
  'cluster_image_scanning',
  'generic'
] as const
const reasons = [
  'acceptable_risk',
  'false_positive',
  'mitigating_control',
  'used_in_tests',
  'not_applicable'
] as const

const VulnerabilityId = text('Number or gid')
/** Advice for a caller who gives project_id as well. */
const alone = { instead: { project_id: 'vulnerability_id alone says which one' } }
const gid = (id: string): string => gidOf('Vulnerability', 'vulnerability_id', id)
const capitals = (values: readonly string[] | undefined) => values?.map(value => value.toUpperCase())

const needsUltimate =
  'The forge shows no vulnerabilities to this token: they take the Ultimate edition, and in it the Developer role.'

/** Checks that a dismissal has a reason, and that no other state has one. */
const reasonOfDismissal = ({ state, reason }: Arguments): void => {
  if (state === 'dismissed' && reason === undefined)
    throw new CallProblem(`reason is required to dismiss: one of ${reasons.join(', ')}.`)
  if (state !== 'dismissed' && reason !== undefined)
    throw new CallProblem("'reason' can only be given with state dismissed.")
}

/**
 * The record after a change.
 * @throws CallProblem if the forge returned none
 */
function changed(payload: unknown): Fields {
  const { vulnerability } = payload as { vulnerability?: Fields | null }
  if (vulnerability) return wholeRecord(vulnerability)
  throw new CallProblem('The forge took the change and gave no record back: look before you repeat it.')
}

export const vulnerabilityRows: readonly ToolRow[] = [
  graphql({
    name: 'list_vulnerabilities',
    class: 'read',
    edition: 'Ultimate',
    title: 'Vulnerabilities',
    summary: 'List what scanners found in a project (Ultimate).',
    input: Type.Object(
      {
        project_id: ProjectId,
        state: optional(Type.Array({ ...oneOf(states), problem: '; what is open is detected or confirmed' })),
        severity: optional(Type.Array(oneOf(severities))),
        report_type: optional(Type.Array(oneOf(reports))),
        ...CursorPage
      },
      { instead: insteadOfNumber }
    ),
    document: listQuery,
    variables: async ({ project_id, state, severity, report_type, first, after }, context) => ({
      fullPath: await fullPathOf({ project_id }, context),
      ...filling({ state: capitals(state), severity: capitals(severity), reportType: capitals(report_type) }),
      first,
      after
    }),
    shape({ project }, { project_id }) {
      if (project === null || project === undefined) throw new NoPlace('project', project_id)
      const { vulnerabilities } = project as Fields
      if (vulnerabilities === null || vulnerabilities === undefined) throw new CallProblem(needsUltimate)
      return {
        vulnerabilities: nodesOf(vulnerabilities).map(slimRecord),
        pageInfo: pageInfoOf(vulnerabilities)
      }
    }
  }),
  graphql({
    name: 'get_vulnerability',
    class: 'read',
    edition: 'Ultimate',
    title: 'Vulnerability',
    summary: 'Get one, with where it is and what scanners say.',
    input: Type.Object({ vulnerability_id: VulnerabilityId }, alone),
    record: 'vulnerability',
    document: oneQuery,
    variables: ({ vulnerability_id }) => ({ id: gid(vulnerability_id) }),
    shape({ vulnerability }, { vulnerability_id }) {
      if (vulnerability) return wholeRecord(vulnerability)
      throw new CallProblem(
        `There is no vulnerability ${vulnerability_id}, or the token may not see it; they take the Ultimate edition.`
      )
    }
  }),
  graphql({
    name: 'change_vulnerability_state',
    class: 'write',
    edition: 'Ultimate',
    title: 'Vulnerability state',
    summary: 'Confirm, resolve, dismiss or reopen (detected) one, as a Maintainer or Security Manager.',
    input: Type.Object(
      {
        vulnerability_id: VulnerabilityId,
        state: oneOf(['confirmed', 'resolved', 'dismissed', 'detected']),
        reason: optional(oneOf(reasons, 'Needed to dismiss')),
        comment: optional(inert(text('Why')))
      },
      alone
    ),
    check: [reasonOfDismissal],
    document: ({ state }) => changeMutations[state],
    variables: ({ vulnerability_id, reason, comment }) => ({
      input: { id: gid(vulnerability_id), dismissalReason: reason?.toUpperCase(), comment }
    }),
    payload: ({ state }) => mutations[state],
    shape: (data, { state }) => changed(data[mutations[state]])
  })
]
