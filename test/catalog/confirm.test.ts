import t from 'tap'
import { confirmable, consentStep } from '../../src/engine/consent/consent.ts'
import { toolsets } from '../../tools/index.ts'

const rows = toolsets.flatMap(({ rows }) => rows)
const namesOf = (some: typeof rows): string[] => some.map(({ name }) => name)
const destructive = rows.filter(row => row.class === 'destructive')

t.test('a person is told the name of whatever is destroyed by its number', async t => {
  const byName = destructive.filter(({ confirm, subject }) => confirm === undefined && subject === undefined)
  const named = [
    'delete_branch',
    'delete_issue_link',
    'delete_label',
    'delete_release',
    'delete_tag',
    'delete_variable',
    'delete_wiki_page',
    'purge_dependency_proxy_cache',
    'unprotect_branch'
  ]
  t.same(
    byName.map(({ name }) => name).sort(),
    named,
    'each row has confirm or subject, but for these, which take the name of what they destroy'
  )
})

t.test('only what destroys is said to be undone in some way', async t => {
  t.same(
    rows.filter(row => row.undo !== undefined && row.class !== 'destructive').map(({ name }) => name),
    []
  )
})

t.test('a policy asks of its own classes alone, and each of those takes confirm', async t => {
  const classes = { off: [], destructive: ['destructive'], writes: ['write', 'destructive'] } as const
  for (const [policy, asked] of Object.entries(classes) as [keyof typeof classes, readonly string[]][]) {
    const isAsked = rows.filter(row => asked.includes(row.class))
    t.same(namesOf(rows.filter(row => consentStep(row, policy) !== undefined)), namesOf(isAsked), policy)
    const takes = isAsked.filter(row => 'confirm' in confirmable(row, policy).input.properties)
    t.same(namesOf(takes), namesOf(isAsked), policy)
    const changed = rows.filter(row => confirmable(row, policy) !== row)
    t.same(namesOf(changed.filter(row => !isAsked.includes(row))), [], policy)
  }
})
