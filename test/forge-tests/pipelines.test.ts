import { inflateRawSync } from 'node:zlib'
import t from 'tap'
import { sandbox } from './client.ts'

const P = '/projects/acme%2Frocket'

const clock = () => {
  let now = Date.parse('2026-11-20T12:00:00Z')
  return {
    now: () => now,
    pass: (seconds: number) => {
      now += seconds * 1000
    }
  }
}

t.test('a pipeline goes through its stages as time passes', async t => {
  const { now, pass } = clock()
  const { as } = await sandbox(t, { now })
  const made = await as('linus')('POST', `${P}/pipeline`, {
    ref: 'feature/fuel-gauge',
    variables: [{ key: 'A', value: '1' }]
  })
  t.match(made, { status: 201, data: { status: 'pending', source: 'api', ref: 'feature/fuel-gauge' } })
  const path = `${P}/pipelines/${made.data.id}`
  const status = async () => (await as('linus')('GET', path)).data.status
  const jobs = async () =>
    ((await as('linus')('GET', `${path}/jobs`)).data as { id: number; name: string; status: string }[]).map(
      row => `${row.name} ${row.status}`
    )
  pass(1)
  t.equal(await status(), 'running')
  t.strictSame(await jobs(), ['package created', 'unit-tests created', 'lint created', 'compile running'])
  pass(2.5)
  t.strictSame(await jobs(), ['package created', 'unit-tests running', 'lint running', 'compile success'])
  pass(60)
  t.equal(await status(), 'success')
  t.match((await as('linus')('GET', path)).data, { duration: 8, detailed_status: { text: 'passed' } })
})

t.test('a pipeline and a schedule run on a tag as on a branch, and a name of both is ambiguous', async t => {
  const { as } = await sandbox(t)
  const run = (ref: string) => as('ada')('POST', `${P}/pipeline`, { ref })
  const schedule = (ref: string) =>
    as('ada')('POST', `${P}/pipeline_schedules`, { description: 'x', ref, cron: '0 9 * * *' })
  const ofTag = { status: 201, data: { ref: 'v1.4.0', tag: true } }
  t.match(await run('v1.4.0'), ofTag)
  const last = await run('refs/tags/v1.4.0')
  t.match(last, ofTag)
  t.match(await run('refs/heads/main'), { status: 201, data: { ref: 'main', tag: false } })
  t.match(await run('refs/heads/v1.4.0'), {
    status: 400,
    data: { message: { base: ['Reference not found'] } }
  })
  t.match((await as('ada')('GET', `${P}/pipelines?scope=tags`)).data, [{ id: last.data.id }])
  const made = await schedule('v1.4.0')
  t.match(made, { status: 201, data: { ref: 'refs/tags/v1.4.0' } })
  const path = `${P}/pipeline_schedules/${made.data.id}`
  t.equal((await as('ada')('POST', `${path}/play`)).status, 201)
  t.match((await as('ada')('GET', path)).data.last_pipeline, { ref: 'v1.4.0', source: 'schedule' })
  await as('ada')('POST', `${P}/repository/branches`, { branch: 'v1.4.0', ref: 'main' })
  t.match(await run('v1.4.0'), { status: 400, data: { message: { base: ['Ref is ambiguous'] } } })
  t.match(await schedule('v1.4.0'), { status: 400, data: { message: { ref: ['is ambiguous'] } } })
})

t.test('pipelines are filtered and ordered', async t => {
  const { forge, as } = await sandbox(t)
  const ids = async (query: string) =>
    ((await as('ada')('GET', `${P}/pipelines?${query}`)).data as { id: number }[]).map(({ id }) => id)
  t.strictSame(await ids('ref=main'), [1204, 1202, 1200])
  t.strictSame(await ids('status=failed'), [1206])
  t.strictSame(await ids('scope=running'), [1204])
  t.strictSame(await ids('scope=branches&order_by=ref&sort=asc'), [1208, 1206, 1207, 1204])
  t.strictSame(await ids('username=margaret'), [1200])
  t.equal((await as('ada')('GET', `${P}/pipelines/9`)).data.message, '404 Not found')
  t.strictSame(forge.violations, [])
})

t.test('retrying a failed pipeline replaces its failed jobs and runs what was skipped', async t => {
  const { now, pass } = clock()
  const { as } = await sandbox(t, { now })
  const retried = await as('linus')('POST', `${P}/pipelines/1206/retry`)
  t.match(retried, { status: 201, data: { status: 'running' } })
  pass(60)
  t.equal((await as('linus')('GET', `${P}/pipelines/1206`)).data.status, 'success')
  const names = (
    (await as('linus')('GET', `${P}/pipelines/1206/jobs?include_retried=true`)).data as { name: string }[]
  ).map(({ name }) => name)
  t.equal(names.filter(name => name === 'unit-tests').length, 2, 'the first attempt is still there')
  t.equal(
    (await as('linus')('POST', `${P}/jobs/8025/retry`)).status,
    403,
    'a replaced job is not retried again'
  )
  t.equal((await as('grace')('POST', `${P}/pipelines/1206/retry`)).status, 403)
})

t.test('a schedule says when its cron is next due, in its time zone', async t => {
  const { now, pass } = clock()
  const { as } = await sandbox(t, { now })
  const due = async (cron: string, zone = 'UTC') => {
    const parts = { description: 'x', ref: 'main', cron, cron_timezone: zone }
    const { data } = await as('ada')('POST', `${P}/pipeline_schedules`, parts)
    return (data.next_run_at as string | null)?.slice(0, 16)
  }
  const at = new Date(now())
  t.equal(at.toISOString(), '2026-11-20T12:00:00.000Z', 'a Friday')
  t.equal(await due('30 2 * * *'), '2026-11-21T02:30')
  t.equal(await due('*/20 * * * *'), '2026-11-20T12:20')
  t.equal(await due('0 14-16 * * 5'), '2026-11-20T14:00')
  t.equal(await due('0 9 * * 7'), '2026-11-22T09:00', 'Sunday is 0 and 7')
  t.equal(await due('0 9 25 * 1'), '2026-11-23T09:00', 'either of both days')
  t.equal(await due('0 0 1 1,3 *'), '2027-01-01T00:00')
  t.equal(await due('0 9 * * *', 'Tokyo'), '2026-11-21T00:00')
  t.equal(await due('0 0 29 2 *'), '2028-02-29T00:00')
  t.equal(await due('0 0 30 2 *'), undefined)
  const read = async () => (await as('ada')('GET', `${P}/pipeline_schedules/70`)).data.next_run_at
  const before = await read()
  pass(60)
  t.equal(await read(), before)
})

t.test('a test report has no suite of a job that was canceled', async t => {
  const { now, pass } = clock()
  const { as } = await sandbox(t, { now })
  const { id } = (await as('ada')('POST', `${P}/pipeline`, { ref: 'main' })).data
  const suites = async () => (await as('ada')('GET', `${P}/pipelines/${id}/test_report`)).data.test_suites
  await as('ada')('POST', `${P}/pipelines/${id}/cancel`)
  t.strictSame(await suites(), [])
  await as('ada')('POST', `${P}/pipelines/${id}/retry`)
  pass(600)
  t.ok((await suites()).length > 0)
})

t.test('a manual job of a pipeline that is over is not canceled with it', async t => {
  const { as } = await sandbox(t)
  const statuses = async (id: number) => {
    const { data } = await as('ada')('GET', `${P}/pipelines/${id}/jobs`)
    return (data as { status: string }[]).map(({ status }) => status)
  }
  const { data } = await as('ada')('GET', `${P}/pipelines?status=success`)
  const before = await Promise.all((data as { id: number }[]).map(({ id }) => statuses(id)))
  const at = before.findIndex(jobs => jobs.includes('manual'))
  const { id } = data[at]
  t.match(await as('ada')('POST', `${P}/pipelines/${id}/cancel`), {
    status: 200,
    data: { status: 'success' }
  })
  t.strictSame(await statuses(id), before[at])
})

t.test('running pipelines and jobs are canceled; finished ones stay as they are', async t => {
  const { as } = await sandbox(t)
  t.match(await as('ada')('POST', `${P}/jobs/8017/cancel`), { status: 201, data: { status: 'canceled' } })
  t.match(await as('ada')('POST', `${P}/pipelines/1204/cancel`), {
    status: 200,
    data: { status: 'canceled' }
  })
  t.match(await as('ada')('POST', `${P}/pipelines/1200/cancel`), { status: 200, data: { status: 'success' } })
  t.equal((await as('linus')('POST', `${P}/pipelines/1204/cancel`)).status, 403, 'main is protected')
  t.equal(
    (await as('linus')('POST', `${P}/jobs/8025/cancel`, { force: true })).status,
    403,
    'force takes a maintainer'
  )
})

t.test('a manual job is played with variables and deploys', async t => {
  const { now, pass } = clock()
  const { as } = await sandbox(t, { now })
  const job = await as('ada')('POST', `${P}/jobs/8013/play`, {
    job_variables_attributes: [{ key: 'SPEED', value: 'slow' }]
  })
  t.match(job, { status: 200, data: { name: 'deploy-production', status: 'pending' } })
  t.match((await as('ada')('POST', `${P}/jobs/8025/play`)).data.message, /Unplayable Job/)
  t.match((await as('ada')('GET', `${P}/jobs/8024/trace`)).data, /^ERROR: Job failed: exit code 1\n$/m)
  pass(30)
  t.match((await as('ada')('GET', `${P}/jobs/8013/trace`)).data, /SPEED=slow[\s\S]+Job succeeded/)
  t.match((await as('ada')('GET', `${P}/deployments?environment=production&order_by=id&sort=desc`)).data, [
    { status: 'success', deployable: { id: 8013 } },
    { status: 'success' }
  ])
  t.match((await as('ada')('GET', `${P}/environments/31`)).data, {
    name: 'production',
    last_deployment: { deployable: { id: 8013 } }
  })
})

t.test('a variable of no environment at all is refused', async t => {
  const { as } = await sandbox(t)
  const body = { key: 'NOWHERE', value: 'x', environment_scope: ' ' }
  t.match(await as('ada')('POST', `${P}/variables`, body), {
    status: 400,
    data: { message: { environment_scope: ["can't be blank"] } }
  })
})

t.test('variables of a manual job have keys like those of a pipeline', async t => {
  const { as } = await sandbox(t)
  const played = await as('ada')('POST', `${P}/jobs/8013/play`, {
    job_variables_attributes: [{ key: 'SPEED-2', value: 'slow' }]
  })
  t.match(played, { status: 400, data: { message: /key can contain only letters, digits and '_'/ } })
  t.equal((await as('ada')('GET', `${P}/jobs/8013`)).data.status, 'manual')
})

t.test('a trace grows while its job runs, and a failed one tells why', async t => {
  const { now, pass } = clock()
  const { as } = await sandbox(t, { now })
  const trace = await as('ada')('GET', `${P}/jobs/8025/trace`)
  t.equal(trace.headers.get('content-type'), 'text/plain')
  t.match(
    trace.data,
    /section_start:\d+:step_script\r\u001b\[0K[\s\S]+3 !== 25[\s\S]+\u001b\[31;1mERROR: Job failed: exit code 1/
  )
  const { data: job } = await as('ada')('POST', `${P}/jobs/8025/retry`)
  t.equal((await as('ada')('GET', `${P}/jobs/${job.id}/trace`)).data, '', 'not yet started')
  pass(2)
  const half = (await as('ada')('GET', `${P}/jobs/${job.id}/trace`)).data as string
  pass(10)
  const whole = (await as('ada')('GET', `${P}/jobs/${job.id}/trace`)).data as string
  t.ok(half.length > 0 && half.length < whole.length && whole.startsWith(half))
})

t.test('trigger jobs are listed apart, with the pipeline they started', async t => {
  const { as } = await sandbox(t)
  t.match((await as('ada')('GET', `${P}/pipelines/1202/bridges`)).data, [
    { name: 'website-preview', downstream_pipeline: { project_id: 42, status: 'success' } }
  ])
  t.notOk(
    ((await as('ada')('GET', `${P}/pipelines/1202/jobs`)).data as { name: string }[]).some(
      ({ name }) => name === 'website-preview'
    )
  )
})

t.test('environments and deployments are filtered', async t => {
  const { forge, as } = await sandbox(t)
  const names = async (query: string) =>
    ((await as('ada')('GET', `${P}/environments?${query}`)).data as { name: string }[]).map(
      ({ name }) => name
    )
  t.strictSame(await names('name=staging'), ['staging'])
  t.strictSame(await names('search=prod&states=available'), ['production'])
  t.strictSame(
    ((await as('ada')('GET', `${P}/deployments`)).data as { id: number }[]).map(({ id }) => id),
    [90, 91, 92]
  )
  t.equal((await as('ada')('GET', `${P}/deployments?status=failed`)).data.length, 0)
  t.match((await as('ada')('GET', `${P}/deployments/91`)).data, { approvals: [], environment: { name: /./ } })
  t.strictSame(forge.violations, [])
  await as('ada')('GET', `${P}/environments?search=staging&name=staging`)
  t.match(forge.violations, [/mutually exclusive/])
})

const PACKED = '/projects/acme%2Frocket/jobs/8003'
const FAILED = '/projects/acme%2Frocket/jobs/8025'

t.test('the tree is paged, one level deep unless asked for all', async t => {
  const { as } = await sandbox(t)
  t.match((await as('ada')('GET', `${PACKED}/artifacts/tree`)).data, [
    { name: 'dist', path: 'dist/', type: 'directory' }
  ])
  const all = await as('ada')('GET', `${PACKED}/artifacts/tree?recursive=true`)
  t.strictSame([all.data.length, all.headers.get('x-total')], [20, '35'])
  const below = await as('ada')('GET', `${FAILED}/artifacts/tree?path=reports%2Fcoverage`)
  t.match(below.data, [
    { path: 'reports/coverage/index.html', type: 'file', mode: '100644' },
    { name: 'badge.png', size: 70 }
  ])
  t.equal((await as('ada')('GET', `${PACKED}/artifacts/tree?path=nope`)).status, 404)
  t.equal((await as('ada')('GET', '/projects/41/jobs/8000/artifacts/tree')).status, 404, 'no archive')
  const old = await sandbox(t, { version: '18.7.0' })
  t.strictSame((await old.as('ada')('GET', `${PACKED}/artifacts/tree`)).data, { message: '404 Not Found' })
})

t.test('a file of the archive is served by its path, bytes as they are', async t => {
  const { forge } = await sandbox(t)
  const file = (path: string) =>
    fetch(`${forge.apiUrl}${FAILED}/artifacts/${path}`, { headers: { 'job-token': forge.tokens.job! } })
  const text = await file('reports/summary.txt')
  t.equal(text.headers.get('content-type'), 'text/plain')
  t.equal(await text.text(), 'tests 3\npass 2\nfail 1\n')
  const image = Buffer.from(await (await file('reports/coverage/badge.png')).arrayBuffer())
  t.equal(image.subarray(0, 4).toString('latin1'), '\x89PNG')
  t.equal((await file('reports/nope.txt')).status, 404)
})

t.test('the archive is a zip that can be read whole or from its end', async t => {
  const { forge } = await sandbox(t)
  const get = async (range?: string) => {
    const headers = { 'private-token': forge.tokens.ada!, ...(range ? { range } : {}) }
    const response = await fetch(`${forge.apiUrl}${FAILED}/artifacts`, { headers })
    return { response, bytes: Buffer.from(await response.arrayBuffer()) }
  }
  const { response, bytes } = await get()
  t.equal(response.headers.get('content-type'), 'application/zip')
  t.equal(bytes.readUInt32LE(0), 0x04034b50)
  const name = bytes.readUInt16LE(26)
  const packed = bytes.subarray(30 + name, 30 + name + bytes.readUInt32LE(18))
  t.match(inflateRawSync(packed).toString(), /<testsuite name="engine"/)
  const tail = await get('bytes=-22')
  t.equal(tail.response.status, 206)
  t.equal(tail.bytes.readUInt32LE(0), 0x06054b50, 'the end record')
  t.equal(tail.bytes.readUInt16LE(10), 4, 'its files')
  t.equal((await get('bytes=0-3')).bytes.toString('latin1'), 'PK\x03\x04')
})

t.test('with object storage a download redirects, and a credential that comes along is a breach', async t => {
  const { forge, as } = await sandbox(t, { objectStorage: true })
  const { status, headers } = await as('ada')('GET', `${FAILED}/artifacts`)
  t.equal(status, 302)
  const location = headers.get('location')!
  t.notOk(location.startsWith(forge.url))
  t.equal((await fetch(location)).status, 200)
  t.strictSame(forge.violations, [])
  await fetch(location, { headers: { 'private-token': forge.tokens.ada! } })
  t.strictSame(forge.violations, ['object_storage: private-token was sent to another origin'])
})
