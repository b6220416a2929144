import t from 'tap'
import { Type } from 'typebox'
import { Catalog } from '../../../src/catalog/catalog.ts'
import type { ToolContext } from '../../../src/engine/context.ts'
import { KnownFacts } from '../../../src/engine/facts/known.ts'
import { Names } from '../../../src/engine/facts/names.ts'
import { LookupBudget } from '../../../src/engine/lookup-budget.ts'
import { describeTool } from '../../../src/engine/rows/describe.ts'
import { flag, optional, ProjectOrGroup } from '../../../src/engine/rows/fields.ts'
import { rest } from '../../../src/engine/rows/row.ts'
import { explainFailure } from '../../../src/results/failure.ts'
import { UnseenBudget } from '../../../src/results/unseen-in-names.ts'
import { ForgeError, ForgeStatusError } from '../../../src/upstream/errors.ts'

const trains = rest({
  name: 'list_trains',
  class: 'read',
  title: 'Trains',
  summary: 'List trains.',
  input: Type.Object(ProjectOrGroup),
  request: 'GET {PG}/trains',
  edition: 'Premium'
})
const groupPages = rest({
  name: 'list_pages',
  class: 'read',
  title: 'Pages',
  summary: 'List pages.',
  input: Type.Object(ProjectOrGroup),
  request: 'GET {PG}/pages',
  edition: { edition: 'Premium', with: 'group_id' }
})
const values = rest({
  name: 'list_values',
  class: 'read',
  title: 'Values',
  summary: 'List values.',
  input: Type.Object({ ...ProjectOrGroup, include_values: optional(flag()) }),
  request: 'GET {PG}/values',
  reveals: ['include_values']
})

interface Answers {
  metadata: () => unknown
  other: () => unknown
}

/** A forge of two answers, one caller's knowledge of it, and a clock. */
function stage(answers: Answers, denySecretValues = false) {
  // The cache takes a time of 0 for none.
  const clock = { ms: 1, now: () => clock.ms }
  const sent: string[] = []
  const facts = new KnownFacts(clock.now)
  const catalog = new Catalog({ denySecretValues })
  catalog.add({ id: 'snippets', summary: 'Rows.', rows: [trains, groupPages, values] })
  const forge = {
    wrote: false,
    send: async ({ path }: { path: string }) => {
      sent.push(path)
      const value = path === '/metadata' ? answers.metadata() : answers.other()
      return { status: 200, headers: {}, value, size: 2 }
    }
  }
  const call = async (tool: string, args: object, caller = 'ada'): Promise<string> => {
    const lookups = new LookupBudget()
    const known = facts.of(caller)
    const context = {
      forge,
      lookups,
      unseenBudget: new UnseenBudget(),
      known,
      names: new Names(known, false),
      admitted: () => undefined
    } as unknown as ToolContext
    try {
      await catalog.find(tool)!.run(args, context)
      return 'ok'
    } catch (error) {
      return explainFailure(error, false) ?? `fault: ${error}`
    }
  }
  return { call, sent, clock, catalog }
}

const refuses = (status: number) => () => {
  throw new ForgeStatusError(status, '')
}
const free = () => ({ version: '19.2.0', enterprise: false })
const paid = () => ({ version: '19.2.0-ee', enterprise: true })

t.test('a forge that says it is the free edition is not asked again for ten minutes', async t => {
  const { call, sent, clock } = stage({ metadata: free, other: refuses(404) })
  const first = 'list_trains needs the Premium edition of the forge, and this forge is the free edition.'
  t.equal(await call('list_trains', { project_id: 1 }), first)
  t.same(sent, ['/projects/1/trains', '/metadata'])
  t.match(await call('list_trains', { project_id: 2 }), /free edition\. Nothing was sent/)
  t.match(await call('list_pages', { group_id: 7 }), /^list_pages with group_id needs the Premium edition/)
  t.equal(sent.length, 2, 'nothing more is sent')
  t.equal(
    await call('list_trains', { project_id: 1 }, 'bob'),
    first,
    'another caller learns it for themselves'
  )
  clock.ms += 600_001
  t.equal(await call('list_trains', { project_id: 1 }), first, 'and after ten minutes it is asked anew')
  t.equal(sent.length, 6)
})

t.test('a forge of a paid edition may lack it still, and is asked each time', async t => {
  const { call, sent } = stage({ metadata: paid, other: refuses(403) })
  const said = await call('list_trains', { project_id: 1 })
  t.match(
    said,
    /^The forge answered 403 Forbidden\. list_trains needs the Premium edition of the forge: that may be why\. The token may not do this/
  )
  await call('list_trains', { project_id: 1 })
  t.same(sent, ['/projects/1/trains', '/metadata', '/projects/1/trains'], 'but what it is only once')
})

t.test('a forge that does not tell what it is counts as unknown', async t => {
  for (const metadata of [refuses(401), () => undefined, () => ({ enterprise: 'no' })]) {
    const { call } = stage({ metadata, other: refuses(404) })
    t.match(await call('list_trains', { project_id: 1 }), /: that may be why\./)
    t.match(await call('list_trains', { project_id: 1 }), /: that may be why\./)
  }
})

t.test('other failures are no matter of the edition', async t => {
  const { call, sent } = stage({ metadata: free, other: refuses(500) })
  t.notMatch(await call('list_trains', { project_id: 1 }), /edition/)
  t.same(sent, ['/projects/1/trains'])
})

t.test('a field that GraphQL does not have is a matter of the edition', async t => {
  const { call } = stage({
    metadata: paid,
    other: () => {
      throw new ForgeError('graphql', "Field 'trains' doesn't exist on type 'Project'")
    }
  })
  t.equal(
    await call('list_trains', { project_id: 1 }),
    `The forge refused the request: "Field 'trains' doesn't exist on type 'Project'". list_trains needs the Premium edition of the forge: that may be why.`
  )
})

t.test('an edition that one argument takes is said with that argument only', async t => {
  const { call, sent } = stage({ metadata: free, other: refuses(404) })
  t.notMatch(await call('list_pages', { project_id: 1 }), /edition/)
  t.match(await call('list_pages', { group_id: 7 }), /^list_pages with group_id needs the Premium edition/)
  t.notMatch(await call('list_pages', { project_id: 1 }), /edition/)
  t.same(sent, ['/projects/1/pages', '/groups/7/pages', '/metadata', '/projects/1/pages'])
})

t.test('what asks for secret values can be taken away', async t => {
  const open = stage({ metadata: paid, other: () => [] })
  t.equal(await open.call('list_values', { project_id: 1, include_values: true }), 'ok')
  t.ok(describeTool(values).inputSchema.properties?.include_values)

  const denied = stage({ metadata: paid, other: () => [] }, true)
  t.equal(
    await denied.call('list_values', { project_id: 1, include_values: true }),
    'include_values is not allowed: this server shows no secret values. Call without it.'
  )
  t.same(denied.sent, [])
  t.equal(await denied.call('list_values', { project_id: 1, include_values: false }), 'ok')
  const { inputSchema } = JSON.parse(denied.catalog.find('list_values')!.definition(new Set()))
  t.same(Object.keys(inputSchema.properties), ['project_id', 'group_id'], 'nor is it listed')
})
