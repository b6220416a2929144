import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { readPanels } from '../dashboard/panels.ts'
import { freePort } from '../support/listen.ts'
import { startServer } from '../support/process.ts'
import { withoutPrometheus as skip, startPrometheus } from '../support/prometheus.ts'
import { request, TOKEN } from '../support/server.ts'

const rules = fileURLToPath(new URL('../../docs/alerts.yml', import.meta.url))

t.test('a real Prometheus scrapes both ports and loads the alert rules', { skip }, async t => {
  const metricsPort = await freePort()
  const server = await startServer(t, { METRICS_PORT: String(metricsPort) })
  await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'private-token': TOKEN },
    body: JSON.stringify(request('tools/list'))
  })
  const targets = [new URL(server.url).host]
  const { url, log, get, query } = await startPrometheus(t, {
    // A busy machine needs more than a second.
    interval: 5,
    rules: [rules],
    jobs: [
      { job_name: 'main', static_configs: [{ targets }] },
      { job_name: 'extra', static_configs: [{ targets: [`127.0.0.1:${metricsPort}`] }] },
      { job_name: 'format', params: { format: ['prometheus'] }, static_configs: [{ targets }] }
    ]
  })
  const jobs = ['extra', 'format', 'main']
  const seen = async () =>
    (await query('up == 1').catch(() => []))
      .map(({ metric }) => metric.job)
      .sort()
      .join() === jobs.join()
  for (let tries = 0; tries < 300 && !(await seen()); tries++) await sleep(200)
  t.ok(await seen(), `all are up\n${log().slice(-2000)}`)
  t.notMatch(log(), /level=(warn|error).*(scrape|Append|sample)/i)

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
  const panels = await readPanels(url, now - 10, now)
  t.ok(panels.find(({ title }) => title === 'Memory')!.lines.length > 0)

  const { groups } = await get<{ groups: { rules: object[] }[] }>('rules')
  t.ok(groups.flatMap(({ rules }) => rules).length >= 5)
})
