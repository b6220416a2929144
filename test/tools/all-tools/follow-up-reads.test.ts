import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { Catalog } from '../../../src/catalog/catalog.ts'
import { LookupBudget } from '../../../src/engine/lookup-budget.ts'
import { PatternMatcher } from '../../../src/engine/patterns.ts'
import type { ToolRow } from '../../../src/engine/rows/row.ts'
import { toolsets } from '../../../tools/index.ts'
import { toolRunner } from '../../support/run-tool.ts'
import { sampleArguments } from '../../support/sample-arguments.ts'
import { ScriptedDispatcher, type SentRequest } from '../../support/scripted-dispatcher.ts'

/* Every tool that changes something, at a forge that answers no question any more once it has answered a change. */

/** Over GraphQL nothing is asked after a change but what is specified: the settings of the dependency proxy as they are. */
const rows = toolsets
  .flatMap(({ rows }) => rows)
  .filter(({ class: of, kind }) => of !== 'read' && kind !== 'graphql')
const catalog = new Catalog({ defaultProject: '1' })
for (const toolset of toolsets) catalog.add(toolset)
const patterns = new PatternMatcher()
t.teardown(() => patterns.close())

const sha = 'b'.repeat(40)
const record = {
  id: 1,
  iid: 1,
  name: 'Sample',
  username: 'Sample',
  title: 'Sample',
  state: 'opened',
  commit: { id: sha }
}

/** Answers to changes: one that is done, one that makes what there was none of, one of what is so, refusals. */
const statuses = [[201], [404, 201], [304], [400], [403], [409]]

const isChange = ({ method, path }: SentRequest): boolean => method !== 'GET' && !path.endsWith('/graphql')

/** Calls of a tool, each with one argument that it does not need, and one with all of them. */
const callsOf = ({ input }: ToolRow): Record<string, unknown>[] => {
  const names = Object.keys(input.properties)
  return [names, ...names.map(name => ['project_id', 'issue_iid', name])].map(some =>
    sampleArguments(input, some)
  )
}

/** @returns how many questions came after the change, of which none is answered */
async function unanswered({ name }: ToolRow, args: object, answers: readonly number[], lists: boolean) {
  let changes = 0
  let asked = 0
  const dispatcher = new ScriptedDispatcher(request => {
    if (isChange(request)) {
      const status = answers[Math.min(changes++, answers.length - 1)]!
      return { status, body: status === 201 ? record : { message: 'x' } }
    }
    if (changes > 0) asked++
    return changes > 0 ? 'silence' : { body: lists ? [record] : record }
  })
  const context = { lookups: new LookupBudget(1) }
  await toolRunner({ catalog, dispatcher, patterns, context })(name, args)
  return asked
}

t.test('no change that is answered waits for more than looks may take', async t => {
  const asking = new Set<string>()
  const waiting: string[] = []
  for (const row of rows) {
    const calls = callsOf(row).flatMap(args =>
      statuses.flatMap(answers => [true, false].map(lists => unanswered(row, args, answers, lists)))
    )
    // Only what would never end is given up.
    const asked = await Promise.race([Promise.all(calls), sleep(10_000, undefined, { ref: false })])
    if (asked === undefined) waiting.push(row.name)
    else if (asked.some(questions => questions > 0)) asking.add(row.name)
  }
  t.same(waiting, [])
  for (const name of [
    'create_release',
    'move_issue',
    'protect_branch',
    'rebase_merge_request',
    'remove_member',
    'set_variable',
    'star_project'
  ])
    t.ok(asking.has(name), `${name} has asked after its change`)
  t.ok(asking.size > 80, `${asking.size} tools have asked after their change`)
})
