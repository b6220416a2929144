import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { readPanels } from '../dashboard/panels.ts'
import { freePort } from '../support/listen.ts'
import { startServer } from '../support/process.ts'
import { request, TOKEN } from '../support/server.ts'

const installed = (program: string): boolean => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
const skip = installed('prometheus') ? false : 'prometheus is not installed (apt-get install prometheus)'
const rules = fileURLToPath(new URL('../../docs/alerts.yml', import.meta.url))

t.test('a real Prometheus scrapes both ports and loads the alert rules', { skip }, async t => {
  const [metricsPort, port] = [await freePort(), await freePort()]
  const server = await startServer(t, { METRICS_PORT: String(metricsPort) })
  await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'private-token': TOKEN },
    body: JSON.stringify(request('tools/list'))
  })
  const directory = await mkdtemp(join(tmpdir(), 'prometheus-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  const config = {
    // A scrape may take as long as its interval; a busy machine needs more than the second after which the first begins.
    global: { scrape_interval: '5s', scrape_timeout: '5s' },
    rule_files: [rules],
    scrape_configs: [
      { job_name: 'main', static_configs: [{ targets: [new URL(server.url).host] }] },
      { job_name: 'extra', static_configs: [{ targets: [`127.0.0.1:${metricsPort}`] }] },
      {
        job_name: 'format',
        params: { format: ['prometheus'] },
        static_configs: [{ targets: [new URL(server.url).host] }]
      }
    ]
  }
  // JSON is YAML.
  await writeFile(join(directory, 'prometheus.yml'), JSON.stringify(config))
  const child = spawn(
    'prometheus',
    [
      `--config.file=${directory}/prometheus.yml`,
      `--storage.tsdb.path=${directory}/data`,
      `--web.listen-address=127.0.0.1:${port}`
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] }
  )
  let log = ''
  child.stderr.on('data', chunk => {
    log += chunk
  })
  t.teardown(async () => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  })

  const query = async (
    text: string
  ): Promise<{ metric: Record<string, string>; value: [number, string] }[]> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(text)}`)
    return ((await answer.json()) as { data: { result: [] } }).data.result
  }
  const jobs = ['extra', 'format', 'main']
  const seen = async () =>
    (await query('up == 1').catch(() => []))
      .map(({ metric }) => metric.job)
      .sort()
      .join() === jobs.join()
  for (let tries = 0; tries < 300 && !(await seen()); tries++) await sleep(200)
  t.ok(await seen(), `all are up\n${log.slice(-2000)}`)
  t.notMatch(log, /level=(warn|error).*(scrape|Append|sample)/i)

  const created = await query('forge_mcp_sessions_created_total')
  t.same(
    created.map(({ metric, value }) => [metric.job, value[1]]).sort(),
    jobs.map(job => [job, '1'])
  )
  t.equal((await query('forge_mcp_http_request_duration_seconds_count{route="/mcp"}')).length, 3)
  t.equal((await query('process_cpu_seconds_total')).length, 3)

  // Each query of the dashboard is one that it takes. Samples have milliseconds: the second they fall into is not
  // over, so the question ends with the next one.
  const now = Math.ceil(Date.now() / 1000)
  const panels = await readPanels(`http://127.0.0.1:${port}`, now - 10, now)
  t.ok(panels.find(({ title }) => title === 'Memory')!.lines.length > 0)

  const loaded = await fetch(`http://127.0.0.1:${port}/api/v1/rules`)
  const { data } = (await loaded.json()) as { data: { groups: { rules: { health: string }[] }[] } }
  t.ok(data.groups.flatMap(({ rules }) => rules).length >= 5)
})
