import { projectOf } from '../access.ts'
import { type Call, type Operations, ok, paged, queryText, recordNotFound } from '../http.ts'
import { type Keys, keyOf, ordered, within } from '../model/rows.ts'
import {
  presentDeployment,
  presentDeploymentExtended,
  presentEnvironment,
  presentEnvironmentFull
} from '../present/deployment.ts'
import type { Deployment } from '../types.ts'

const KEYS: Keys<Deployment> = {
  id: ({ id }) => id,
  iid: ({ iid }) => iid,
  created_at: ({ createdAt }) => createdAt,
  updated_at: ({ updatedAt }) => updatedAt,
  finished_at: ({ updatedAt }) => updatedAt
}

/** Oldest first by default (docs: deployments API: order_by id, sort asc). */
const list = (call: Call) => {
  const environment = queryText(call, 'environment')
  const status = queryText(call, 'status')
  const rows = projectOf(call).deployments.filter(
    row =>
      (!environment || row.environment.name === environment) &&
      (!status || row.status === status) &&
      within(call, 'updated', Date.parse(row.updatedAt)) &&
      within(call, 'finished', Date.parse(row.updatedAt))
  )
  return paged(call, ordered(call, rows, keyOf(call, KEYS, 'id'), 'asc'), row =>
    presentDeployment(call.state, row)
  )
}

const listEnvironments = (call: Call) => {
  const project = projectOf(call)
  const name = queryText(call, 'name')
  const search = queryText(call, 'search')?.toLowerCase()
  const states = queryText(call, 'states')
  const rows = project.environments.filter(
    row =>
      (!name || row.name === name) &&
      (!search || row.name.toLowerCase().includes(search)) &&
      (!states || row.state === states)
  )
  return paged(call, rows, row => presentEnvironment(call.state, project, row))
}

export const deploymentOperations: Operations = {
  list_deployments: list,
  get_deployment: call => {
    const found = projectOf(call).deployments.find(({ id }) => String(id) === call.params.deployment_id)
    if (!found) throw recordNotFound()
    return ok(presentDeploymentExtended(call.state, found))
  },
  list_environments: listEnvironments,
  get_environment: call => {
    const project = projectOf(call)
    const found = project.environments.find(({ id }) => String(id) === call.params.environment_id)
    if (!found) throw recordNotFound()
    return ok(presentEnvironmentFull(call.state, project, found))
  }
}
