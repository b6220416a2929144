import t from 'tap'
import { emptiedStep } from '../../../src/engine/arguments/emptied.ts'
import { issues } from '../../../tools/issues/index.ts'
import { projects } from '../../../tools/projects/index.ts'
import { workItems } from '../../../tools/work-items/index.ts'

/** What is said of arguments of a list that were empty texts. */
function saidOf(name: string, places: readonly string[]): readonly string[] | undefined {
  const row = [...issues.rows, ...projects.rows, ...workItems.rows].find(one => one.name === name)!
  return emptiedStep(row)?.(places)
}

t.test('a place that is empty is none of the filters that are told', async t => {
  t.same(saidOf('list_issues', ['project_id', 'labels']), ['labels was empty and filters nothing.'])
  t.same(saidOf('list_issues', ['project_id']), [])
  t.same(saidOf('list_work_items', ['group_id']), [])
})

t.test('a date called after is a filter, and a cursor of that name is none', async t => {
  t.same(saidOf('list_events', ['after']), ['after was empty and filters nothing.'])
  t.same(saidOf('list_work_items', ['after']), [])
})
