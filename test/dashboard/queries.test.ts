import { readFileSync } from 'node:fs'
import t from 'tap'
import { createServer } from '../../src/server.ts'
import { dashboard } from './panels.ts'

t.test('dashboard and alerts ask for metrics that there are', async t => {
  const fastify = await createServer({ LOG_LEVEL: 'silent' })
  t.teardown(() => fastify.close())
  const { body } = await fastify.inject('/metrics?format=prometheus')
  const known = new Set([...body.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!))
  const asked = [
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    readFileSync(new URL('../../docs/alerts.yml', import.meta.url), 'utf8').replaceAll(/^ *#.*$/gm, '')
  ].flatMap(text => text.match(/\b(?:forge_mcp|process|nodejs)_\w+/g) ?? [])
  t.ok(asked.length > 20)
  for (const name of new Set(asked))
    t.ok(known.has(name) || known.has(name.replace(/_(bucket|count|sum)$/, '')), name)
})
