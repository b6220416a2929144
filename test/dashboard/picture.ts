import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startForge } from '../forge/index.ts'
import { startServer } from '../support/process.ts'
import { startPrometheus } from '../support/prometheus.ts'
import { call } from '../support/server.ts'
import { drawDashboard } from './draw.ts'
import { dashboard, readPanels } from './panels.ts'

/*
 * npm run docs:dashboard: docs/dashboard.svg, from what a real Prometheus scraped of two servers before the sandbox forge
 * in three minutes: few callers, then many, one whose calls are wrong and one whose token is, and a forge that is ill for
 * a moment. It needs Prometheus
 * (apt-get install prometheus).
 */

const SECONDS = 180
const undo: (() => unknown)[] = []
const owner = { teardown: (act: () => unknown) => void undo.push(act) }

const forge = await startForge({ sample: true })
undo.push(() => forge.close())
const servers = await Promise.all(
  [1, 2].map(() =>
    startServer(owner, { FORGE_API_URL: forge.apiUrl, FORGE_TOOLSETS: 'all', MAX_REQUESTS_PER_MINUTE: '0' })
  )
)
const targets = servers.map(({ url }) => new URL(url).host)
const prometheus = await startPrometheus(owner, {
  interval: 1,
  jobs: [{ job_name: 'forge-tool-server', static_configs: [{ targets }] }]
})

const project_id = 'acme/rocket'
const work = [
  ['list_issues', { project_id }],
  ['list_merge_requests', { project_id }],
  ['get_merge_request', { project_id, merge_request_iid: '1' }],
  ['get_merge_request_diffs', { project_id, merge_request_iid: '1' }],
  ['list_pipelines', { project_id }],
  ['get_project', { project_id }],
  ['whats_on_my_plate', {}]
] as const
const wrong = [['get_issue', { project_id, issue_iid: '99999' }]] as const
const began = Date.now()
const isOver = () => Date.now() - began > SECONDS * 1000

/** Calls one thing after the other, with pauses, in a part of the time. */
async function caller(
  from: number,
  to: number,
  pause: number,
  token: string,
  calls: typeof work | typeof wrong
) {
  await sleep(from * SECONDS * 1000)
  for (let turn = 0; !isOver() && Date.now() - began < to * SECONDS * 1000; turn++) {
    const [name, args] = calls[turn % calls.length]!
    const { url } = servers[turn % servers.length]!
    const answer = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'private-token': token },
      body: JSON.stringify(call(name, args))
    })
    await answer.text()
    await sleep(pause * (0.5 + Math.random()))
  }
}

/** From a part of the time on so many answers of the forge are failures. */
async function illFor(from: number, times: number) {
  await sleep(from * SECONDS * 1000)
  forge.state.faults.push({ match: /./, times, status: 503 }, { match: /./, times, hangUp: true })
}

const token = forge.tokens.ada!
await Promise.all([
  ...Array.from({ length: 6 }, () => caller(0, 1, 150, token, work)),
  ...Array.from({ length: 12 }, () => caller(0.35, 0.7, 100, token, work)),
  caller(0.2, 0.9, 400, token, wrong),
  caller(0.5, 0.8, 300, 'short', work),
  illFor(0.75, 20)
])
const to = Math.floor(Date.now() / 1000)
const from = Math.ceil(began / 1000) + 12
const panels = await readPanels(prometheus.url, from, to)
const file = fileURLToPath(new URL('../../docs/dashboard.svg', import.meta.url))
await writeFile(file, drawDashboard(dashboard.title, panels, from, to))
for (const { title, lines } of panels) console.log(`${title}: ${lines.length} lines`)
for (const act of undo.reverse()) await act()
