import t from 'tap'
import { Catalog } from '../../src/catalog/catalog.ts'
import { argumentsOf } from '../../src/engine/arguments/argument-flags.ts'
import { PatternMatcher } from '../../src/engine/patterns.ts'
import { ci } from '../../tools/ci/index.ts'
import { toolsets } from '../../tools/index.ts'
import { sampleArguments } from '../support/sample-arguments.ts'
import { story } from '../support/sandbox-tools.ts'
import { ScriptedDispatcher } from '../support/scripted-dispatcher.ts'
import { toolAt } from '../support/tool-at.ts'

/* What an empty text may choose, and what it may take away: models fill in all arguments there are. */

const project_id = 'acme/rocket'
const rows = toolsets.flatMap(({ rows }) => rows)

story('a blank scope chooses no variable to delete', [ci], async (t, as) => {
  const call = as('margaret')
  for (const place of [{ project_id }, { group_id: 'acme' }]) {
    const variable = { ...place, key: 'ONLY', environment_scope: 'prod' }
    t.equal((await call('set_variable', { ...variable, value: 'x' })).error, undefined)
    for (const environment_scope of ['', ' '])
      t.match(
        (await call('delete_variable', { ...variable, environment_scope })).error,
        'environment_scope is empty, which is no scope: * means all environments, and so does leaving it out'
      )
    t.match((await call('delete_variable', variable)).value, { status: 'success' }, 'it is there still')
  }
})

t.test('nothing that is deleted is chosen by a blank text', async t => {
  const catalog = new Catalog()
  for (const toolset of toolsets) catalog.add(toolset)
  const patterns = new PatternMatcher()
  t.teardown(() => patterns.close())
  for (const row of rows.filter(({ class: of }) => of === 'destructive'))
    for (const [name, { type }] of Object.entries(argumentsOf(row.input)))
      for (const blank of type === 'string' ? ['', ' '] : []) {
        const forge = new ScriptedDispatcher(() => ({ body: { id: 1 } }))
        const args = { ...sampleArguments(row.input, ['project_id']), [name]: blank }
        await toolAt(forge, catalog, row.name, args, { patterns })
        // What is looked up by a name is compared with it here.
        const changed = forge.sent.filter(({ method }) => method !== 'GET')
        const queries = changed.map(({ path }) => new URL(path, 'https://forge.example').searchParams)
        t.notOk(
          queries.some(query => [...query.values()].some(value => value.trim() === '')),
          `${row.name} ${name}=${JSON.stringify(blank)}`
        )
      }
})
