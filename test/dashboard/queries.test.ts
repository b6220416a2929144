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

t.test('dashboard and alerts ask for metrics that there are', async t => {
  const known = new Set((await Promise.all(modes.map(mode => metricsOf(t, mode)))).flat())
  const asked = [
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    readFileSync(new URL('../../docs/alerts.yml', import.meta.url), 'utf8').replaceAll(/^ *#.*$/gm, '')
  ].flatMap(text => text.match(/\b(?:forge_mcp|process|nodejs)_\w+/g) ?? [])
  t.ok(asked.length > 20)
  for (const name of new Set(asked))
    t.ok(known.has(name) || known.has(name.replace(/_(bucket|count|sum)$/, '')), name)
})
