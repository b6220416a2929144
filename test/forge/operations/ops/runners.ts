import { type Call, type Operations, paged, queryList, queryText } from '../../http.ts'
import type { Runner } from '../../types.ts'
import { opsOf } from './place.ts'

const present = ({ id, description, type, status, paused, token }: Runner) => ({
  id,
  description,
  ip_address: null,
  active: !paused,
  paused,
  is_shared: type === 'instance_type',
  runner_type: type,
  name: 'gitlab-runner',
  online: status === 'online',
  status,
  token,
  token_expires_at: null,
  job_execution_status: 'idle'
})

const list = (call: Call, runners: readonly Runner[]) => {
  const equal = (name: string, value: string) => (queryText(call, name) ?? value) === value
  const tags = queryList(call, 'tag_list') ?? []
  const rows = runners.filter(
    runner =>
      equal('type', runner.type) &&
      equal('status', runner.status) &&
      equal('paused', String(runner.paused)) &&
      runner.version.startsWith(queryText(call, 'version_prefix') ?? '') &&
      tags.every(tag => runner.tags.includes(tag))
  )
  return paged(call, rows, present)
}

export const runnerOperations: Operations = {
  list_runners: call =>
    list(
      call,
      call.state.runners.filter(({ owner }) => owner === call.user)
    ),
  list_project_runners: call => {
    opsOf(call, 'project')
    return list(call, call.state.runners)
  },
  list_group_runners: call => {
    opsOf(call, 'group')
    return list(
      call,
      call.state.runners.filter(({ type }) => type !== 'project_type')
    )
  }
}
