import { LEVEL, levelIn, projectOf } from '../access.ts'
import {
  accepted,
  bodyFlag,
  bodyText,
  type Call,
  created,
  ForgeError,
  forbidden,
  type Operations,
  paged,
  queryText,
  refuse
} from '../http.ts'
import { headOf, mergeStatus } from '../model/merge-requests.ts'
import { addToTrain } from '../model/trains.ts'
import { presentUser } from '../present/user.ts'
import type { Project, TrainCar } from '../types.ts'
import { currentMergeRequest } from './merge-requests.ts'

/** The merge trains of a project. The free edition has no such route, and a project without trains refuses. */
const trainsOf = (call: Call, project: Project): TrainCar[] => {
  if (call.state.edition === 'ce') throw new ForgeError(404, { error: '404 Not Found' })
  if (project.trains === null) throw forbidden()
  return project.trains
}

const time = (at: number | null) => (at === null ? null : new Date(at).toISOString())

const presentCar = (call: Call, { id, request, user, createdAt, mergedAt }: TrainCar) => ({
  id,
  merge_request: {
    id: request.id,
    iid: request.iid,
    project_id: request.project.id,
    title: request.title,
    description: request.description,
    state: request.state,
    created_at: request.createdAt,
    updated_at: request.updatedAt,
    web_url: `${call.state.url}/${request.project.group.path}/${request.project.path}/-/merge_requests/${request.iid}`
  },
  user: presentUser(call.state, user),
  pipeline: null,
  created_at: time(createdAt),
  updated_at: time(mergedAt ?? createdAt),
  target_branch: request.targetBranch,
  status: mergedAt === null ? 'fresh' : 'merged',
  merged_at: time(mergedAt),
  duration: mergedAt === null ? null : (mergedAt - createdAt) / 1000
})

const list = (call: Call) => {
  const scope = queryText(call, 'scope')
  const rows = trainsOf(call, projectOf(call, LEVEL.reporter)).filter(
    ({ request, mergedAt }) =>
      (scope === undefined || (scope === 'active') === (mergedAt === null)) &&
      (call.params.target_branch ?? request.targetBranch) === request.targetBranch
  )
  return paged(call, queryText(call, 'sort') === 'asc' ? rows : rows.toReversed(), car =>
    presentCar(call, car)
  )
}

const add = (call: Call) => {
  const request = currentMergeRequest(call)
  const cars = trainsOf(call, request.project)
  const isProtected = request.project.branches.get(request.targetBranch)?.protected ?? false
  if (levelIn(call.user, request.project) < (isProtected ? LEVEL.maintainer : LEVEL.developer))
    throw forbidden()
  const sha = bodyText(call, 'sha')
  if (sha && sha !== headOf(request)) throw refuse(409, 'SHA does not match HEAD of source branch')
  const ready = mergeStatus(request) === 'mergeable'
  const later = bodyFlag(call, 'auto_merge') === true || bodyFlag(call, 'when_pipeline_succeeds') === true
  if (!ready && !later) throw refuse(400, 'Failed to merge')
  if (!ready) {
    const params = { mergeMessage: null, squashMessage: null, squash: request.squash, removeSource: null }
    request.autoMerge = { user: call.user, params }
    return accepted([])
  }
  request.squash = bodyFlag(call, 'squash') ?? request.squash
  addToTrain(call.state, cars, request, call.user)
  return created(cars.filter(({ mergedAt }) => mergedAt === null).map(car => presentCar(call, car)))
}

/** Operations on merge trains. The sandbox shows no pipeline of a train, only that it takes some time. */
export const trainOperations: Operations = {
  list_merge_trains: list,
  list_merge_train: list,
  add_merge_request_to_merge_train: add
}
