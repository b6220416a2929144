import { ci } from '../../../tools/ci/index.ts'
import { confirmed } from '../../support/confirmed.ts'
import { type Case, runTable } from '../../support/tool-table.ts'

const project_id = 'acme/rocket'
const P = '/projects/acme%2Frocket'
const notFound = { status: 404, body: { message: '404 Variable Not Found' } }
const variable = {
  variable_type: 'env_var',
  key: 'TOKEN',
  value: 'hunter2-hunter2',
  hidden: false,
  protected: true,
  masked: true,
  raw: false,
  environment_scope: '*',
  description: null
}
const { value: _, description: __, ...shownVariable } = variable
const schedule = {
  id: 13,
  description: 'Nightly',
  ref: 'refs/heads/main',
  cron: '0 2 * * *',
  cron_timezone: 'UTC',
  next_run_at: '2026-11-23T02:00:00Z',
  active: true,
  created_at: 'C',
  updated_at: 'U',
  owner: { id: 2, username: 'ada', name: 'Ada', state: 'active', avatar_url: 'x' },
  last_pipeline: { id: 5, sha: 'abc', ref: 'main', status: 'success' },
  variables: [{ key: 'FULL', value: 'secret-of-it', variable_type: 'env_var', raw: false }],
  inputs: [{ name: 'level', value: '3' }]
}
const shownSchedule = {
  id: 13,
  description: 'Nightly',
  ref: 'refs/heads/main',
  cron: '0 2 * * *',
  cron_timezone: 'UTC',
  next_run_at: '2026-11-23T02:00:00Z',
  active: true,
  owner: { username: 'ada' },
  inputs: [{ name: 'level' }]
}
const S = `${P}/pipeline_schedules`
const linted = {
  valid: false,
  errors: ['jobs config should contain at least one visible job'],
  warnings: [],
  merged_yaml: 'a: 1\nb: 2\n',
  includes: [
    { type: 'local', location: '/a.yml', blob: 'x', raw: 'y', context_project: 'p', context_sha: 's' }
  ],
  jobs: [{ name: 'a', stage: 'test', script: ['x'], before_script: [], when: 'always' }]
}
const shownLint = {
  valid: false,
  errors: ['jobs config should contain at least one visible job'],
  warnings: [],
  includes: [{ type: 'local', location: '/a.yml', context_project: 'p', context_sha: 's' }],
  jobs: [{ name: 'a', stage: 'test', when: 'always' }]
}
const total = { time: 4.5, count: 5, success: 3, failed: 1, skipped: 0, error: 1, suite_error: null }
const passed = {
  name: 'lint',
  total_time: 1,
  total_count: 1,
  success_count: 1,
  failed_count: 0,
  skipped_count: 0,
  error_count: 0,
  build_ids: [1],
  suite_error: null
}
const unit = { ...passed, name: 'unit', total_count: 4, success_count: 2, failed_count: 1, error_count: 1 }
const { build_ids: ___, suite_error: ____, ...shownUnit } = unit
const report = {
  total_time: 4.5,
  test_suites: [
    { ...passed, test_cases: [{ status: 'success', name: 'clean' }] },
    {
      test_cases: [
        { status: 'success', name: 'a' },
        {
          status: 'failed',
          name: 'says "hi" [and] {more}',
          classname: 'k',
          file: 'a.ts',
          execution_time: 0.1,
          system_output: { message: 'no', type: 'AssertionError' },
          stack_trace: 'at a.ts:1',
          recent_failures: { count: 2, base_branch: 'main' },
          attachment_url: null
        },
        { status: 'error', name: 'c', system_output: ['x', { message: 'y' }] }
      ],
      ...unit
    }
  ]
}
const failing = [
  {
    suite: 'unit',
    name: 'says "hi" [and] {more}',
    classname: 'k',
    file: 'a.ts',
    status: 'failed',
    execution_time: 0.1,
    message: 'AssertionError: no\nat a.ts:1',
    recent_failures: { count: 2, base_branch: 'main' }
  },
  { suite: 'unit', name: 'c', status: 'error', message: 'x\ny' }
]
const T = `${P}/pipelines/7`

runTable(ci, [
  {
    title: 'checks the file of a ref by the names of today',
    tool: 'lint_ci',
    args: { project_id, ref: 'fix', dry_run: true, dry_run_ref: 'main', include_jobs: true },
    exchanges: [
      {
        request: `GET ${P}/ci/lint?content_ref=fix&dry_run=true&dry_run_ref=main&include_jobs=true`,
        reply: { body: { ...linted } }
      }
    ],
    result: shownLint
  },
  {
    title: 'checks content; a file that is wrong is no error of the tool',
    tool: 'lint_ci',
    args: { project_id, content: 'stages: []', ref: 'main' },
    exchanges: [
      {
        request: `POST ${P}/ci/lint`,
        body: { content: 'stages: []', ref: 'main' },
        reply: { body: { ...linted } }
      }
    ],
    result: shownLint
  },
  {
    title: 'says where empty content was that the file of the repository was checked',
    tool: 'lint_ci',
    args: { project_id, content: '' },
    exchanges: [{ request: `GET ${P}/ci/lint`, reply: { body: { ...linted } } }],
    result: shownLint,
    notices: ['content was empty, which counts as not given: the file of the repository was checked.']
  },
  {
    title: 'gives the merged YAML where it is asked for, up to a line end',
    tool: 'lint_ci',
    args: { project_id, include_merged_yaml: true },
    settings: { maxChars: 1000 },
    exchanges: [
      {
        request: `GET ${P}/ci/lint`,
        reply: { body: { valid: true, errors: [], merged_yaml: 'job: 1\n'.repeat(200) } }
      }
    ],
    result: { valid: true, errors: [], merged_yaml: 'job: 1\n'.repeat(71) },
    notices: [
      { window: { start_line: 1, end_line: 71, total_lines: 200 } },
      'The rest of merged_yaml is not shown.'
    ]
  },
  {
    title: 'content and the ref of a file contradict each other',
    tool: 'lint_ci',
    args: { project_id, content: 'a: 1', dry_run_ref: 'main' },
    error: "'dry_run_ref' cannot be given with 'content'."
  },
  {
    title: 'lists variables without their values',
    tool: 'list_variables',
    args: { project_id, per_page: 50 },
    exchanges: [{ request: `GET ${P}/variables?per_page=50`, reply: { body: [variable] } }],
    result: [shownVariable]
  },
  {
    title: 'keeps values back in full output, too',
    tool: 'list_variables',
    args: { project_id },
    settings: { output: 'full' },
    exchanges: [{ request: `GET ${P}/variables`, reply: { body: [variable] } }],
    result: [{ ...shownVariable, description: null }]
  },
  {
    title: 'lists the values of one scope of a group, on whatever page of the forge’s list they are',
    tool: 'list_variables',
    args: { group_id: 'acme', include_values: true, environment_scope: 'prod' },
    exchanges: [
      {
        request: 'GET /groups/acme/variables?per_page=100&page=1',
        reply: { body: [variable], headers: { 'x-next-page': '2' } }
      },
      {
        request: 'GET /groups/acme/variables?per_page=100&page=2',
        reply: { body: [{ ...variable, environment_scope: 'prod', value: null, hidden: true }] }
      }
    ],
    result: [{ ...shownVariable, environment_scope: 'prod', hidden: true }]
  },
  {
    title: 'cuts the page that is asked for out of the variables of one scope',
    tool: 'list_variables',
    args: { group_id: 'acme', environment_scope: 'prod', page: 2, per_page: 1 },
    exchanges: [
      {
        request: 'GET /groups/acme/variables?per_page=100&page=1',
        reply: {
          body: ['A', 'B', 'C'].flatMap(key => [
            { ...variable, key },
            { ...variable, key, environment_scope: 'prod' }
          ])
        }
      }
    ],
    result: [{ ...shownVariable, key: 'B', environment_scope: 'prod' }],
    notices: [{ pagination: { page: 2, per_page: 1, next_page: 3, total: 3, total_pages: 3 } }]
  },
  {
    title: 'says of a page beyond the variables of one scope that there is none',
    tool: 'list_variables',
    args: { group_id: 'acme', environment_scope: 'prod', page: 2 },
    exchanges: [
      {
        request: 'GET /groups/acme/variables?per_page=100&page=1',
        reply: { body: [{ ...variable, environment_scope: 'prod' }] }
      }
    ],
    result: [],
    notices: ['There is no page 2: the list has 1, 1 records in all.']
  },
  {
    title: 'says which variables of wider scopes the jobs of a scope get as well',
    tool: 'list_variables',
    args: { project_id, environment: 'review/7' },
    exchanges: [
      {
        request: `GET ${P}/variables?per_page=100&page=1`,
        reply: {
          body: [
            { ...variable, environment_scope: 'review/7' },
            variable,
            { ...variable, key: 'HOST', environment_scope: 'review/*' },
            { ...variable, key: 'PORT', environment_scope: 'prod' }
          ]
        }
      }
    ],
    result: [{ ...shownVariable, environment_scope: 'review/7' }],
    notices: [
      'Its jobs get those of wider scopes as well: "HOST of review/*". Without environment_scope all are listed.'
    ]
  },
  {
    title: 'says which scopes there are where none is the one that is asked for',
    tool: 'list_variables',
    args: { project_id, environment_scope: 'Prod' },
    exchanges: [
      {
        request: `GET ${P}/variables?per_page=100&page=1`,
        reply: { body: [{ ...variable, environment_scope: 'prod' }] }
      }
    ],
    result: [],
    notices: ['None has the scope "Prod": did you mean "prod"?']
  },
  {
    title: 'changes what there is, in the scope that is meant',
    tool: 'set_variable',
    args: { project_id, key: 'TOKEN', value: 'hunter2-hunter2', masked: true },
    exchanges: [
      {
        request: `PUT ${P}/variables/TOKEN`,
        body: { value: 'hunter2-hunter2', masked: true, filter: { environment_scope: '*' } },
        reply: { body: variable }
      }
    ],
    result: { ...shownVariable, result: 'updated' }
  },
  {
    title: 'makes what there is not',
    tool: 'set_variable',
    args: {
      group_id: 7,
      key: 'TOKEN',
      value: 'x',
      environment_scope: 'review/*',
      masked: false,
      variable_type: 'file'
    },
    exchanges: [
      {
        request: 'PUT /groups/7/variables/TOKEN',
        body: {
          value: 'x',
          masked: false,
          variable_type: 'file',
          filter: { environment_scope: 'review/*' }
        },
        reply: notFound
      },
      {
        request: 'POST /groups/7/variables',
        body: {
          key: 'TOKEN',
          value: 'x',
          environment_scope: 'review/*',
          variable_type: 'file',
          masked: false
        },
        reply: { status: 201, body: { ...variable } }
      },
      { request: 'GET /groups/7/variables?per_page=100', reply: { body: [] } }
    ],
    result: { ...shownVariable, result: 'created' }
  },
  {
    title: 'names the first of many other scopes',
    tool: 'set_variable',
    args: { group_id: 7, key: 'TOKEN', value: 'x' },
    exchanges: [
      {
        request: 'PUT /groups/7/variables/TOKEN',
        body: { value: 'x', filter: { environment_scope: '*' } },
        reply: notFound
      },
      {
        request: 'POST /groups/7/variables',
        body: { key: 'TOKEN', value: 'x' },
        reply: { status: 201, body: { ...variable } }
      },
      {
        request: 'GET /groups/7/variables?per_page=100',
        reply: { body: Array.from('abcdefghi', environment_scope => ({ key: 'TOKEN', environment_scope })) }
      }
    ],
    result: { ...shownVariable, result: 'created' },
    notices: [
      'It was made beside those of other scopes, which stay as they are: "a", "b", "c", "d", "e", "f", "g", "h" and more.'
    ]
  },
  ...(
    [
      [
        'says that a variable is not guarded as it is in another scope',
        {},
        [{}, { environment_scope: 'prod', masked: false, protected: false }],
        ' Unlike what is of "*" it is not masked and not protected: set_variable in its scope with masked=true and protected=true makes it so.'
      ],
      [
        'says nothing of a guard that was left out by intention',
        { masked: false },
        [{ protected: false }, { environment_scope: 'prod', masked: false, protected: false }],
        ''
      ]
    ] as const
  ).map(
    ([title, more, list, said]): Case => ({
      title,
      tool: 'set_variable',
      args: { group_id: 7, key: 'TOKEN', value: 'x', environment_scope: 'prod', ...more },
      exchanges: [
        {
          request: 'PUT /groups/7/variables/TOKEN',
          body: { value: 'x', ...more, filter: { environment_scope: 'prod' } },
          reply: notFound
        },
        {
          request: 'POST /groups/7/variables',
          body: { key: 'TOKEN', value: 'x', environment_scope: 'prod', ...more },
          reply: { status: 201, body: { ...variable } }
        },
        {
          request: 'GET /groups/7/variables?per_page=100',
          reply: {
            body: list.map(one => ({
              key: 'TOKEN',
              environment_scope: '*',
              masked: true,
              protected: true,
              ...one
            }))
          }
        }
      ],
      result: { ...shownVariable, result: 'created' },
      notices: [`It was made beside those of other scopes, which stay as they are: "*".${said}`]
    })
  ),
  {
    title: 'an empty scope is none',
    tool: 'set_variable',
    args: { project_id, key: 'TOKEN', value: 'hunter2-hunter2', environment_scope: '' },
    error:
      'environment_scope is empty, which is no scope: * means all environments, and so does leaving it out.'
  },
  {
    title: 'what there is not cannot be changed without a value',
    tool: 'set_variable',
    args: { project_id, key: 'TOKEN', raw: true },
    exchanges: [
      {
        request: `PUT ${P}/variables/TOKEN`,
        body: { raw: true, filter: { environment_scope: '*' } },
        reply: notFound
      },
      { request: `GET ${P}/variables?per_page=100`, reply: { body: [] } }
    ],
    error: 'There is no variable TOKEN in scope *, or it may not be seen: give value to make it.'
  },
  {
    title: 'hides one only when it is made',
    tool: 'set_variable',
    args: { project_id, key: 'TOKEN', value: 'hunter2-hunter2', hidden: true, masked: true },
    exchanges: [
      { request: `GET ${P}/variables/TOKEN?filter%5Benvironment_scope%5D=*`, reply: notFound },
      {
        request: `PUT ${P}/variables/TOKEN`,
        body: { value: 'hunter2-hunter2', masked: true, filter: { environment_scope: '*' } },
        reply: notFound
      },
      {
        request: `POST ${P}/variables`,
        body: { key: 'TOKEN', value: 'hunter2-hunter2', masked_and_hidden: true },
        reply: { status: 201, body: { ...variable, hidden: true } }
      },
      { request: `GET ${P}/variables?per_page=100`, reply: { body: [] } }
    ],
    result: { ...shownVariable, hidden: true, result: 'created' }
  },
  {
    title: 'does not pretend to show one that is hidden',
    tool: 'set_variable',
    args: { project_id, key: 'TOKEN', hidden: false },
    exchanges: [
      {
        request: `PUT ${P}/variables/TOKEN`,
        body: { filter: { environment_scope: '*' } },
        reply: { body: { ...variable, value: null, hidden: true } }
      }
    ],
    result: { ...shownVariable, hidden: true, result: 'updated' },
    notices: [
      'TOKEN stays hidden: a forge decides that when a variable is made. To be seen it has to be deleted and made anew.'
    ]
  },
  {
    title: 'does not pretend to hide one that exists',
    tool: 'set_variable',
    args: { project_id, key: 'TOKEN', value: 'hunter2-hunter2', hidden: true },
    exchanges: [
      { request: `GET ${P}/variables/TOKEN?filter%5Benvironment_scope%5D=*`, reply: { body: variable } }
    ],
    error:
      /^TOKEN exists in scope \*, and a variable can be hidden only when it is made\. Nothing was changed/
  },
  {
    title: 'what there is in another scope alone is told with that scope',
    tool: 'set_variable',
    args: { project_id, key: 'TOKEN', masked: false },
    exchanges: [
      {
        request: `PUT ${P}/variables/TOKEN`,
        body: { masked: false, filter: { environment_scope: '*' } },
        reply: notFound
      },
      {
        request: `GET ${P}/variables?per_page=100`,
        reply: {
          body: [
            { ...variable, environment_scope: 'production' },
            { key: 'OTHER', environment_scope: 'x' }
          ]
        }
      }
    ],
    error:
      'There is no variable TOKEN in scope *. It is in "production": to change it there give that as environment_scope, to make another one give value.'
  },
  {
    title: 'hidden and not masked contradict each other',
    tool: 'set_variable',
    args: { project_id, key: 'TOKEN', value: 'x', hidden: true, masked: false },
    error: 'A hidden variable is masked, too: leave masked out, or hidden.'
  },
  {
    title: 'says what a masked value may be, and never the value',
    tool: 'set_variable',
    args: { project_id, key: 'TOKEN', value: 'two words', masked: true },
    exchanges: [
      {
        request: `PUT ${P}/variables/TOKEN`,
        body: { value: 'two words', masked: true, filter: { environment_scope: '*' } },
        reply: { status: 400, body: { message: { value: ['two words is invalid'] } } }
      }
    ],
    error:
      /^The forge answered 400 Bad Request: "value: \[value\] is invalid"\. A masked value is one line of 8 characters or more/
  },
  {
    title: 'a key has letters, digits and _ only',
    tool: 'set_variable',
    args: { project_id, key: 'A-B', value: 'x' },
    error: /^Invalid arguments: key/
  },
  {
    title: 'a key is not longer than the forge takes',
    tool: 'delete_variable',
    args: { project_id, key: 'A'.repeat(256) },
    error: /^Invalid arguments: key/
  },
  {
    title: 'deletes the one of the scope, or of all environments',
    tool: 'delete_variable',
    args: { project_id, key: 'TOKEN' },
    exchanges: [
      {
        request: `DELETE ${P}/variables/TOKEN?filter%5Benvironment_scope%5D=*`,
        reply: { status: 204 }
      }
    ],
    result: {
      status: 'success',
      message: 'The variable of the scope "*" is deleted; those of other scopes stay.'
    }
  },
  {
    title: 'lists schedules',
    tool: 'list_pipeline_schedules',
    args: { project_id, scope: 'active' },
    exchanges: [{ request: `GET ${S}?scope=active`, reply: { body: [schedule] } }],
    result: [shownSchedule]
  },
  {
    title: 'lists no value of a variable or input, whatever form the answer has',
    tool: 'list_pipeline_schedules',
    args: { project_id },
    exchanges: [
      {
        request: `GET ${S}`,
        reply: {
          body: [{ id: 13, inputs: [{ name: 'b', value: 'v' }], variables: [{ key: 'A', value: 'v' }] }]
        }
      }
    ],
    result: [{ id: 13, inputs: [{ name: 'b' }] }]
  },
  {
    title: 'gets no value of one either whose variables and inputs have their values by name',
    tool: 'get_pipeline_schedule',
    args: { project_id, schedule_id: 13 },
    exchanges: [
      {
        request: `GET ${S}/13`,
        reply: {
          body: { id: 13, inputs: { b: 'v', name: 'v', value: 'v' }, variables: { A: 'v', value: 'v' } }
        }
      }
    ],
    result: {
      id: 13,
      inputs: [{ name: 'b' }, { name: 'name' }, { name: 'value' }],
      variables: [{ key: 'A' }, { key: 'value' }]
    }
  },
  {
    title: 'gets one with the names of its variables and inputs',
    tool: 'get_pipeline_schedule',
    args: { project_id, schedule_id: 13 },
    exchanges: [{ request: `GET ${S}/13`, reply: { body: schedule } }],
    result: {
      ...shownSchedule,
      created_at: 'C',
      updated_at: 'U',
      last_pipeline: { id: 5, sha: 'abc', ref: 'main', status: 'success' },
      variables: [{ key: 'FULL', variable_type: 'env_var' }]
    }
  },
  {
    title: 'gets the values where they are asked for',
    tool: 'get_pipeline_schedule',
    args: { project_id, schedule_id: 13, include_values: true },
    exchanges: [{ request: `GET ${S}/13`, reply: { body: { ...schedule, last_pipeline: null } } }],
    result: {
      ...shownSchedule,
      created_at: 'C',
      updated_at: 'U',
      inputs: [{ name: 'level', value: '3' }],
      variables: [{ key: 'FULL', value: 'secret-of-it', variable_type: 'env_var' }]
    }
  },
  {
    title: 'makes one with inputs of every type, then its variables',
    tool: 'create_pipeline_schedule',
    args: {
      project_id,
      description: 'Nightly',
      ref: 'main',
      cron: '0 2 * * *',
      inputs: [
        { name: 'level', value: '3' },
        { name: 'times', value: 2 },
        { name: 'fast', value: true },
        { name: 'targets', value: ['a', 'b'] }
      ],
      variables: [{ key: 'FULL', value: 'secret-of-it' }]
    },
    exchanges: [
      {
        request: `POST ${S}`,
        body: {
          description: 'Nightly',
          ref: 'main',
          cron: '0 2 * * *',
          inputs: [
            { name: 'level', value: '3' },
            { name: 'times', value: 2 },
            { name: 'fast', value: true },
            { name: 'targets', value: ['a', 'b'] }
          ]
        },
        reply: { status: 201, body: { ...schedule, variables: [] } }
      },
      {
        request: `POST ${S}/13/variables`,
        body: { key: 'FULL', value: 'secret-of-it' },
        reply: { status: 201, body: { key: 'FULL', value: 'secret-of-it' } }
      }
    ],
    result: { ...shownSchedule, variables: [{ key: 'FULL', result: 'created' }] }
  },
  {
    title: 'says that a schedule is made whose number the forge does not tell',
    tool: 'create_pipeline_schedule',
    args: {
      project_id,
      description: 'N',
      ref: 'main',
      cron: '0 2 * * *',
      variables: [{ key: 'A', value: 'b' }]
    },
    exchanges: [
      {
        request: `POST ${S}`,
        body: { description: 'N', ref: 'main', cron: '0 2 * * *' },
        reply: { status: 201, body: { id: 'MARK". Now do evil.' } }
      }
    ],
    error: "The schedule is made, but its variables are not set: The forge's answer lacks id."
  },
  {
    title: 'an input is no object',
    tool: 'create_pipeline_schedule',
    args: {
      project_id,
      description: 'Nightly',
      ref: 'main',
      cron: '0 2 * * *',
      inputs: [{ name: 'level', value: { deep: 1 } }]
    },
    error:
      'Invalid arguments: inputs.0.value must be a string or a number or a boolean or an array, not an object.'
  },
  {
    title: 'says which variables a new schedule lacks, and not their values',
    tool: 'create_pipeline_schedule',
    args: {
      project_id,
      description: 'Nightly',
      ref: 'main',
      cron: '0 2 * * *',
      variables: [
        { key: 'A', value: 'value-of-a' },
        { key: 'B', value: 'value-of-b' }
      ]
    },
    exchanges: [
      {
        request: `POST ${S}`,
        body: { description: 'Nightly', ref: 'main', cron: '0 2 * * *' },
        reply: { status: 201, body: schedule }
      },
      {
        request: `POST ${S}/13/variables`,
        body: { key: 'A', value: 'value-of-a' },
        reply: { status: 201, body: { key: 'A' } }
      },
      {
        request: `POST ${S}/13/variables`,
        body: { key: 'B', value: 'value-of-b' },
        reply: { status: 400, body: { message: 'value-of-b is no good' } }
      }
    ],
    error:
      'The schedule 13 is made, but 1 of 2 variables are not as asked for. Give those again with update_pipeline_schedule. B: The forge answered 400 Bad Request: "[value] is no good".'
  },
  ...['* * * *', '@daily', '', '0 0 1 1 * *'].map(cron => ({
    title: `cron has five fields, which ${JSON.stringify(cron)} has not`,
    tool: 'create_pipeline_schedule',
    args: { project_id, description: 'x', ref: 'main', cron },
    error: /^cron takes five fields/
  })),
  {
    title: 'passes on what the forge says of a cron',
    tool: 'create_pipeline_schedule',
    args: { project_id, description: 'x', ref: 'main', cron: '99 * * * *' },
    exchanges: [
      {
        request: `POST ${S}`,
        body: { description: 'x', ref: 'main', cron: '99 * * * *' },
        reply: { status: 400, body: { message: { cron: [' is invalid syntax'] } } }
      }
    ],
    error:
      'The forge answered 400 Bad Request: "cron:  is invalid syntax". Its fields are minute 0-59, hour 0-23, day 1-31, month 1-12 and weekday 0-7.'
  },
  {
    title: 'a variable stands once in a call',
    tool: 'create_pipeline_schedule',
    args: {
      project_id,
      description: 'x',
      ref: 'main',
      cron: '0 0 * * *',
      variables: [
        { key: 'A', value: 'x' },
        { key: 'A', value: 'y' }
      ]
    },
    error: 'variables has A twice. Nothing was sent.'
  },
  {
    title: 'a value of the wrong type is not repeated',
    tool: 'create_pipeline_schedule',
    args: {
      project_id,
      description: 'x',
      ref: 'main',
      cron: '0 0 * * *',
      variables: [{ key: 'A', value: { secret: 4711_4711 } }]
    },
    error: 'Invalid arguments: variables.0.value must be a string, not an object.'
  },
  {
    title: 'changes, makes and deletes variables',
    tool: 'update_pipeline_schedule',
    args: {
      project_id,
      schedule_id: 13,
      active: false,
      inputs: [{ name: 'level', destroy: true }],
      variables: [{ key: 'OLD', destroy: true }]
    },
    exchanges: [
      {
        request: `PUT ${S}/13`,
        body: { active: false, inputs: [{ name: 'level', destroy: true }] },
        reply: { body: { ...schedule, active: false, inputs: [] } }
      },
      { request: `DELETE ${S}/13/variables/OLD`, reply: { status: 202, body: { key: 'OLD' } } }
    ],
    result: {
      id: 13,
      description: 'Nightly',
      ref: 'refs/heads/main',
      cron: '0 2 * * *',
      cron_timezone: 'UTC',
      next_run_at: '2026-11-23T02:00:00Z',
      active: false,
      owner: { username: 'ada' },
      variables: [{ key: 'OLD', result: 'deleted' }]
    }
  },
  {
    title: 'makes a variable of a schedule that is not there yet, and leaves the schedule as it is',
    tool: 'update_pipeline_schedule',
    args: { project_id, schedule_id: 13, variables: [{ key: 'NEW', value: 'secret-value' }] },
    exchanges: [
      { request: `GET ${S}/13`, reply: { body: schedule } },
      { request: `PUT ${S}/13/variables/NEW`, body: { value: 'secret-value' }, reply: notFound },
      {
        request: `POST ${S}/13/variables`,
        body: { key: 'NEW', value: 'secret-value' },
        reply: { status: 201, body: { key: 'NEW' } }
      }
    ],
    result: { ...shownSchedule, variables: [{ key: 'NEW', result: 'created' }] }
  },
  {
    title: 'says what to do with a variable of another person’s schedule',
    tool: 'update_pipeline_schedule',
    args: { project_id, schedule_id: 13, variables: [{ key: 'A', value: 'secret-value' }] },
    exchanges: [
      { request: `GET ${S}/13`, reply: { body: schedule } },
      {
        request: `PUT ${S}/13/variables/A`,
        body: { value: 'secret-value' },
        reply: { status: 403, body: { message: '403 Forbidden' } }
      }
    ],
    error:
      /^The schedule 13 is as it was, but 1 of 1 variables are not as asked for\. .* A: .*403 Forbidden.*taking ownership/
  },
  {
    title: 'a variable of a schedule that is only named has nothing to change',
    tool: 'update_pipeline_schedule',
    args: { project_id, schedule_id: 13, active: true, variables: [{ key: 'A', destroy: false }] },
    error: 'variables has nothing to change of A: give value, or destroy to take it away. Nothing was sent.'
  },
  {
    title: 'no variables of a schedule are nothing to change',
    tool: 'update_pipeline_schedule',
    args: { project_id, schedule_id: 13, variables: [] },
    error: 'variables is empty: name those to set, or with destroy those to take away.'
  },
  {
    title: 'says what to do with another person’s schedule',
    tool: 'update_pipeline_schedule',
    args: { project_id, schedule_id: 13, active: true },
    exchanges: [
      {
        request: `PUT ${S}/13`,
        body: { active: true },
        reply: { status: 403, body: { message: '403 Forbidden' } }
      },
      { request: 'GET /projects/acme%2Frocket', reply: { body: { archived: false } } }
    ],
    error: /taking ownership in the web UI/
  },
  ...confirmed({
    tool: 'delete_pipeline_schedule',
    args: { project_id, schedule_id: 13 },
    path: `${S}/13`,
    record: schedule,
    noun: 'pipeline schedule',
    field: 'description',
    done: 'The pipeline schedule is deleted.'
  }),
  {
    title: 'says where the pipeline is to be seen',
    tool: 'play_pipeline_schedule',
    args: { project_id, schedule_id: 13 },
    exchanges: [
      { request: `POST ${S}/13/play`, body: {}, reply: { status: 201, body: { message: '201 Created' } } }
    ],
    result: {
      message: '201 Created',
      next: 'list_pipelines shows the pipeline in some seconds: that of the ref of the schedule, newest first.'
    }
  },
  ...[
    {
      says: 'in a message',
      body: { message: 'Pipeline scheduled' },
      shown: { message: 'Pipeline scheduled' }
    },
    { says: 'in a text', body: '"Pipeline scheduled"', shown: { message: 'Pipeline scheduled' } },
    { says: 'in a text that is no JSON', body: 'OK, queued', shown: { message: 'OK, queued' } },
    {
      says: 'in a list of words',
      body: { message: { base: ['queued'] } },
      shown: { message: { base: ['queued'] } }
    },
    { says: 'as an error', body: { error: 'busy' }, shown: { error: 'busy' } },
    { says: 'in an empty list', body: [], shown: {} }
  ].map(({ says, body, shown }) => ({
    title: `passes on what the forge says ${says} of a schedule that runs`,
    tool: 'play_pipeline_schedule',
    args: { project_id, schedule_id: 13 },
    exchanges: [{ request: `POST ${S}/13/play`, body: {}, reply: { status: 201, body } }],
    result: {
      ...shown,
      next: 'list_pipelines shows the pipeline in some seconds: that of the ref of the schedule, newest first.'
    }
  })),
  {
    title: 'takes no web page for the word of a forge that a schedule runs',
    tool: 'play_pipeline_schedule',
    args: { project_id, schedule_id: 13 },
    exchanges: [
      { request: `POST ${S}/13/play`, body: {}, reply: { status: 200, body: '<html>Log in</html>' } }
    ],
    error: /web page/
  },
  {
    title: 'shows no value of a variable of a schedule that runs',
    tool: 'play_pipeline_schedule',
    args: { project_id, schedule_id: 13 },
    exchanges: [
      {
        request: `POST ${S}/13/play`,
        body: {},
        reply: { status: 201, body: { variables: [{ key: 'A', value: 'v' }] } }
      }
    ],
    result: {
      variables: [{ key: 'A' }],
      next: 'list_pipelines shows the pipeline in some seconds: that of the ref of the schedule, newest first.'
    }
  },
  {
    title: 'takes any success without a word for one',
    tool: 'play_pipeline_schedule',
    args: { project_id, schedule_id: 13 },
    exchanges: [{ request: `POST ${S}/13/play`, body: {}, reply: { status: 204 } }],
    result: {
      next: 'list_pipelines shows the pipeline in some seconds: that of the ref of the schedule, newest first.'
    }
  },
  {
    title: 'shows counts, suites that did not pass, and what fails',
    tool: 'get_pipeline_test_report',
    args: { project_id, pipeline_id: 7 },
    exchanges: [
      {
        request: `GET ${T}/test_report_summary`,
        reply: { body: { total, test_suites: [passed, unit] } }
      },
      { request: `GET ${T}/test_report`, reply: { body: report } }
    ],
    result: {
      total: { time: 4.5, count: 5, success: 3, failed: 1, skipped: 0, error: 1 },
      suites: [shownUnit],
      cases: failing
    }
  },
  {
    title: 'says how many more fail',
    tool: 'get_pipeline_test_report',
    args: { project_id, pipeline_id: 7, suite: 'unit', max_cases: 1 },
    exchanges: [
      {
        request: `GET ${T}/test_report_summary`,
        reply: { body: { total, test_suites: [passed, unit] } }
      },
      { request: `GET ${T}/test_report`, reply: { body: report } }
    ],
    result: {
      total: { time: 4.5, count: 5, success: 3, failed: 1, skipped: 0, error: 1 },
      suites: [shownUnit],
      cases: failing.slice(0, 1),
      more_failing: 1
    }
  },
  {
    title: 'does not read cases where none fails',
    tool: 'get_pipeline_test_report',
    args: { project_id, pipeline_id: 7 },
    exchanges: [
      {
        request: `GET ${T}/test_report_summary`,
        reply: { body: { total: { ...total, failed: 0, error: 0 }, test_suites: [passed] } }
      }
    ],
    result: {
      total: { time: 4.5, count: 5, success: 3, failed: 0, skipped: 0, error: 0 },
      suites: [],
      cases: []
    }
  },
  {
    title: 'an unreadable report of a suite is told',
    tool: 'get_pipeline_test_report',
    args: { project_id, pipeline_id: 7 },
    exchanges: [
      {
        request: `GET ${T}/test_report_summary`,
        reply: {
          body: {
            total: { ...total, failed: 0, error: 0 },
            test_suites: [
              { name: 'unit', total_count: 0, success_count: 0, suite_error: 'JUnit XML parsing failed' }
            ]
          }
        }
      }
    ],
    result: {
      total: { time: 4.5, count: 5, success: 3, failed: 0, skipped: 0, error: 0 },
      suites: [{ name: 'unit', total_count: 0, success_count: 0, suite_error: 'JUnit XML parsing failed' }],
      cases: []
    }
  },
  {
    title: 'names the suites there are',
    tool: 'get_pipeline_test_report',
    args: { project_id, pipeline_id: 7, suite: 'nope' },
    exchanges: [
      { request: `GET ${T}/test_report_summary`, reply: { body: { total, test_suites: [passed, unit] } } }
    ],
    error: 'No suite is called "nope". There are: "lint", "unit".'
  },
  {
    title: 'says of a suite without a name that it has none',
    tool: 'get_pipeline_test_report',
    args: { project_id, pipeline_id: 7, suite: 'nope' },
    exchanges: [
      { request: `GET ${T}/test_report_summary`, reply: { body: { total, test_suites: [passed, {}] } } }
    ],
    error: 'No suite is called "nope". There are: "lint", one without a name.'
  },
  {
    title: 'a report that cannot be read is shown by its counts, and why is said',
    tool: 'get_pipeline_test_report',
    args: { project_id, pipeline_id: 7 },
    exchanges: [
      { request: `GET ${T}/test_report_summary`, reply: { body: { total, test_suites: [unit] } } },
      { request: `GET ${T}/test_report`, reply: { status: 500, body: { message: 'oops' } } }
    ],
    result: {
      total: { time: 4.5, count: 5, success: 3, failed: 1, skipped: 0, error: 1 },
      suites: [shownUnit],
      cases: [],
      note: 'The forge answered 500 Internal Server Error: "oops". The trouble is on its side: try again later. Only the counts of the report are here: read the log of a failed job (get_pipeline_job_output).'
    }
  },
  {
    title:
      'a report beyond bounds is shown by its counts; it is as large where one suite is named, so none is asked for',
    tool: 'get_pipeline_test_report',
    args: { project_id, pipeline_id: 7 },
    exchanges: [
      { request: `GET ${T}/test_report_summary`, reply: { body: { total, test_suites: [unit] } } },
      {
        request: `GET ${T}/test_report`,
        reply: {
          body: Buffer.alloc(20 * 1024 * 1024 + 1, ' '),
          headers: { 'content-type': 'application/json' }
        }
      }
    ],
    result: {
      total: { time: 4.5, count: 5, success: 3, failed: 1, skipped: 0, error: 1 },
      suites: [shownUnit],
      cases: [],
      note: 'The report is too large to be read, so only its counts are here: read the log of a failed job (get_pipeline_job_output).'
    }
  },
  {
    title: "lists a project's by tags, without their tokens",
    tool: 'list_runners',
    args: { project_id, tag_list: ['docker', 'arm'], status: 'online', type: 'group_type', paused: false },
    exchanges: [
      {
        request: `GET ${P}/runners?tag_list=docker%2Carm&status=online&type=group_type&paused=false`,
        reply: {
          body: [
            {
              id: 4,
              description: 'd',
              token: 'glrt-secret',
              ip_address: '10.0.0.1',
              online: true,
              active: true
            }
          ]
        }
      }
    ],
    result: [{ id: 4, description: 'd' }]
  },
  {
    title: 'says that an empty list is of the runners one owns',
    tool: 'list_runners',
    args: {},
    exchanges: [{ request: 'GET /runners', reply: { body: [] } }],
    result: [],
    notices: ['You own none that fits: give project_id or group_id for those of a project or group.']
  },
  {
    title: 'never gives a token, in full output either',
    tool: 'list_runners',
    args: {},
    settings: { output: 'full' },
    exchanges: [{ request: 'GET /runners', reply: { body: [{ id: 4, token: 'glrt-secret' }] } }],
    result: [{ id: 4 }]
  },
  {
    title: "lists a group's",
    tool: 'list_runners',
    args: { group_id: 'acme', version_prefix: '18.' },
    exchanges: [{ request: 'GET /groups/acme/runners?version_prefix=18.', reply: { body: [] } }],
    result: []
  },
  {
    title: 'erases the log and artifacts of the job that is named',
    tool: 'erase_job',
    args: { project_id, job_id: 8, confirm: 'unit' },
    exchanges: [
      { request: `GET ${P}/jobs/8`, reply: { body: { id: 8, name: 'unit' } } },
      { request: `POST ${P}/jobs/8/erase`, body: {}, reply: { status: 201, body: { id: 8 } } }
    ],
    result: { status: 'success', message: 'The log and artifacts of the job are erased.' }
  },
  {
    title: 'deletes the artifacts alone',
    tool: 'erase_job',
    args: { project_id, job_id: 8, confirm: 'unit', artifacts_only: true },
    exchanges: [
      { request: `GET ${P}/jobs/8`, reply: { body: { id: 8, name: 'unit' } } },
      { request: `DELETE ${P}/jobs/8/artifacts`, reply: { status: 204 } }
    ],
    result: { status: 'success', message: 'The artifacts of the job are deleted.' }
  },
  {
    title: 'leaves a job of another name alone',
    tool: 'erase_job',
    args: { project_id, job_id: 8, confirm: 'lint' },
    exchanges: [{ request: `GET ${P}/jobs/8`, reply: { body: { id: 8, name: 'unit' } } }],
    error: /^confirm is not the name of this job\. Nothing was done/
  },
  {
    title: 'keeps artifacts for good',
    tool: 'keep_job_artifacts',
    args: { project_id, job_id: 8 },
    exchanges: [
      {
        request: `POST ${P}/jobs/8/artifacts/keep`,
        body: {},
        reply: {
          body: { id: 8, name: 'unit', status: 'success', project: { ci_job_token_scope_enabled: false } }
        }
      }
    ],
    result: { id: 8, name: 'unit', status: 'success' }
  }
])
