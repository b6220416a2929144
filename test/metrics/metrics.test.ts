import { readFileSync } from 'node:fs'
import t from 'tap'
import { Metrics } from '../../src/metrics/metrics.ts'

t.test('a metric that is declared is read', async t => {
  const declared = readFileSync(new URL('../../src/metrics/metrics.ts', import.meta.url), 'utf8')
  const names = [...declared.matchAll(/`\$\{tag\}(\w+)`/g)].map(([, name]) => `forge_mcp_${name}`)
  const read = new Metrics().sources.map(source => source.read().name)
  t.same(read.sort(), names.sort())
})
