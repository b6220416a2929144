import { readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { parse, stringify } from 'yaml'
import { zipOf } from '../forge/model/zip.ts'
import { listen } from '../support/listen.ts'
import { CLIENT_REDIRECT, pkce } from '../support/oauth.ts'
import { type ServerProcess, startServer } from '../support/process.ts'
import { withoutPrometheus as skip, startPrometheus } from '../support/prometheus.ts'
import { secretOf } from '../support/sealing.ts'
import { call, initialize, TOKEN } from '../support/server.ts'

/*
 * Each alert of docs/alerts.yml fires in a real Prometheus over real servers that are in the trouble it is for, in seconds
 * where operators have minutes. What no test can make without a defect is asked for by the series that it reads.
 */

interface Rule {
  readonly alert: string
  expr: string
  for: string
}

const source = readFileSync(new URL('../../docs/alerts.yml', import.meta.url), 'utf8')
/** The rules with a clock sixty times as fast: minutes are seconds, and what fires waits for one. */
function fastRules() {
  const rules = parse(source) as { groups: { rules: Rule[] }[] }
  for (const rule of rules.groups.flatMap(({ rules }) => rules)) {
    rule.expr = rule.expr.replaceAll(/\[(2|5|15)m\]/g, '[10s]').replaceAll('> 180', '> 3')
    rule.for = '1s'
  }
  return rules
}
const all = fastRules().groups.flatMap(({ rules }) => rules)

/** Trouble that goes on until the test ends. */
function again(t: Test, pause: number, act: () => Promise<unknown>): void {
  let on = true
  t.teardown(() => {
    on = false
  })
  void (async () => {
    while (on) {
      await act().catch(() => undefined)
      await sleep(pause)
    }
  })()
}

const ask = (server: ServerProcess, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'private-token': TOKEN, ...headers },
    body: JSON.stringify(body)
  }).then(response => response.text())

const branch = call('get_branch', { project_id: '1', branch_name: 'main' })

/** Five requests at once on a connection, which is one more than may wait. */
async function askAhead({ url }: ServerProcess): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(6))
  await sleep(50)
  socket.destroy()
}

/** Starts a server with each of several environments, all at once. */
async function startEach<Name extends string>(
  t: Test,
  environments: Record<Name, Record<string, string>>
): Promise<Record<Name, ServerProcess>> {
  const started = Object.entries<Record<string, string>>(environments).map(async ([name, env]) => [
    name,
    await startServer(t, env)
  ])
  return Object.fromEntries(await Promise.all(started))
}

t.test('each alert fires for what it is for', { skip, timeout: 290_000 }, async t => {
  const json = { 'content-type': 'application/json' }
  const good = await listen(t, (_request, response) => response.writeHead(200, json).end('{"name":"main"}'))
  const ill = await listen(t, (_request, response) => response.writeHead(503).end())
  const strict = await listen(t, (_request, response) =>
    response.writeHead(403, json).end('{"message":"no"}')
  )
  const late = await listen(t, async (_request, response) => {
    await sleep(11_000)
    response.writeHead(200, json).end('{"name":"main"}')
  })
  const lagging = await listen(t, async (_request, response) => {
    await sleep(4_000)
    response.writeHead(200, json).end('{"name":"main"}')
  })
  const hanging = await listen(t, () => undefined)
  const archived = await listen(t, (_request, response) => response.end(zipOf({ 'a.txt': 'a' })))
  const dynamic = { ENABLE_DYNAMIC_API_URL: 'true', FORGE_API_URL: good }

  const folder = t.testdir({
    downloads: {},
    settings: 'FORGE_READ_ONLY_MODE=true\n',
    'rules.yml': stringify(fastRules())
  })
  const FORGE_SETTINGS_PATH = `${folder}/settings`

  const servers = await startEach(t, {
    failing: { FORGE_API_URL: ill },
    slow: { FORGE_API_URL: late },
    full: { ...dynamic, FORGE_POOL_MAX_SIZE: '1' },
    refusing: { ...dynamic, FORGE_ALLOWED_HOSTS: 'forge.example', MAX_REQUESTS_PER_MINUTE: '1' },
    stopping: { FORGE_API_URL: good, FORGE_SETTINGS_PATH },
    crowded: { FORGE_API_URL: good, MAX_SESSIONS: '20' },
    gone: { FORGE_API_URL: good },
    login: { FORGE_API_URL: ill, FORGE_MCP_OAUTH: 'true', FORGE_OAUTH_APP_ID: 'app' },
    waiting: { FORGE_API_URL: lagging, FORGE_MAX_CONCURRENCY: '1' },
    muted: { FORGE_API_URL: good },
    saving: { FORGE_API_URL: archived, FORGE_DOWNLOAD_DIR: `${folder}/downloads` },
    refused: { FORGE_API_URL: strict },
    named: { ...dynamic, FORGE_ALLOWED_HOSTS: [good, ill].map(url => new URL(url).host).join(',') },
    keyed: {
      FORGE_API_URL: good,
      FORGE_MCP_OAUTH: 'true',
      FORGE_OAUTH_APP_ID: 'app',
      OAUTH_STATELESS_MODE: 'true',
      OAUTH_STATELESS_SECRET: secretOf('here')
    }
  })
  const {
    failing,
    slow,
    full,
    refusing,
    stopping,
    crowded,
    gone,
    login,
    waiting,
    muted,
    saving,
    refused,
    named,
    keyed
  } = servers

  again(t, 200, () => ask(failing, branch))
  again(t, 200, () => ask(refused, branch))
  for (let callers = 0; callers < 5; callers++) again(t, 500, () => ask(slow, branch))
  for (let callers = 0; callers < 10; callers++) again(t, 500, () => ask(waiting, branch))
  muted.child.stdout!.destroy()
  again(t, 500, () => ask(muted, branch))
  rmdirSync(`${folder}/downloads`)
  again(t, 1000, () => ask(saving, call('download_job_artifacts', { project_id: '1', job_id: '1' })))
  const at = (url: string) => ({ 'x-forge-api-url': url })
  again(t, 200, () => ask(named, branch, at(`${ill}/other`)))
  again(t, 200, () => ask(named, branch))
  const elsewhere = `v1.cid.${Buffer.from('{}').toString('base64url')}.${'A'.repeat(48)}`
  again(t, 200, () => fetch(`${keyed.url}/authorize?client_id=${elsewhere}`))
  again(t, 100, () => ask(full, branch, at(hanging)))
  await sleep(200)
  again(t, 200, () => ask(full, branch, at(`${good}/other`)))
  again(t, 200, () => ask(refusing, branch, { 'private-token': '' }))
  // Each by another caller, as one would soon be over its limit.
  let strangers = 0
  const stranger = () => ({ 'private-token': `glpat-stranger-${strangers++}`.padEnd(24, 'x') })
  again(t, 200, () => ask(refusing, branch, { ...at('https://other.example'), ...stranger() }))
  again(t, 200, () => ask(refusing, branch, { origin: 'https://other.example' }))
  again(t, 200, () => askAhead(refusing))
  const begun = await fetch(`${refusing.url}/mcp`, {
    method: 'POST',
    headers: { ...json, 'private-token': TOKEN },
    body: JSON.stringify(initialize())
  })
  const session = { 'mcp-session-id': begun.headers.get('mcp-session-id')! }
  again(t, 200, () => ask(refusing, branch, session))
  const registered = await fetch(`${login.url}/register`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ redirect_uris: [CLIENT_REDIRECT], token_endpoint_auth_method: 'none' })
  })
  const { client_id } = (await registered.json()) as { client_id: string }
  const grant = { grant_type: 'authorization_code', code: 'c', code_verifier: pkce().verifier }
  const form = { ...grant, client_id, redirect_uri: CLIENT_REDIRECT }
  again(t, 1000, () => fetch(`${login.url}/token`, { method: 'POST', body: new URLSearchParams(form) }))
  again(t, 200, () => ask(refusing, branch, { 'mcp-session-id': 'of-another-replica' }))
  writeFileSync(FORGE_SETTINGS_PATH, 'FORGE_READ_ONLY_MODE=maybe\n')
  // Late for more than half a second, many times.
  again(t, 300, async () => {
    stopping.child.kill('SIGSTOP')
    await sleep(1500)
    stopping.child.kill('SIGCONT')
  })
  for (let callers = 0; callers < 18; callers++) {
    const token = { 'private-token': `glpat-caller-${callers}`.padEnd(24, 'x') }
    const answer = await fetch(`${crowded.url}/mcp`, {
      method: 'POST',
      headers: { ...json, ...token },
      body: JSON.stringify(initialize())
    })
    await answer.text()
    // The forge has answered for it.
    await ask(crowded, branch, { ...token, 'mcp-session-id': answer.headers.get('mcp-session-id')! })
  }

  const { get, query } = await startPrometheus(t, {
    interval: 2,
    rules: [`${folder}/rules.yml`],
    jobs: Object.entries(servers).map(([job_name, { url }]) => ({
      job_name,
      static_configs: [{ targets: [new URL(url).host] }]
    }))
  })
  const nobodys = await startPrometheus(t, { interval: 2, rules: [`${folder}/rules.yml`], jobs: [] })

  interface Alert {
    readonly labels: Readonly<Record<string, string>>
    readonly state: string
  }
  /** Of each that fires, for all that it fires for: on a slow machine others are late, or not scraped in time, as well. */
  const seen = new Map<string, Alert['labels'][]>()
  const look = async (from: typeof get) => {
    const { alerts } = await from<{ alerts: Alert[] }>('alerts').catch(() => ({ alerts: [] }))
    for (const { labels, state } of alerts)
      if (state === 'firing') seen.set(labels.alertname!, [...(seen.get(labels.alertname!) ?? []), labels])
  }
  const cannot = new Set([
    'ForgeToolServerRestarting',
    'ForgeToolServerFaults',
    'ForgeToolServerHeapNearLimit'
  ])
  /** Patterns of what the labels of each are at least. */
  const firesFor: Readonly<Record<string, Alert['labels']>> = {
    ForgeToolServerDown: { job: 'gone' },
    ForgeToolServerForgeDown: { job: 'failing' },
    ForgeToolServerNamedForgeDown: { job: 'named' },
    ForgeToolServerLoginsOfOtherKey: { job: 'keyed' },
    ForgeToolServerForgeFailing: { job: 'failing|named' },
    ForgeToolServerForgeRefusing: { job: 'refused' },
    ForgeToolServerSlow: { job: 'slow' },
    ForgeToolServerRejecting: { job: 'full', reason: 'capacity' },
    ForgeToolServerCallsNotSent: { job: 'waiting' },
    ForgeToolServerCallersLimited: { job: 'refusing', reason: 'rate_limit' },
    ForgeToolServerUnknownHost: { job: 'refusing', reason: 'origin' },
    ForgeToolServerForbiddenForges: { job: 'refusing' },
    ForgeToolServerSessionsLost: { job: 'refusing' },
    ForgeToolServerCallersCut: { job: 'refusing', reason: 'pipelined' },
    ForgeToolServerAuthFailures: { job: 'refusing', reason: 'missing' },
    ForgeToolServerLoginsFailing: { job: 'login', reason: 'unasked' },
    ForgeToolServerSettingsRefused: { job: 'stopping' },
    ForgeToolServerLogLost: { job: 'muted' },
    ForgeToolServerArchivesNotSaved: { job: 'saving' },
    ForgeToolServerSessionsNearLimit: { job: 'crowded' },
    ForgeToolServerEventLoopSlow: { job: 'stopping' }
  }
  const hasFired = (alert: string): boolean =>
    seen
      .get(alert)
      ?.some(labels =>
        Object.entries(firesFor[alert] ?? {}).every(([name, value]) =>
          new RegExp(`^(?:${value})$`).test(labels[name] ?? '')
        )
      ) ?? false
  const expected = all.map(({ alert }) => alert).filter(alert => !cannot.has(alert))
  t.same(
    Object.keys(firesFor).filter(alert => !expected.includes(alert)),
    [],
    'there are no others'
  )
  let isGone = false
  for (const end = Date.now() + 180_000; Date.now() < end && !expected.every(hasFired); ) {
    if (!isGone && (await query('up{job="gone"} == 1').catch(() => [])).length > 0)
      isGone = gone.child.kill('SIGKILL')
    await Promise.all([look(get), look(nobodys.get)])
    await sleep(500)
  }
  for (const alert of expected) t.ok(hasFired(alert), `${alert}: ${JSON.stringify(seen.get(alert)?.at(0))}`)
  for (const alert of cannot) {
    const { expr } = all.find(rule => rule.alert === alert)!
    const reads = expr.replace(/ > [\d.]+$/, '')
    t.ok((await query(reads)).length > 0, `${alert} reads what there is`)
  }
})
