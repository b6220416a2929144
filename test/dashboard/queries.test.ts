import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { createServer } from '../../src/server.ts'
import { dashboard } from './panels.ts'

/** Settings with which a server has all metrics, one with logins and one whose callers name forges. */
const modes: Record<string, string>[] = [
  { ENABLE_DYNAMIC_API_URL: 'true', FORGE_ALLOWED_HOSTS: 'forge.example' },
  {
    FORGE_MCP_OAUTH: 'true',
    FORGE_OAUTH_APP_ID: 'app',
    FORGE_API_URL: 'https://forge.example',
    MCP_SERVER_URL: 'https://mcp.example'
  }
]

async function metricsOf(t: Test, mode: Record<string, string>): Promise<string[]> {
  const fastify = await createServer({ LOG_LEVEL: 'silent', ...mode })
  t.teardown(() => fastify.close())
  const { body } = await fastify.inject('/metrics?format=prometheus')
  return [...body.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!)
}

const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
const alerts = readFileSync(new URL('../../docs/alerts.yml', import.meta.url), 'utf8').replaceAll(
  /^ *#.*$/gm,
  ''
)

t.test('dashboard and alerts ask for metrics that there are', async t => {
  const known = new Set((await Promise.all(modes.map(mode => metricsOf(t, mode)))).flat())
  const asked = [...queries, alerts].flatMap(text => text.match(/\b(?:forge_mcp|process|nodejs)_\w+/g) ?? [])
  t.ok(asked.length > 20)
  for (const name of new Set(asked))
    t.ok(known.has(name) || known.has(name.replace(/_(bucket|count|sum)$/, '')), name)
})

t.test('the dashboard shows the installations of the namespaces and jobs that are chosen', async t => {
  const asked = queries.flatMap(expr => expr.match(/\b(?:forge_mcp|process|nodejs)_\w+(?:\{[^}]*\})?/g) ?? [])
  t.ok(asked.length >= queries.length)
  t.same(
    asked.filter(one => !/\{namespace=~"\$namespace",job=~"\$job"[,}]/.test(one)),
    []
  )
  const chosen = dashboard.templating.list.filter(({ type }) => type === 'query')
  t.match(chosen, [
    // All of them has what has no namespace, too: Grafana would name those that there are.
    { name: 'namespace', query: 'label_values(forge_mcp_build_info, namespace)', allValue: '.*' },
    { name: 'job', query: 'label_values(forge_mcp_build_info{namespace=~"$namespace"}, job)' }
  ])
  // Any job would be anybody's, as for process_cpu_seconds_total.
  t.equal(chosen[1]?.allValue, undefined)
})

t.test('alerts add nothing up that is of two installations', async t => {
  const sums = [...alerts.matchAll(/\bsum\b(?: by \(([^)]*)\))?/g)]
  t.ok(sums.length > 10)
  t.same(
    sums.filter(([, by = '']) => !by.startsWith('job, namespace')).map(([sum]) => sum),
    []
  )
})
