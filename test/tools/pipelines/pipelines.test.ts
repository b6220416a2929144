import { pipelines } from '../../../tools/pipelines/index.ts'
import { runTable } from '../../support/tool-table.ts'

const whole = 'deadbeef'.repeat(5)
const job = { id: 7, name: 'build', status: 'pending' }

runTable(pipelines, [
  {
    title: 'passes every filter on',
    tool: 'list_pipelines',
    args: {
      project_id: 'acme/rocket',
      scope: 'finished',
      status: 'failed',
      ref: 'main',
      sha: '0123456789abcdef0123456789abcdef01234567',
      yaml_errors: 'true',
      username: 'ada',
      updated_after: '2026-11-01T00:00:00+01:00',
      updated_before: '2026-11-20T00:00:00Z',
      order_by: 'updated_at',
      sort: 'asc',
      page: 2,
      per_page: 5
    },
    exchanges: [
      {
        request:
          'GET /projects/acme%2Frocket/pipelines?scope=finished&status=failed&ref=main&sha=0123456789abcdef0123456789abcdef01234567&yaml_errors=true&username=ada&updated_after=2026-11-01T00%3A00%3A00%2B01%3A00&updated_before=2026-11-20T00%3A00%3A00Z&order_by=updated_at&sort=asc&page=2&per_page=5',
        reply: { body: [{ id: 1 }], headers: { 'x-page': '2', 'x-per-page': '5', 'x-next-page': '3' } }
      }
    ],
    result: [{ id: 1 }],
    notices: [{ pagination: { page: 2, per_page: 5, next_page: 3 } }]
  },
  {
    title: 'sends no filter that is null or not given',
    tool: 'list_pipelines',
    args: { project_id: '1', status: null, ref: null, page: null },
    exchanges: [{ request: 'GET /projects/1/pipelines', reply: { body: [] } }],
    result: []
  },
  {
    title: 'asks by a sha as it is given, and no more where there are pipelines',
    tool: 'list_pipelines',
    args: { project_id: '1', sha: 'deadbeef' },
    exchanges: [{ request: 'GET /projects/1/pipelines?sha=deadbeef', reply: { body: [{ id: 1 }] } }],
    result: [{ id: 1 }],
    notices: []
  },
  {
    title: 'asks again with the whole SHA where a short one has none, and pages by that',
    tool: 'list_pipelines',
    args: { project_id: '1', sha: 'DEADBEEF', status: 'failed', per_page: 1 },
    exchanges: [
      { request: 'GET /projects/1/pipelines?sha=DEADBEEF&status=failed&per_page=1', reply: { body: [] } },
      { request: 'GET /projects/1/repository/commits/DEADBEEF', reply: { body: { id: whole } } },
      {
        request: `GET /projects/1/pipelines?sha=${whole}&status=failed&per_page=1`,
        reply: { body: [{ id: 1 }], headers: { 'x-page': '1', 'x-per-page': '1', 'x-next-page': '2' } }
      }
    ],
    result: [{ id: 1 }],
    notices: [{ pagination: { page: 1, per_page: 1, next_page: 2 } }]
  },
  ...[1, 'dead', `beef${whole.slice(4)}`, `${whole}dead`, undefined].map(id => ({
    title: `takes ${id} for no commit that begins with a short SHA`,
    tool: 'list_pipelines',
    args: { project_id: '1', sha: 'deadbeef' },
    exchanges: [
      { request: 'GET /projects/1/pipelines?sha=deadbeef', reply: { body: [] } },
      { request: 'GET /projects/1/repository/commits/deadbeef', reply: { body: { id, title: 'Burn' } } }
    ],
    result: [],
    notices: ['Perhaps no commit here begins with deadbeef, or it has no such pipelines: get_commit tells.']
  })),
  {
    title: 'leaves it at an empty list where the code may not be read',
    tool: 'list_pipelines',
    args: { project_id: '1', sha: 'deadbeef' },
    exchanges: [
      { request: 'GET /projects/1/pipelines?sha=deadbeef', reply: { body: [] } },
      { request: 'GET /projects/1/repository/commits/deadbeef', reply: { status: 403, body: {} } }
    ],
    result: []
  },
  {
    title: 'says of a branch in place of a sha where it belongs',
    tool: 'list_pipelines',
    args: { project_id: '1', sha: 'HEAD' },
    exchanges: [{ request: 'GET /projects/1/pipelines?sha=HEAD', reply: { body: [] } }],
    result: [],
    notices: ['sha is that of a commit: a branch or tag is given as ref.']
  },
  {
    title: 'refuses a status that is none, and says which there are',
    tool: 'list_pipelines',
    args: { project_id: '1', status: 'done' },
    error: /^Invalid arguments: status must be one of created, .*scheduled\.$/
  },
  {
    title: 'needs a project',
    tool: 'list_pipelines',
    args: {},
    error: 'Invalid arguments: project_id is required (its id, path or web address, as list_projects has it).'
  },
  {
    title: 'reads one pipeline',
    tool: 'get_pipeline',
    args: { project_id: 1, pipeline_id: 9 },
    exchanges: [
      { request: 'GET /projects/1/pipelines/9', reply: { body: { id: 9, status: 'running', tag: null } } }
    ],
    result: { id: 9, status: 'running' }
  },
  {
    title: 'says of a pipeline that is not there what is no id of one',
    tool: 'get_pipeline',
    args: { project_id: '1', pipeline_id: '4' },
    exchanges: [
      { request: 'GET /projects/1/pipelines/4', reply: { status: 404, body: { message: '404 Not found' } } }
    ],
    error: /pipeline_id is the id, as list_pipelines has it, not the number in the project \(iid\)/
  },
  {
    title: 'sends who gives the name of a job to the list that has its number',
    tool: 'get_pipeline_job',
    args: { project_id: '1', job_id: 'build' },
    error: /job_id must be a number, which list_pipeline_jobs gives/
  },
  {
    title: 'refuses an id that would climb out of its place',
    tool: 'get_pipeline',
    args: { project_id: '1', pipeline_id: '../../user' },
    error: 'pipeline_id must be a number, as list_pipelines gives it, not "../../user".'
  },
  {
    title: 'refuses a project that would climb out of its place, however it is encoded',
    tool: 'get_pipeline',
    args: { project_id: '%2e%2e', pipeline_id: '9' },
    error: /^project_id has an empty, "\." or "\.\." segment/
  },
  {
    title: 'says that a login page is no pipeline',
    tool: 'get_pipeline',
    args: { project_id: '1', pipeline_id: '9' },
    exchanges: [
      {
        request: 'GET /projects/1/pipelines/9',
        reply: { headers: { 'content-type': 'text/html' }, body: '<html>Sign in</html>' }
      }
    ],
    error: /web page instead of JSON/
  },
  {
    title: 'says that half a record is none',
    tool: 'get_pipeline',
    args: { project_id: '1', pipeline_id: '9' },
    exchanges: [{ request: 'GET /projects/1/pipelines/9', reply: { body: '{"id":9,"sta' } }],
    error: 'The forge answered with something that is not complete JSON.'
  },
  {
    title: 'sends variables with their type, and inputs of every type',
    tool: 'create_pipeline',
    args: {
      project_id: '1',
      ref: 'main',
      variables: [
        { key: 'A', value: '1', variable_type: null },
        { key: 'F', value: 'text', variable_type: 'file' }
      ],
      inputs: { name: 'x', count: 3, deep: true, list: ['a', 1] }
    },
    exchanges: [
      {
        request: 'POST /projects/1/pipeline',
        body: {
          ref: 'main',
          variables: [
            { key: 'A', value: '1' },
            { key: 'F', value: 'text', variable_type: 'file' }
          ],
          inputs: { name: 'x', count: 3, deep: true, list: ['a', 1] }
        },
        reply: { status: 201, body: { id: 10, status: 'created' } }
      }
    ],
    result: { id: 10, status: 'created' }
  },
  {
    title: 'leaves out variables and inputs that are empty',
    tool: 'create_pipeline',
    args: { project_id: '1', ref: 'main', variables: [], inputs: {} },
    exchanges: [{ request: 'POST /projects/1/pipeline', body: { ref: 'main' } }]
  },
  {
    title: 'sends only the ref when there is nothing else',
    tool: 'create_pipeline',
    args: { project_id: '1', ref: 'main' },
    exchanges: [{ request: 'POST /projects/1/pipeline', body: { ref: 'main' } }]
  },
  {
    title: 'refuses an input that is an object',
    tool: 'create_pipeline',
    args: { project_id: '1', ref: 'main', inputs: { a: { b: 1 } } },
    error: 'Invalid arguments: inputs.a must be a string, a number, a boolean or an array.'
  },
  {
    title: 'refuses an input that is null',
    tool: 'create_pipeline',
    args: { project_id: '1', ref: 'main', inputs: { a: null } },
    error: 'Invalid arguments: inputs.a must be a string, a number, a boolean or an array.'
  },
  {
    title: 'refuses a variable without a value, with a field too many, and a ref that is missing',
    tool: 'create_pipeline',
    args: { project_id: '1', variables: [{ key: 'A', type: 'file' }] },
    error:
      'Invalid arguments: unknown argument "variables.0.type", did you mean "variables.0.variable_type"?; ref is required; variables.0.value is required.'
  },
  {
    title: 'says why the forge would not start one',
    tool: 'create_pipeline',
    args: { project_id: '1', ref: 'main' },
    exchanges: [
      {
        request: 'POST /projects/1/pipeline',
        body: { ref: 'main' },
        reply: { status: 400, body: { message: { base: ['The rules select no jobs.'] } } }
      }
    ],
    error: 'The forge answered 400 Bad Request: "base: The rules select no jobs".'
  },
  {
    title: 'says of a retry that there was nothing to retry',
    tool: 'retry_pipeline',
    args: { project_id: '1', pipeline_id: '9' },
    exchanges: [
      {
        request: 'POST /projects/1/pipelines/9/retry',
        body: {},
        reply: { status: 201, body: { id: 9, status: 'success' } }
      }
    ],
    result: { id: 9, status: 'success' },
    notices: [
      'Nothing was retried: it has no failed or canceled jobs. create_pipeline runs all again, as a new pipeline.'
    ]
  },
  {
    title: 'says of a cancel that the pipeline was over',
    tool: 'cancel_pipeline',
    args: { project_id: '1', pipeline_id: '9' },
    exchanges: [
      {
        request: 'POST /projects/1/pipelines/9/cancel',
        body: {},
        reply: { body: { id: 9, status: 'success' } }
      }
    ],
    result: { id: 9, status: 'success' },
    notices: ['Nothing was canceled: it was over already.']
  },
  {
    title: 'claims no more than that the forge took it when it answers nothing',
    tool: 'cancel_pipeline',
    args: { project_id: '1', pipeline_id: '9' },
    exchanges: [{ request: 'POST /projects/1/pipelines/9/cancel', body: {}, reply: { status: 202 } }],
    result: { status: 'success', message: 'The forge accepted the request, and sent no record of it.' }
  },
  {
    title: 'says that a cancel may have been made when the answer is cut short',
    tool: 'cancel_pipeline',
    args: { project_id: '1', pipeline_id: '9' },
    exchanges: [{ request: 'POST /projects/1/pipelines/9/cancel', body: {}, reply: { body: '{"id"' } }],
    error: /not complete JSON\. The change may or may not have been made/
  },
  {
    title: 'lists jobs of one status with retried ones',
    tool: 'list_pipeline_jobs',
    args: { project_id: '1', pipeline_id: '9', scope: 'failed', include_retried: true, per_page: 100 },
    exchanges: [
      {
        request: 'GET /projects/1/pipelines/9/jobs?scope=failed&include_retried=true&per_page=100',
        reply: { body: [job] }
      }
    ],
    result: [job]
  },
  {
    title: 'refuses more records a page than the forge gives',
    tool: 'list_pipeline_jobs',
    args: { project_id: '1', pipeline_id: '9', per_page: 101 },
    error: /^Invalid arguments: per_page must be <= 100\.$/
  },
  {
    title: 'lists trigger jobs with their downstream pipelines, also on forges that only know bridges',
    tool: 'list_pipeline_trigger_jobs',
    args: { project_id: '1', pipeline_id: '9', scope: 'canceling', page: 1 },
    exchanges: [
      {
        request: 'GET /projects/1/pipelines/9/bridges?scope=canceling&page=1',
        reply: { body: [{ id: 8, downstream_pipeline: { id: 12 } }] }
      }
    ],
    result: [{ id: 8, downstream_pipeline: { id: 12 } }]
  },
  {
    title: 'says nothing of a log that was not asked for',
    tool: 'get_pipeline_job',
    args: { project_id: '1', job_id: 7 },
    exchanges: [{ request: 'GET /projects/1/jobs/7', reply: { body: { ...job, runner: null } } }],
    result: job,
    notices: []
  },
  {
    title: 'takes limit and offset without sending them: they are for the log',
    tool: 'get_pipeline_job',
    args: { project_id: '1', job_id: 7, limit: 50, offset: 10 },
    exchanges: [{ request: 'GET /projects/1/jobs/7', reply: { body: { ...job, runner: null } } }],
    result: job,
    notices: [
      'limit and offset count lines of its log, and a job has none: get_pipeline_job_output reads it.'
    ]
  },
  {
    title: 'needs a job',
    tool: 'get_pipeline_job',
    args: { project_id: '1' },
    error: 'Invalid arguments: job_id is required.'
  },
  {
    title: 'starts a manual job with variables',
    tool: 'play_pipeline_job',
    args: { project_id: '1', job_id: '7', job_variables_attributes: [{ key: 'A', value: '1' }] },
    exchanges: [
      {
        request: 'POST /projects/1/jobs/7/play',
        body: { job_variables_attributes: [{ key: 'A', value: '1' }] },
        reply: { body: job }
      }
    ],
    result: job
  },
  {
    title: 'starts a manual job without variables when the list is empty',
    tool: 'play_pipeline_job',
    args: { project_id: '1', job_id: '7', job_variables_attributes: [] },
    exchanges: [{ request: 'POST /projects/1/jobs/7/play', body: {}, reply: { body: job } }]
  },
  {
    title: 'says why a job that is not manual does not start',
    tool: 'play_pipeline_job',
    args: { project_id: '1', job_id: '7' },
    exchanges: [
      {
        request: 'POST /projects/1/jobs/7/play',
        body: {},
        reply: { status: 400, body: { message: '400 Bad request - Unplayable Job' } }
      }
    ],
    error:
      /Unplayable Job"\. Only a manual job that has not run can be started; retry_pipeline_job runs another/
  },
  {
    title: 'returns the new job of a retry',
    tool: 'retry_pipeline_job',
    args: { project_id: '1', job_id: '7' },
    exchanges: [
      {
        request: 'POST /projects/1/jobs/7/retry',
        body: {},
        reply: { status: 201, body: { ...job, id: 11 } }
      }
    ],
    result: { ...job, id: 11 }
  },
  {
    title: 'says what a refusal may mean',
    tool: 'retry_pipeline_job',
    args: { project_id: '1', job_id: '7' },
    exchanges: [
      {
        request: 'POST /projects/1/jobs/7/retry',
        body: {},
        reply: { status: 403, body: { message: '403 Forbidden - Job is not retryable' } }
      },
      { request: 'GET /projects/1', reply: { body: { archived: false } } }
    ],
    error: /^The forge answered 403 Forbidden: "Job is not retryable"\. /
  },
  {
    title: 'cancels without force unless it is given',
    tool: 'cancel_pipeline_job',
    args: { project_id: '1', job_id: '7' },
    exchanges: [
      {
        request: 'POST /projects/1/jobs/7/cancel',
        body: {},
        reply: { status: 201, body: { ...job, status: 'canceled' } }
      }
    ],
    result: { ...job, status: 'canceled' }
  },
  {
    title: 'passes force on',
    tool: 'cancel_pipeline_job',
    args: { project_id: '1', job_id: '7', force: true },
    exchanges: [{ request: 'POST /projects/1/jobs/7/cancel', body: { force: true }, reply: { body: job } }]
  },
  {
    title: 'says that a job was over, which the forge gives as it is',
    tool: 'cancel_pipeline_job',
    args: { project_id: '1', job_id: '7' },
    exchanges: [
      { request: 'POST /projects/1/jobs/7/cancel', body: {}, reply: { body: { ...job, status: 'failed' } } }
    ],
    notices: ['Nothing was canceled: it was over already.']
  }
])
