import { issues } from '../../tools/issues/index.ts'
import { pipelines } from '../../tools/pipelines/index.ts'
import { projects } from '../../tools/projects/index.ts'
import { story } from '../support/sandbox-tools.ts'

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
