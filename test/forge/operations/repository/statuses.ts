import { LEVEL, projectOf } from '../../access.ts'
import {
  bodyText,
  type Call,
  created,
  notFound,
  type Operations,
  paged,
  queryFlag,
  queryText
} from '../../http.ts'
import { type Keys, keyOf, ordered } from '../../model/rows.ts'
import { presentJob } from '../../present/pipeline.ts'
import { presentStatus } from '../../present/repository.ts'
import type { CommitStatus } from '../../types.ts'
import { codeOf } from './code.ts'

const shaOf = (call: Call, commits: ReadonlyMap<string, unknown>) => {
  const sha = call.params.sha ?? ''
  if (!commits.has(sha)) throw notFound('Commit')
  return sha
}

interface Row {
  id: number
  name: string
  ref: string
  stage?: string
  pipeline_id?: number | null
}

const KEYS: Keys<Row> = { id: ({ id }) => id, pipeline_id: row => row.pipeline_id ?? null }

/** Jobs and external statuses together, by default only the latest of each name. */
const list = (call: Call) => {
  const project = codeOf(call)
  const sha = shaOf(call, project.commits)
  const jobs = project.pipelines
    .filter(pipeline => pipeline.sha === sha)
    .flatMap(pipeline =>
      pipeline.jobs.map((job): Row => {
        const {
          id,
          status,
          name,
          ref,
          stage,
          allow_failure,
          coverage,
          created_at,
          started_at,
          finished_at,
          user,
          web_url
        } = presentJob(call.state, job)
        const times = { created_at, started_at, finished_at }
        const rest = {
          sha,
          status,
          allow_failure,
          coverage,
          description: null,
          target_url: web_url,
          author: user
        }
        return { id, name, ref, stage, pipeline_id: pipeline.id, ...times, ...rest } as Row
      })
    )
  const outside = project.repository.statuses
    .filter(status => status.sha === sha)
    .map((status): Row => presentStatus(call.state, status))
  const [ref, stage, name, pipeline] = ['ref', 'stage', 'name', 'pipeline_id'].map(key =>
    queryText(call, key)
  )
  const rows = [...jobs, ...outside]
    .filter(
      row =>
        (!ref || row.ref === ref) &&
        (!stage || row.stage === stage) &&
        (!name || row.name === name) &&
        (!pipeline || String(row.pipeline_id) === pipeline)
    )
    .sort((a, b) => a.id - b.id)
  const latest = rows.filter((row, at) => !rows.slice(at + 1).some(later => later.name === row.name))
  const shown = queryFlag(call, 'all') ? rows : latest
  return paged(call, ordered(call, shown, keyOf(call, KEYS, 'id'), 'asc'), ({ stage: _, ...row }) => row)
}

/** Sets a status. A status of the same name is updated. */
const create = (call: Call) => {
  const project = projectOf(call, LEVEL.developer)
  const sha = shaOf(call, project.commits)
  const text = (name: string) => bodyText(call, name) ?? null
  const name = text('name') ?? 'default'
  const known = project.repository.statuses.find(status => status.sha === sha && status.name === name)
  const status: CommitStatus = {
    id: known?.id ?? call.state.nextId('job'),
    sha,
    name,
    ref: text('ref') ?? project.defaultBranch,
    state: text('state') ?? '',
    description: text('description'),
    targetUrl: text('target_url'),
    coverage: typeof call.body.coverage === 'number' ? call.body.coverage : null,
    author: call.user,
    createdAt: call.state.time()
  }
  if (known) Object.assign(known, status)
  else project.repository.statuses.push(status)
  return created(presentStatus(call.state, status))
}

export const statusOperations: Operations = {
  list_commit_statuses: list,
  create_commit_status: create
}
