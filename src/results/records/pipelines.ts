import type { RecordViews } from './views.ts'

const PIPELINE = '{id iid project_id status source ref sha web_url}'
const JOB =
  'id name stage status allow_failure? failure_reason ref tag? started_at finished_at erased_at duration queued_duration coverage retried? web_url'
const DEPLOYABLE = '{id name stage status}'

/** Pipelines, jobs, deployments and environments. */
export const pipelineRecords = {
  pipeline: {
    list: 'id iid project_id status source ref sha name created_at updated_at web_url',
    get: 'id iid project_id status source ref sha before_sha tag? name yaml_errors user created_at started_at finished_at duration queued_duration coverage detailed_status{label} web_url',
    write: 'id iid project_id status source ref sha name yaml_errors created_at web_url',
    once: 'project_id'
  },
  job: {
    list: `${JOB} user commit{id title} pipeline${PIPELINE} runner{id description status} artifacts_expire_at artifacts?{file_type filename size} tag_list?`,
    write: `${JOB} user pipeline${PIPELINE}`,
    once: 'ref user commit pipeline tag_list'
  },
  bridge: {
    list: `${JOB} user commit{id title} pipeline${PIPELINE} downstream_pipeline${PIPELINE}`,
    once: 'ref user commit pipeline'
  },
  deployment: {
    list: `id iid status ref sha user environment{id name} deployable${DEPLOYABLE} created_at updated_at`,
    get: `id iid status ref sha user environment{id name external_url tier state} deployable{id name stage status pipeline${PIPELINE} web_url} approvals? pending_approval_count? created_at updated_at`
  },
  environment: {
    list: 'id name state tier external_url auto_stop_at updated_at',
    get: `*? state last_deployment{id iid status ref sha user deployable${DEPLOYABLE} created_at updated_at} cluster_agent{id name} -slug -enable_advanced_logs_querying -logs_api_path -project`
  }
} as const satisfies Readonly<Record<string, RecordViews>>
