import type { RecordViews } from './views.ts'

const SCHEDULE =
  'id description ref cron cron_timezone next_run_at active owner{username} inputs?{name value}'
const VARIABLES = 'variables{key variable_type value result}'

/** CI configuration, variables, schedules and runners. */
export const ciRecords = {
  lint_result: {
    list: 'valid errors warnings includes{type location context_project context_sha} jobs{name stage when only except environment tag_list allow_failure needs} merged_yaml'
  },
  variable: {
    list: 'key value variable_type environment_scope protected masked hidden raw description'
  },
  pipeline_schedule: {
    list: SCHEDULE,
    get: `${SCHEDULE} created_at updated_at last_pipeline{id iid sha ref status web_url} ${VARIABLES}`,
    write: `${SCHEDULE} ${VARIABLES}`
  },
  runner: { list: 'id description name runner_type status paused is_shared' }
} as const satisfies Readonly<Record<string, RecordViews>>
