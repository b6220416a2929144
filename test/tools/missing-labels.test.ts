import { issues } from '../../tools/issues/index.ts'
import { mergeRequests } from '../../tools/merge-requests/index.ts'
import { story } from '../support/sandbox-tools.ts'

story('an empty list says which of its labels does not exist', [issues, mergeRequests], async (t, as) => {
  const notices = async (tool: string, args: object) =>
    (await as('ada')(tool, { project_id: 'acme/rocket', ...args })).notices
  const all = { scope: 'all' }
  t.match(await notices('list_issues', { ...all, labels: ['bugs'] }), [
    /no label "bugs": did you mean "bug"\?/
  ])
  t.match(await notices('list_merge_requests', { ...all, labels: 'No label' }), [
    /no label "No label": list_labels has those there are\. labels=None/
  ])
  t.match(await notices('my_issues', { labels: ['zebra'] }), [/no label "zebra"/])
  t.same(await notices('list_issues', { ...all, labels: ['security', 'hardware'] }), [], 'both exist')
  const none = await as('ada')('list_issues', { project_id: 'acme/rocket', ...all, labels: 'none' })
  t.same(none.notices, [])
  t.ok(none.value.length > 0, 'none is no label')
  t.match((await as('ada')('list_issues', { group_id: 'acme', ...all, labels: 'customers' })).notices, [
    /no label "customers": did you mean "customer"/
  ])
})
