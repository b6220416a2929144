import { issues } from '../../../tools/issues/index.ts'
import { pipelines } from '../../../tools/pipelines/index.ts'
import { projects } from '../../../tools/projects/index.ts'
import { repository } from '../../../tools/repository/index.ts'
import { webhooks } from '../../../tools/webhooks/index.ts'
import { workItems } from '../../../tools/work-items/index.ts'
import { story } from '../../support/sandbox-tools.ts'

/* What is said of small slips, so that the next call is right. */

const rocket = { project_id: 'acme/rocket' }

story('for a word in the place of an id it is said how the latest is found', [pipelines], async (t, as) => {
  const error = async (tool: string, args: object) => (await as('ada')(tool, { ...rocket, ...args })).error
  for (const tool of ['get_pipeline', 'list_pipeline_jobs'])
    t.equal(
      await error(tool, { pipeline_id: 'latest' }),
      'pipeline_id must be a number, as list_pipelines gives it, not "latest": list_pipelines with ref and per_page=1 has the latest of a branch.'
    )
  t.match(
    await error('get_deployment', { deployment_id: 'last' }),
    /sort=desc and per_page=1 has the latest\.$/
  )
  t.match(await error('get_pipeline', { pipeline_id: 'main' }), /not "main"\.$/)
})

story('one of several is named as it was given', [issues], async (t, as) => {
  const closed = (issue_iid: string) =>
    as('ada')('update_issues', { ...rocket, issues: [{ issue_iid, state_event: 'close' }] })
  t.match(
    (await closed('acme/website#1')).error,
    /issues\.0 \(acme\/website#1\): issue_iid is of "acme\/website"/
  )
  t.match((await closed('999')).error, /issues\.0 \(#999\): /)
  t.match((await closed('#999')).error, /issues\.0 \(#999\): /)
})

story(
  'of the address of a line of a log it is said that logs are read from their end',
  [projects],
  async (t, as) => {
    const [{ web_url }] = (await as('ada')('list_projects', {})).value
    const { value, notices } = await as('ada')('resolve_url', { url: `${web_url}/-/jobs/8024#L10` })
    t.match(value.use, { tool: 'get_pipeline_job_output', arguments: { job_id: '8024' } })
    t.same(notices, [
      'get_pipeline_job_output takes no start_line: its limit and offset count lines from the end of the log.'
    ])
  }
)

story(
  'of a commit that is named by another before it, that one is not said to be meant',
  [repository],
  async (t, as) => {
    const error = async (tool: string, args: object) => (await as('ada')(tool, { ...rocket, ...args })).error
    const before = (from: string) =>
      new RegExp(
        `Not Found". list_commits with ref="${from}" has the commits before it: give the SHA of one\\.`
      )
    for (const sha of ['main^', 'main~1', 'main^^2~', `main${'~'.repeat(90)}`])
      t.match(await error('get_commit', { sha }), before('main'))
    t.match(await error('list_commits', { ref: 'HEAD~2' }), before('HEAD'))
    t.match(await error('get_file_contents', { path: 'README.md', ref: 'main~1' }), before('main'))
    t.match(await error('get_commit', { sha: 'mian~1' }), /There is no "mian": did you mean "main"\?/)
  }
)

story('a path that is encoded is named as it is', [repository], async (t, as) => {
  const path = 'src%2Fengine.ts'
  const said = /"src\/engine\.ts" is the file: a path is given as it is, not encoded\./
  t.match((await as('ada')('get_file_contents', { ...rocket, path })).error, said)
  t.match((await as('ada')('get_files', { ...rocket, paths: [path] })).notices, [said])
})

story(
  'what is given by another name is told where it goes',
  [issues, repository, webhooks],
  async (t, as) => {
    for (const [tool, args, said] of [
      [
        'create_webhook',
        { url: 'https://h.example/x', branch: 'main' },
        /did you mean "push_events_branch_filter"\?/
      ],
      [
        'get_issue',
        { project_name: 'rocket', issue_iid: '1' },
        /"project_name", project_id takes its full path/
      ],
      ['list_issues', { project_name: 'rocket' }, /list_projects with search finds it by its name\.$/],
      ['list_commits', { from: 'v1.4.0', to: 'main' }, /"to", a range is one ref: ref="a\.\.b"/],
      [
        'update_issues',
        { issues: [{ issue_iid: 7 }], due_date: '' },
        /"due_date", which each of issues has\.$/
      ],
      ['update_issues', { issue_iids: [7] }, /"issue_iids", issue_iid is what each of issues has;/],
      [
        'update_issues',
        { issues: [7] },
        /must be an object \(\{ issue_iid, and what is to change \}\), not the/
      ],
      [
        'create_commit_status',
        { sha: '270a3b0', state: 'success' },
        /Give the whole SHA, which get_commit has/
      ]
    ] as const)
      t.match(
        (await as('margaret')(tool, { ...rocket, ...args })).error,
        said,
        `${tool} ${JSON.stringify(args)}`
      )
  }
)

story(
  'a work item in a project that is not there is told the project',
  [projects, workItems],
  async (t, as) => {
    const item = { type: 'task', title: 'Fuel' }
    t.match(
      (await as('ada')('create_work_item', { project_id: 'acme/rokcet', ...item })).error,
      /^There is no project "acme\/rokcet", or the token may not see it\. Perhaps "acme\/rocket" is meant\.$/
    )
  }
)
