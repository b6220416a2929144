import { ci } from '../../../tools/ci/index.ts'
import { pipelines } from '../../../tools/pipelines/index.ts'
import { registry } from '../../../tools/registry/index.ts'
import { webhooks } from '../../../tools/webhooks/index.ts'
import { story } from '../../support/sandbox-tools.ts'

/* What runs, stores and tells beside the code, over a forge that keeps state. */

const project_id = 'acme/rocket'
type Row = Record<string, unknown>

story('variables are set for one environment and another, and never given back', [ci], async (t, as) => {
  const call = as('ada')
  const listed = (await call('list_variables', { project_id })).value as Row[]
  t.same(
    listed.filter(row => 'value' in row),
    []
  )
  const urls = (await call('list_variables', { project_id, include_values: true })).value as Row[]
  t.equal(urls.filter(({ key }) => key === 'STAGE_URL').length, 2)
  t.ok(urls.every(row => typeof row.value === 'string'))

  const stage = { project_id, key: 'STAGE_URL', environment_scope: 'staging' }
  t.match((await call('set_variable', { ...stage, value: 'https://new.example', raw: true })).value, {
    key: 'STAGE_URL',
    environment_scope: 'staging',
    raw: true,
    value: undefined,
    result: 'updated'
  })
  const made = await call('set_variable', { ...stage, environment_scope: 'review/*', value: 'x' })
  t.match(made.value, { environment_scope: 'review/*', result: 'created' })
  t.match(
    made.notices.join(' '),
    /It was made beside those of other scopes, which stay as they are: "\S+", "\S+"\.$/
  )
  const values = (await call('list_variables', { project_id, include_values: true })).value as Row[]
  t.same(
    values.filter(({ key }) => key === 'STAGE_URL').map(({ value }) => value),
    ['https://new.example', 'https://acme.example', 'x']
  )

  const scoped = async (environment: string) =>
    (
      await call('set_variable', { project_id, key: 'GAUGE', value: 'x', environment_scope: environment })
    ).notices.join(' ')
  t.match(await scoped('Staging'), /There is no environment "Staging" yet: did you mean "staging"\?/)
  t.match(await scoped('prod'), /no environment "prod" yet: did you mean "production"\?/)
  t.match(await scoped('all'), /no environment "all" yet: \* is for all of them\./)
  for (const there of ['staging', 'review/*', '*']) t.notMatch(await scoped(there), /no environment/, there)

  const unfit = await call('set_variable', { project_id, key: 'NAME', value: 'two words', masked: true })
  t.match(unfit.error, /400 .*A masked value is one line/)
  t.notMatch(unfit.error, /two words/)
  const hidden = { project_id, key: 'KEY', value: 'abcdefgh1234', hidden: true }
  t.match((await call('set_variable', hidden)).value, { hidden: true, masked: true, result: 'created' })
  t.match((await call('set_variable', hidden)).error, /only when it is made/)
  const kept = (await call('list_variables', { project_id, include_values: true })).value as Row[]
  t.notOk('value' in kept.find(({ key }) => key === 'KEY')!, 'nobody sees a hidden value')

  t.match((await call('delete_variable', stage)).value, { status: 'success' })
  t.match((await call('delete_variable', stage)).error, /No variable has this key and scope/)
  await call('set_variable', { project_id, key: 'SCOPED', value: 'x', environment_scope: 'review/*' })
  t.match(
    (await call('delete_variable', { project_id, key: 'SCOPED' })).error,
    /404 Variable Not Found"\. SCOPED is not in scope "\*", or not any more, and stays in "review\/\*": environment_scope says which one is meant\.$/
  )
  t.match((await as('linus')('list_variables', { project_id })).error, /Maintainer role/)
  t.match((await as('margaret')('list_variables', { group_id: 'acme' })).value, [{ key: 'REGION' }])
  t.match((await call('list_variables', { group_id: 'acme' })).error, /Owner role in a group/)
})

story('a schedule is made, changed, run and deleted', [ci, pipelines], async (t, as) => {
  const call = as('ada')
  const parts = { project_id, description: 'Hourly', ref: 'main', cron_timezone: 'Europe/Berlin' }
  t.match(
    (await call('create_pipeline_schedule', { ...parts, cron: '61 * * * *' })).error,
    /400 .*cron:\s+is invalid syntax"\. Its fields are minute 0-59/
  )
  t.match(
    (await call('create_pipeline_schedule', { ...parts, cron: '0 * * * *', cron_timezone: 'Moon/Base' }))
      .error,
    /cron_timezone:\s+is invalid syntax"\. It takes the name of a zone, such as Europe/
  )
  const made = await call('create_pipeline_schedule', {
    ...parts,
    cron: '0 * * * *',
    inputs: [{ name: 'level', value: '3' }],
    variables: [
      { key: 'A', value: 'value-of-a' },
      { key: 'B', value: 'value-of-b', variable_type: 'file' }
    ]
  })
  t.match(made.value, { ref: 'refs/heads/main', cron_timezone: 'Europe/Berlin', owner: { username: 'ada' } })
  t.match((await call('create_pipeline_schedule', { ...parts, ref: 'v1.4.0', cron: '0 0 * * *' })).value, {
    ref: 'refs/tags/v1.4.0'
  })
  const one = { project_id, schedule_id: made.value.id }
  t.match((await call('get_pipeline_schedule', one)).value, {
    inputs: [{ name: 'level', value: undefined }],
    variables: [
      { key: 'A', value: undefined },
      { key: 'B', variable_type: 'file' }
    ]
  })
  t.match((await call('get_pipeline_schedule', { ...one, include_values: true })).value.variables, [
    { key: 'A', value: 'value-of-a' },
    { key: 'B', value: 'value-of-b' }
  ])
  const half = await call('create_pipeline_schedule', {
    ...parts,
    cron: '0 * * * *',
    variables: [
      { key: 'OK', value: 'fine-value' },
      { key: 'LONG', value: 'v'.repeat(1001) }
    ]
  })
  t.match(half.error, /^The schedule \d+ is made, but 1 of 2 variables are not as asked for\..* LONG: /)
  t.notMatch(half.error, /vvvv/)

  const changed = await call('update_pipeline_schedule', {
    ...one,
    cron: '30 4 * * 1-5',
    inputs: [{ name: 'level', destroy: true }],
    variables: [
      { key: 'A', value: 'other-value' },
      { key: 'B', destroy: true },
      { key: 'C', value: 'new-value' }
    ]
  })
  t.match(changed.value, {
    cron: '30 4 * * 1-5',
    variables: [
      { key: 'A', result: 'updated' },
      { key: 'B', result: 'deleted' },
      { key: 'C', result: 'created' }
    ]
  })
  t.match(
    (await as('linus')('update_pipeline_schedule', { ...one, active: false })).error,
    /taking ownership/
  )
  t.match((await call('play_pipeline_schedule', one)).value.next, /list_pipelines/)
  t.match((await call('list_pipelines', { project_id, per_page: 1 })).value, [
    { ref: 'main', source: 'schedule' }
  ])
  t.match(
    (await call('delete_pipeline_schedule', { ...one, confirm: 'Nightly flight' })).error,
    /Nothing was done/
  )
  t.match((await call('delete_pipeline_schedule', { ...one, confirm: 'Hourly' })).value, {
    status: 'success'
  })
  const left = (await call('list_pipeline_schedules', { project_id, scope: 'active' })).value as Row[]
  t.ok(left.length > 0)
  t.ok(left.every(({ id }) => id !== made.value.id))
})

story(
  'a failed pipeline tells which test failed, until its job is erased',
  [ci, pipelines],
  async (t, as) => {
    const call = as('ada')
    const [failed] = (await call('list_pipelines', { project_id, status: 'failed' })).value
    const pipeline = { project_id, pipeline_id: failed.id }
    const report = (await call('get_pipeline_test_report', pipeline)).value
    t.match(report.total, { count: 3, failed: 1 })
    t.match(report.suites, [{ name: 'unit-tests', failed_count: 1 }])
    t.match(report.cases, [
      { suite: 'unit-tests', name: 'the gauge shows percent', message: 'AssertionError: 3 !== 25' }
    ])
    const jobs = (await call('list_pipeline_jobs', pipeline)).value as Row[]
    const job = { project_id, job_id: jobs.find(({ name }) => name === 'unit-tests')!.id }
    t.equal((await call('keep_job_artifacts', job)).value.artifacts_expire_at, undefined)
    t.match((await call('erase_job', { ...job, confirm: 'lint' })).error, /Nothing was done/)
    t.match((await call('erase_job', { ...job, confirm: 'unit-tests', artifacts_only: true })).value, {
      message: 'The artifacts of the job are deleted.'
    })
    t.match((await call('keep_job_artifacts', job)).error, /no artifacts/)
    t.not((await call('get_pipeline_job_output', job)).value, '', 'the log is still there')
    t.match((await call('erase_job', { ...job, confirm: 'unit-tests' })).value, { status: 'success' })
    t.match((await call('get_pipeline_job_output', job)).value, /The log is empty/)
    t.match((await call('erase_job', { ...job, confirm: 'unit-tests' })).error, /403 .*not erasable/)
    t.match((await call('get_pipeline_test_report', pipeline)).value, { total: { count: 0 }, cases: [] })
  }
)

story('configuration is checked before it is pushed, and runners are found by tag', [ci], async (t, as) => {
  const call = as('ada')
  const right = await call('lint_ci', { project_id, content: 'a:\n  script: [x]\n', include_jobs: true })
  t.match(right.value, { valid: true, errors: [], merged_yaml: undefined })
  t.match((await call('lint_ci', { project_id, content: 'a:\n  stage: test\n' })).value, {
    valid: false,
    errors: [/should implement the script/]
  })
  t.match((await call('lint_ci', { project_id, ref: 'main', include_merged_yaml: true })).value, {
    valid: true,
    merged_yaml: /unit-tests:/
  })
  t.match((await call('lint_ci', { project_id, ref: 'nowhere' })).error, /^The forge answered 404/)
  t.match((await as('grace')('lint_ci', { project_id, content: 'a: 1' })).error, /Developer/)
  t.match((await call('list_runners', { project_id, tag_list: ['hardware', 'docker'] })).value, [
    { description: 'launch-pad', status: 'stale', token: undefined }
  ])
  t.match((await as('margaret')('list_runners', { status: 'stale' })).value, [{ description: 'launch-pad' }])
})

story('packages and images are looked up and deleted with care', [registry], async (t, as) => {
  const call = as('ada')
  const packages = (await call('list_packages', { project_id, order_by: 'version' })).value as Row[]
  t.same(
    packages.map(({ version }) => version),
    ['1.4.1', '1.4.0']
  )
  const [newer, older] = packages.map(({ id }) => ({ project_id, package_id: id }))
  t.match((await call('get_package', newer)).value.files, [{ file_name: 'package.tgz', size: 2048 }])
  t.match((await call('delete_package', { ...newer, confirm: 'rocket' })).error, /Nothing was done/)
  t.match((await call('delete_package', { ...newer, confirm: '@acme/rocket' })).value, { status: 'success' })
  t.match((await call('delete_package', { ...older, confirm: '@acme/rocket' })).error, /not protected/)
  t.match((await call('list_packages', { group_id: 'acme' })).value, [{ project_path: 'acme/rocket' }])

  const [image] = (await call('list_registry_repositories', { project_id, tags_count: true })).value
  t.equal(image.tags_count, 3)
  t.equal((await call('list_registry_repositories', { group_id: 'acme' })).value.length, 1)
  const repository = { project_id, repository_id: image.id }
  t.match((await call('get_registry_tag', { ...repository, tag_name: '1.4.0' })).value, {
    digest: /^sha256:/,
    total_size: 31_457_280
  })
  const elsewhere = { ...repository, project_id: 'acme/website', tag_name: '1.4.1' }
  t.match((await call('delete_registry_tag', elsewhere)).error, /not of this project/)
  t.match((await call('delete_registry_tag', { ...repository, tag_name: '1.4.1' })).value, {
    status: 'success'
  })
  t.match((await call('delete_registry_tag', { ...repository, tag_name: '1.4.0' })).error, /not protected/)
  t.equal((await call('list_registry_tags', repository)).value.length, 2)
})

story('a webhook is made, tested, changed and deleted, its secrets kept', [webhooks], async (t, as) => {
  const call = as('ada')
  const url = 'https://hooks.example/in?key=s3cret'
  const made = await call('create_webhook', {
    project_id,
    url,
    events: ['issues', 'note'],
    token: 'hook-token'
  })
  t.match(made.value, {
    url: 'https://hooks.example/in?***',
    events: ['issues', 'note'],
    token_present: true
  })
  t.notMatch(JSON.stringify(made.value), /s3cret|hook-token|do-not-show/)
  const one = { project_id, hook_id: made.value.id }
  t.match(
    (await call('create_webhook', { project_id, url: 'http://127.0.0.1/', events: ['push'] })).error,
    /local/
  )
  for (let count = 0; count < 5; count++)
    t.match((await call('test_webhook', { ...one, event: 'issues' })).value, { status: 'success' })
  t.match((await call('test_webhook', { ...one, event: 'issues' })).error, /Retry after 60 seconds/)
  const changed = await call('update_webhook', { ...one, events: ['push'] })
  t.match(changed.value, { url: 'https://hooks.example/in?***', events: ['push'] })
  t.match((await call('update_webhook', { ...one, url: 'https://down.example/' })).value, {
    events: ['push']
  })
  t.match((await as('linus')('list_webhooks', { project_id })).error, /Maintainer role/)
  t.match((await call('delete_webhook', { ...one, confirm: url })).error, /Nothing was done/)
  t.match((await call('delete_webhook', { ...one, confirm: 'https://down.example/' })).value, {
    status: 'success'
  })
  t.same((await call('list_webhooks', { project_id })).value, [])
  t.match((await as('margaret')('create_webhook', { group_id: 'acme', url, events: ['subgroup'] })).value, {
    events: ['subgroup']
  })
})

story(
  'a forge of the free edition has no webhooks of groups, and those of projects all the same',
  [webhooks],
  async (t, as) => {
    const call = as('margaret')
    t.match(
      (await call('list_webhooks', { group_id: 'acme' })).error,
      /with group_id needs the Premium edition/
    )
    t.match((await call('list_webhooks', { group_id: 'acme' })).error, /Nothing was sent/)
    t.same((await call('list_webhooks', { project_id })).value, [])
  },
  { edition: 'ce' }
)
