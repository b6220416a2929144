import { gzipSync } from 'node:zlib'
import t from 'tap'
import { chartHeap, madeUp } from '../support/attack.ts'
import { listen } from '../support/listen.ts'
import { startServer } from '../support/process.ts'
import { call, TOKEN } from '../support/server.ts'
import { branch, caller, calmForge, meanwhile, residentMb } from '../support/tenants.ts'

/*
 * Streams that a hostile forge begins and never ends, made of what takes their readers most memory. Large ones are
 * compressed to some kilobytes.
 */

// They wait more than they work, and each has a process of its own.
t.jobs = 2

const STREAMS = 128
/** Of the 512 that the chart gives a container. */
const MOST_MB = 450
const LASTS_MS = 7000

const long = 'z'.repeat(63_000)
const failed = `{"status":"failed","name":"\u0100${'a'.repeat(1_000_000)}"},`
const project = { project_id: '1' }
const mergeRequest = { ...project, merge_request_iid: '1' }

for (const [what, tool, args, text] of [
  [
    'files of empty lines',
    'get_file_contents',
    { ...project, file_path: 'a', ref: 'main' },
    '\n'.repeat(199_900)
  ],
  [
    'patches of empty lines',
    'get_merge_request_raw_diff',
    mergeRequest,
    `diff --git a/x b/x\n${'\n'.repeat(199_000)}`
  ],
  [
    'patches of names before long texts',
    'get_merge_request_raw_diff',
    mergeRequest,
    `${'x\n'.repeat(110_000)}${`diff --git a/name b/long_enough_name\u0100${long}\n`.repeat(50)}w\n`
  ],
  [
    'reports of long failing cases',
    'get_pipeline_test_report',
    { ...project, pipeline_id: '1', max_cases: 200 },
    `{"test_suites":[{"name":"x","test_cases":[${failed.repeat(12)}`
  ],
  [
    'artifacts of empty lines',
    'get_job_artifact_file',
    { ...project, job_id: '1', artifact_path: 'a' },
    '\n'.repeat(199_900)
  ]
] as const)
  t.test(`${what} that never end do not fill the process`, async t => {
    const packed = text.length > 1_000_000
    const begun = packed ? gzipSync(text).subarray(0, -8) : text
    const headers = { 'content-type': 'text/plain', ...(packed && { 'content-encoding': 'gzip' }) }
    const summary = '{"total":{"failed":900},"test_suites":[]}'
    const forge = await listen(t, (request, response) => {
      request.resume()
      if (!/\/files\/|raw_diffs|test_report$|artifacts/.test(request.url!)) return void response.end(summary)
      response.writeHead(200, headers).write(begun)
    })
    const server = await startServer(t, {
      ...chartHeap,
      FORGE_API_URL: await calmForge(t),
      ENABLE_DYNAMIC_API_URL: 'true',
      FORGE_TOOLSETS: 'all',
      MAX_REQUESTS_PER_MINUTE: '0'
    })
    const attacker = caller(t, server, 'unused', '127.0.0.2')
    const tenant = caller(t, server, TOKEN)
    await tenant(branch())
    for (let at = 0; at < STREAMS; at++)
      attacker(call(tool, args), { 'x-forge-api-url': forge }, madeUp(at)).catch(() => {})
    let most = 0
    const watch = setInterval(() => {
      if (server.child.exitCode === null && server.child.signalCode === null)
        most = Math.max(most, residentMb(server))
    }, 50)
    const { failures, p99 } = await meanwhile(
      () => tenant(branch()),
      new Promise(resolve => setTimeout(resolve, LASTS_MS))
    )
    clearInterval(watch)
    t.comment(`at most ${most} MiB; p99 of a tenant ${p99} ms`)
    t.same(failures, [])
    t.ok(most < MOST_MB, `${most} MiB`)
    await server.stop('SIGKILL')
  })
