import t from 'tap'
import { Agent } from 'undici'
import { Catalog } from '../../src/catalog/catalog.ts'
import { PatternMatcher } from '../../src/engine/patterns.ts'
import { startForge } from '../forge/index.ts'
import { Unavailable } from '../support/program.ts'
import { callerOf } from '../support/sandbox-tools.ts'
import { played, prepare } from './played.ts'
import { enter } from './support/ledger.ts'
import { python } from './support/python.ts'
import { versions } from './support/releases.ts'
import { toolNames, toolsets } from './support/toolsets.ts'
import { reach } from './tasks.ts'

/* Which tasks of a public benchmark for agents the tools can do, and some of them played. */

interface Template {
  template: number
  tasks: number[]
  kind: string
}

const title = '6 Tasks of a benchmark'
const source = `webarena-verified ${versions['webarena-verified']}`
const templates = await python<Template[]>('webarena-verified', 'tasks.py').catch(error => {
  if (error instanceof Unavailable) return error.message
  throw error
})
const skip = typeof templates === 'string' && templates
if (typeof templates === 'string') enter('tasks', { title, source, skipped: templates, confirmed: {} })

t.test('every task on a forge', { skip }, async t => {
  const confirmed = { 'tasks reached': 0, 'tasks in all': 0, 'templates played': played.length }
  const differences: string[] = []
  for (const { template, tasks, kind } of templates as Template[]) {
    confirmed['tasks in all'] += tasks.length
    const known = reach[template]
    t.ok(known, `template ${template} (${kind}, tasks ${tasks.join(', ')}) is mapped to tools`)
    if (known === undefined) continue
    const missing = known.tools.filter(tool => !toolNames.has(tool))
    if (known.outside !== undefined)
      differences.push(`template ${template} (${tasks.length} tasks): ${known.outside}`)
    else if (missing.length > 0)
      differences.push(
        `template ${template} (${tasks.length} tasks) wants tools that are not there: ${missing.join(', ')}`
      )
    else confirmed['tasks reached'] += tasks.length
  }
  const there = new Set((templates as Template[]).map(({ template }) => template))
  t.same(
    Object.keys(reach).filter(template => !there.has(Number(template))),
    [],
    'no template is mapped that is not there'
  )
  enter('tasks', { title, source, confirmed, differences })
})

t.test('tasks whose data the sandbox forge holds are done as its own state says', async t => {
  const forge = await startForge({ sample: true })
  prepare(forge.state)
  const dispatcher = new Agent()
  const patterns = new PatternMatcher()
  t.teardown(() => Promise.all([patterns.close(), dispatcher.destroy(), forge.close()]))
  const catalog = new Catalog()
  for (const toolset of toolsets) catalog.add(toolset)
  const parts = { apiUrl: forge.apiUrl, token: forge.tokens.ada!, name: 'ada', downloadDir: '/nonexistent' }
  const call = callerOf({ ...parts, catalog, dispatcher, patterns })
  for (const { template, answer, expected } of played) {
    const wanted = expected(forge.state)
    t.ok(wanted.length > 0, `template ${template} has an answer`)
    t.same((await answer(call)).sort(), wanted.sort(), `template ${template}`)
  }
  t.same(forge.violations, [])
})
