import { toolsets } from '../../../tools/index.ts'
import type { Call } from '../../support/sandbox-tools.ts'
import { story } from '../../support/sandbox-tools.ts'

const rocket = { project_id: 'acme/rocket' }
const archive = (as: (name: string) => Call) =>
  as('margaret')('update_project', { ...rocket, archived: true })
const isArchived =
  '"acme/rocket" is archived, and takes no such change: who owns it opens it again, as by update_project with archived=false.'
const why = `The forge answered 403 Forbidden. ${isArchived}`

for (const [tool, args] of [
  ['create_issue', { title: 'Late' }],
  ['create_wiki_page', { title: 'Late', content: 'x' }],
  [
    'commit_files',
    { branch: 'main', commit_message: 'x', actions: [{ action: 'create', file_path: 'x', content: 'x' }] }
  ]
] as const)
  story(
    `a refused ${tool} says that the project is archived, and nothing of rights`,
    toolsets,
    async (t, as) => {
      await archive(as)
      t.equal((await as('ada')(tool, { ...rocket, ...args })).error, why)
    }
  )

for (const [tool, args] of [
  ['create_work_item', { type: 'task', title: 'Late' }],
  ['update_work_item', { iid: '1', title: 'Late' }],
  ['create_work_item_note', { iid: '1', body: 'Late' }]
] as const)
  story(
    `a refused ${tool}, of which GraphQL says that it may not be there, says that the project is archived`,
    toolsets,
    async (t, as) => {
      await archive(as)
      const { error = '' } = await as('margaret')(tool, { ...rocket, ...args })
      t.match(error, /^The forge refused the request: ".*permission.*"\. /)
      t.ok(error.endsWith(`. ${isArchived}`), error)
    }
  )

story('several changes of an archived project are told of it once', toolsets, async (t, as) => {
  await archive(as)
  const issues = ['1', '2'].map(issue_iid => ({ issue_iid, title: 'x' }))
  t.equal(
    (await as('ada')('update_issues', { ...rocket, issues })).error,
    `Nothing was done. issues.0 (#1), issues.1 (#2): ${why}`
  )
})

story('who may not open an archived project is told of rights', toolsets, async (t, as) => {
  await archive(as)
  t.match(
    (await as('ada')('update_project', { ...rocket, archived: false })).error,
    /archived the Owner role/
  )
})
