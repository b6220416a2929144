import t from 'tap'
import { emptiedStep } from '../../../src/engine/arguments/emptied.ts'
import { toolsets } from '../../../tools/index.ts'

/** What is said of arguments of a list that were empty texts. */
function saidOf(name: string, emptied: string[], args = {}): readonly string[] | undefined {
  const row = toolsets.flatMap(({ rows }) => rows).find(one => one.name === name)!
  return emptiedStep(row)?.({ emptied, nulls: [] }, args)
}

t.test('a place that is empty is told where the list is of all places', async t => {
  const told = ['project_id was empty and filters nothing.']
  for (const name of ['list_issues', 'list_merge_requests', 'search', 'list_events'])
    t.same(saidOf(name, ['project_id']), told, name)
  t.same(saidOf('list_issues', ['project_id', 'labels']), [
    'project_id and labels were empty and filter nothing.'
  ])
})

t.test('beside a place that is given, or the default, one that is empty is not told', async t => {
  const args = { project_id: 'acme/rocket' }
  t.same(saidOf('list_work_items', ['group_id'], args), [])
  t.same(saidOf('list_issues', ['group_id', 'labels'], args), ['labels was empty and filters nothing.'])
})

t.test('a date called after is a filter, and a cursor of that name is none', async t => {
  t.same(saidOf('list_events', ['after']), ['after was empty and filters nothing.'])
  t.same(saidOf('list_work_items', ['after']), [])
})
