import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { DownloadStore } from '../../../src/engine/downloads/store.ts'
import { dependencyProxy } from '../../../tools/dependency-proxy/index.ts'
import { pipelines } from '../../../tools/pipelines/index.ts'
import { story } from '../../support/sandbox-tools.ts'

/* Stories over a forge that keeps state: what the tables cannot see is whether calls fit together. */

const project_id = 'acme/rocket'

interface Named {
  id: number
  name: string
  path: string
  status: string
  sha: string
}
const byName = (records: Named[], name: string): Named => records.find(record => record.name === name)!

story('a developer reads from a pipeline down to one file of one job', [pipelines], async (t, as) => {
  const call = as('ada')
  const list = await call('list_pipelines', { project_id, ref: 'main', status: 'success' })
  const pipeline_id = list.value.at(-1).id
  t.match((await call('get_pipeline', { project_id, pipeline_id })).value, {
    id: pipeline_id,
    status: 'success'
  })
  const jobs = await call('list_pipeline_jobs', {
    project_id,
    pipeline_id,
    scope: 'success',
    include_retried: true
  })
  const job_id = byName(jobs.value, 'unit-tests').id
  const job = { project_id, job_id }
  t.match((await call('get_pipeline_job', { ...job, limit: 10 })).value, { id: job_id, name: 'unit-tests' })
  await call('list_pipeline_trigger_jobs', { project_id, pipeline_id })

  const log = await call('get_pipeline_job_output', job)
  t.match(log.value, /ok 1 - burning uses fuel/)
  t.notMatch(log.value, /\u001b|section_(start|end)|\r/)
  const end = await call('get_pipeline_job_output', { ...job, limit: 1 })
  t.equal(end.value, log.value.split('\n').at(-1))
  t.match(end.notices[0], /^Lines (\d+) to \1 of \1\. For earlier lines: offset 1\.$/)

  const files = await call('list_job_artifacts', { ...job, recursive: true })
  t.ok(files.value.some(({ path }: Named) => path === 'reports/coverage/badge.png'))
  const summary = await call('get_job_artifact_file', { ...job, artifact_path: 'reports/summary.txt' })
  t.equal(summary.value, 'tests 3\npass 2\nfail 1\n')
  const page = await call('get_job_artifact_file', { ...job, artifact_path: 'reports/coverage/index.html' })
  t.match(page.value, '<!doctype html>')
  const badge = await call('get_job_artifact_file', { ...job, artifact_path: 'reports/coverage/badge.png' })
  t.match(badge.value, { mime_type: 'image/png', base64: /^iVBORw0KGgo/ })
  const folder = await call('get_job_artifact_file', { ...job, artifact_path: 'reports/' })
  t.match(folder.error, /artifact_path is a folder: list_job_artifacts with path lists it\.$/)
  const none = await call('get_job_artifact_file', { ...job, artifact_path: 'reports/nothing' })
  t.match(none.error, /^The forge answered 404 Not Found.*they have expired\.$/)
})

const listings: unknown[] = []
for (const [version, objectStorage] of [
  ['19.5.0', false],
  ['18.7.0', false],
  ['18.7.0', true]
] as const)
  story(
    `artifacts of a forge ${version} are listed to the last${objectStorage ? ', also from storage' : ''}`,
    [pipelines],
    async (t, as) => {
      const call = as('ada')
      const list = await call('list_pipelines', { project_id, ref: 'main', status: 'success' })
      const jobs = await call('list_pipeline_jobs', { project_id, pipeline_id: list.value[0].id })
      const job = { project_id, job_id: byName(jobs.value, 'package').id }
      const sorted = async (args: object) =>
        (await call('list_job_artifacts', { ...job, ...args })).value
          .map(({ path, type, size }: Record<string, unknown>) => [path, type, size].join(' '))
          .sort()
      const parts = await sorted({ path: 'dist/parts' })
      t.equal(parts.length, 30)
      listings.push([
        await sorted({}),
        await sorted({ path: 'dist' }),
        parts,
        await sorted({ recursive: true })
      ])
      t.same(listings.at(-1), listings[0], 'in the same words')
      const nowhere = await call('list_job_artifacts', { ...job, path: 'nowhere' })
      t.equal(nowhere.error, 'The archive has no directory "nowhere".')
    },
    { version, objectStorage }
  )

const downloadDir = await mkdtemp(join(tmpdir(), 'sandbox-'))
t.teardown(() => rm(downloadDir, { recursive: true }))
for (const objectStorage of [false, true])
  story(
    `an archive is saved as the forge has it, ${objectStorage ? 'from storage on another host' : 'from itself'}`,
    [pipelines],
    async (t, as) => {
      const call = as('ada')
      const list = await call('list_pipelines', { project_id, ref: 'main', status: 'success' })
      const jobs = await call('list_pipeline_jobs', { project_id, pipeline_id: list.value[0].id })
      const job = { project_id, job_id: byName(jobs.value, 'package').id }
      const local_path = `storage-${objectStorage}`
      const { value } = await call('download_job_artifacts', { ...job, local_path })
      t.equal(
        value.file_path,
        `${DownloadStore.nameFor('ada')}/${local_path}/artifacts_job_${job.job_id}.zip`
      )
      const bytes = await readFile(join(downloadDir, value.file_path))
      t.equal(bytes.length, value.size)
      t.equal(bytes.toString('latin1', 0, 2), 'PK')
      const again = await call('download_job_artifacts', { ...job, local_path })
      t.equal(again.value.file_path, value.file_path.replace('.zip', '-2.zip'), 'both are kept')
    },
    { downloadDir, objectStorage }
  )

story('pipelines of a person are found by the name in any case', [pipelines], async (t, as) => {
  const of = async (username: string) =>
    (await as('ada')('list_pipelines', { project_id: 'acme/rocket', username })).value
  const own = await of('ada')
  t.ok(own.length > 0)
  t.same(await of('ADA'), own)
})

story('a maintainer starts, cancels and retries', [pipelines], async (t, as) => {
  const call = as('ada')
  const made = await call('create_pipeline', {
    project_id,
    ref: 'main',
    variables: [{ key: 'MODE', value: 'full', variable_type: 'env_var' }],
    inputs: { target: 'moon', stages: 3, dry: true }
  })
  t.equal(made.error, undefined)
  const one = { project_id, pipeline_id: made.value.id }
  const { value: jobs } = await call('list_pipeline_jobs', one)
  const canceled = await call('cancel_pipeline_job', { project_id, job_id: jobs[0].id })
  t.match(canceled.value.status, /^cancel/)
  t.match((await call('cancel_pipeline', one)).value.status, /^cancel/)
  t.notSame((await call('retry_pipeline_job', { project_id, job_id: jobs[0].id })).value.id, jobs[0].id)
  t.match((await call('retry_pipeline', one)).value, { id: made.value.id })
  const refused = await call('create_pipeline', { project_id, ref: 'nowhere' })
  t.match(refused.error, /^The forge answered 400 Bad Request/)
})

story('a manual job waits until it is played, and deploys', [pipelines], async (t, as) => {
  const call = as('margaret')
  const waiting = await call('list_pipelines', { project_id, ref: 'main' })
  let job: Named | undefined
  for (const { id } of waiting.value as Named[]) {
    const { value } = await call('list_pipeline_jobs', { project_id, pipeline_id: id, scope: 'manual' })
    job ??= value[0]
  }
  const played = await call('play_pipeline_job', {
    project_id,
    job_id: job!.id,
    job_variables_attributes: [{ key: 'REASON', value: 'launch' }]
  })
  t.equal(played.error, undefined)
  t.notSame(played.value.status, 'manual')
})

story('deployments are found by what the forge cannot filter', [pipelines], async (t, as) => {
  const call = as('ada')
  const { value: all } = await call('list_deployments', { project_id, sort: 'desc' })
  t.ok(all.length > 1)
  const { sha } = all.at(-1) as Named
  const found = await call('list_deployments', { project_id, sha })
  t.same(new Set(found.value.map((record: Named) => record.sha)), new Set([sha]))
  t.match(found.notices, [/^The forge does not filter deployments by ref or sha/])
  const sorted = await call('list_deployments', { project_id, order_by: 'environment' })
  const names: string[] = sorted.value.map((record: { environment: Named }) => record.environment.name)
  t.same(names, [...names].sort())
  t.match((await call('get_deployment', { project_id, deployment_id: all[0].id })).value, { id: all[0].id })
  const { value: places } = await call('list_environments', { project_id, search: 'prod' })
  t.match(places, [{ name: 'production' }])
  t.match((await call('get_environment', { project_id, environment_id: places[0].id })).value, {
    name: 'production'
  })
})

story('an owner looks after the dependency proxy', [dependencyProxy], async (t, as) => {
  const call = as('margaret')
  const group_id = 'acme'
  const before = await call('get_dependency_proxy_settings', { group_id })
  t.equal(typeof before.value.enabled, 'boolean')
  const after = await call('update_dependency_proxy_settings', { group_id, enabled: !before.value.enabled })
  t.equal(after.value.enabled, !before.value.enabled)
  await call('update_dependency_proxy_settings', { group_id, enabled: true })
  const first = await call('list_dependency_proxy_blobs', { group_id, first: 1 })
  t.equal(first.value.blobs.length, 1)
  t.equal(first.value.pageInfo.hasNextPage, true)
  const next = await call('list_dependency_proxy_blobs', { group_id, after: first.value.pageInfo.endCursor })
  t.notSame(next.value.blobs[0], first.value.blobs[0])
  t.match((await call('purge_dependency_proxy_cache', { group_id })).value, { status: 'success' })
  t.match((await as('ada')('get_dependency_proxy_settings', { group_id })).error, /permission/)
  t.match((await as('ada')('purge_dependency_proxy_cache', { group_id })).error, /^The forge answered 403/)
})
