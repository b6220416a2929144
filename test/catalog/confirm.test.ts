import t from 'tap'
import { confirmable, consentStep } from '../../src/engine/consent.ts'
import { toolsets } from '../../tools/index.ts'

const rows = toolsets.flatMap(({ rows }) => rows)
const destructive = rows.filter(row => row.class === 'destructive')

t.test('a person is told the name of whatever is destroyed by its number', async t => {
  const byName = destructive.filter(({ confirm, subject }) => confirm === undefined && subject === undefined)
  t.same(byName.map(({ name }) => name).sort(), [
    'delete_branch',
    'delete_issue_link',
    'delete_label',
    'delete_release',
    'delete_tag',
    'delete_variable',
    'delete_wiki_page',
    'purge_dependency_proxy_cache',
    'unprotect_branch'
  ])
})

t.test('only what destroys is said to be undone in some way', async t => {
  t.same(
    rows.filter(row => row.undo !== undefined && row.class !== 'destructive').map(({ name }) => name),
    []
  )
})

t.test('a policy asks of its own classes alone, and each of those takes confirm', async t => {
  for (const row of rows) {
    const asked = { off: false, destructive: row.class === 'destructive', writes: row.class !== 'read' }
    for (const [policy, isAsked] of Object.entries(asked) as [keyof typeof asked, boolean][]) {
      t.equal(consentStep(row, policy) !== undefined, isAsked, `${row.name} ${policy}`)
      const offered = confirmable(row, policy)
      if (isAsked) t.ok('confirm' in offered.input.properties, row.name)
      else t.equal(offered, row)
    }
  }
})
