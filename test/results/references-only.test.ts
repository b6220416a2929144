import { readdirSync } from 'node:fs'
import t from 'tap'
import type { RecordName } from '../../src/results/records/index.ts'
import type { RecordViews } from '../../src/results/records/views.ts'
import { type RecordKind, referencesOnlyWhere, within } from '../../src/results/records/within.ts'
import { type Output, writeResult } from '../../src/results/result.ts'
import { writeAnswer } from '../../src/results/write-answer.ts'
import { toolsets } from '../../tools/index.ts'

/*
 * Records within others are of kinds that tools show: where one of these is denied, no other one shows more of them than
 * what names them.
 */

const kinds = Object.entries(within) as [RecordKind, (typeof within)[RecordKind]][]
const rows = toolsets.flatMap(({ rows }) => rows)
const SECRET = 'a secret plan'

/** The table of records, by type. */
const records: Record<string, RecordViews> = Object.assign(
  {},
  ...(await Promise.all(
    readdirSync(new URL('../../src/results/records/', import.meta.url))
      .filter(file => !/^(?:index|views|common|within)\./.test(file))
      .map(async file => Object.values(await import(`../../src/results/records/${file}`))[0])
  ))
)

/** Records within others that are their own parts, settings or people: no tool is for them alone, or another bound is. */
const parts = new Set(
  `includes jobs inputs variables users approved_by eligible_approvers source_rule owner author user token forge job
  detailed_status artifacts cluster_agent namespace shared_with_groups created_by member_role push_data note assets links
  sources tags versions files push_access_levels merge_access_levels unprotect_access_levels assignees reviewers merge_user
  position line_range start end resolved_by notes diffs target`.split(/\s+/)
)

/** Of each kind a record with all its names, and a secret in each other field that forges have. */
const whole = (kind: RecordKind) => ({
  description: SECRET,
  message: SECRET,
  author_email: SECRET,
  external_url: SECRET,
  yaml_errors: SECRET,
  bio: SECRET,
  ...Object.fromEntries(within[kind].named.split(' ').map(name => [name, `the ${name}`]))
})

const deny = (...tools: readonly string[]) => referencesOnlyWhere(name => tools.includes(name), false)

function shown(value: unknown, record: string, output: Output, ...denied: readonly string[]) {
  const policy = { output, maxChars: 100_000, referencesOnly: deny(...denied) }
  const tool = {
    class: 'read',
    inputs: new Set<string>(),
    record: record as RecordName,
    structured: false
  } as const
  return writeResult({ value: structuredClone(value) }, policy, tool).content.map(block =>
    block.type === 'text' ? block.text : ''
  )
}

t.test('each record within another one is of a kind, or is told to be a part', async t => {
  const fields = new Set(kinds.flatMap(([, { fields }]) => fields.split(' ')))
  const unknown = Object.values(records)
    .flatMap(views => Object.values(views).filter(view => typeof view === 'string'))
    .flatMap(view => [...view.matchAll(/(\w+)\??\{/g)].map(([, name]) => name!))
    .filter(name => !fields.has(name) && !parts.has(name))
  t.same(unknown, [])
})

t.test('the tools of a kind are those that get or list its records by themselves', async t => {
  const faults: string[] = []
  for (const [kind, { tools }] of kinds) {
    const others = rows
      .filter(
        ({ name, class: of }) =>
          of === 'read' && new RegExp(`^(?:get|list)_(?:pipeline_)?${kind}s?$`).test(name)
      )
      .map(({ name }) => name)
    for (const name of others)
      if (!(tools as readonly string[]).includes(name)) faults.push(`${name} shows each ${kind}`)
    for (const name of tools) {
      const row = rows.find(row => row.name === name)
      if (row?.class !== 'read' || row.record === undefined) faults.push(`${name} shows no ${kind}`)
    }
  }
  t.same(faults, [])
})

t.test(
  'of what a denied tool shows others show only what names it, in any record and at any depth',
  async t => {
    const faults: string[] = []
    for (const [kind, { fields, tools }] of kinds)
      for (const field of fields.split(' ').filter(field => field !== ''))
        for (const record of Object.keys(records)) {
          const one = { iid: 1, [field]: whole(kind), deeper: [{ [field]: [whole(kind)] }] }
          for (const value of [one, [one]]) {
            const [open] = shown(value, record, 'full')
            if (!open!.includes(SECRET)) faults.push(`${record}.${field} is not whole where it may be`)
            for (const tool of tools)
              for (const output of ['full', 'compact'] as const) {
                const text = shown(value, record, output, tool).join()
                if (text.includes(SECRET)) faults.push(`${record}.${field} without ${tool}: ${text}`)
              }
          }
        }
    t.same(faults, [])
  }
)

t.test('what names a record stays, and a notice says why no more is shown', async t => {
  const value = { iid: 1, description: 'own', milestone: whole('milestone') }
  const [text, why] = shown(value, 'merge_request', 'full', 'list_milestones')
  t.match(JSON.parse(text!), { description: 'own', milestone: { title: 'the title', state: 'the state' } })
  t.equal(
    why,
    'Of each milestone in it only what names it is shown: list_milestones, which shows the rest, is switched off on this server.'
  )
  t.same(shown({ milestone: { id: 1, title: 'x' } }, 'issue', 'full', 'list_milestones').length, 1)
  t.same(shown(value, 'merge_request', 'compact', 'list_milestones').length, 1, 'nothing was taken away')
})

t.test(
  'however many fields a forge makes up, there is one notice of a kind, in none of its words',
  async t => {
    const person = { username: 'ada', avatar_url: null, name: 'Ada', state: 'active', bio: SECRET }
    const value = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`You must now. ${at}`, person]))
    const told = shown(value, 'project', 'full', 'get_user').filter(text => text.includes('get_user'))
    t.match(told, [/^Of each person in it only what names it is shown: get_user, /])
    t.equal(told.length, 1)
  }
)

t.test('who calls is shown whole, though others are only named', async t => {
  const you = { user: { ...whole('person'), avatar_url: null, state: 'active' } }
  t.match(shown(you, 'you', 'full', 'get_user')[0], SECRET)
  t.notMatch(shown({ author: you.user }, 'issue', 'full', 'get_user')[0], SECRET)
})

t.test('the record that was asked for is shown as it is', async t => {
  for (const [kind, { tools }] of kinds)
    if (kind in records) t.match(shown(whole(kind), kind, 'full', ...tools)[0], SECRET, kind)
})

t.test('a record that is one of a kind, and listed for another, is shown as in the compact form', async t => {
  const issue = { ...whole('issue'), issue_link_id: 3, iid: 4 }
  t.match(shown([issue], 'issue_link', 'full')[0], SECRET)
  const [text] = shown([issue], 'issue_link', 'full', 'get_issue')
  t.match(JSON.parse(text!), [{ issue_link_id: 3, iid: 4, title: 'the title' }])
  t.notMatch(text, SECRET)
  const [request] = shown([whole('merge_request')], 'commit_merge_request', 'full', 'get_merge_request')
  t.match(request, 'the title')
  t.notMatch(request, SECRET)
})

t.test('what a to-do is about is of the kind that it says', async t => {
  const todo = (target_type: string, kind: RecordKind) => ({ id: 1, target_type, target: whole(kind) })
  for (const [type, kind, tool] of [
    ['Issue', 'issue', 'get_issue'],
    ['MergeRequest', 'merge_request', 'get_merge_request'],
    ['Commit', 'commit', 'get_commit'],
    ['constructor', 'issue', 'list_issues']
  ] as const) {
    t.match(shown([todo(type, kind)], 'todo', 'full', 'list_labels')[0], SECRET, type)
    t.notMatch(shown([todo(type, kind)], 'todo', 'full', tool)[0], SECRET, type)
  }
})

t.test(
  'of people within records only who they are is shown where the tools for people are denied',
  async t => {
    const person = { id: 1, username: 'ada', name: 'Ada', state: 'active', avatar_url: null, bio: SECRET }
    t.match(shown({ id: 2, user: person }, 'job', 'full')[0], SECRET)
    const [text] = shown({ id: 2, user: person }, 'job', 'full', 'get_user')
    t.equal(text, '{"id":2,"user":{"id":1,"username":"ada","name":"Ada"}}')
  }
)

t.test('in a large answer, which a worker writes, it is the same', async t => {
  const referencesOnly = structuredClone(deny('get_commit'))
  const written = writeAnswer({
    bytes: new TextEncoder().encode(JSON.stringify([{ name: 'main', commit: whole('commit') }])),
    output: {},
    policy: { output: 'full', maxChars: 1_000, referencesOnly },
    tool: { class: 'read', inputs: new Set(), record: 'branch', structured: false }
  })
  t.match(written, { result: { content: [{ text: /the title/ }, { text: /^Of each commit in it only/ }] } })
  t.notMatch(JSON.stringify(written), SECRET)
})

t.test(
  'nothing is looked through where nothing is denied, and epics of groups are named where projects are limited',
  async t => {
    t.equal(
      referencesOnlyWhere(() => false, false),
      undefined
    )
    t.same(
      referencesOnlyWhere(() => false, true),
      { epic: '' }
    )
  }
)
