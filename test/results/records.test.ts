import t from 'tap'
import { compact } from '../../src/results/compact.ts'
import { saidOnce } from '../../src/results/records/common.ts'
import { type RecordName, type RecordView, shownOf } from '../../src/results/records/index.ts'
import { startForge } from '../forge/index.ts'
import { cpuMsOf } from '../support/event-loop.ts'

type Fields = Record<string, unknown>

/** What the sandbox forge answers, which is as long as a real forge's: lists, and records that are got. */
const answers: readonly [path: string, record: RecordName, most: number][] = [
  ['/projects/acme%2Frocket/merge_requests?state=all', 'merge_request', 0.35],
  ['/projects/acme%2Frocket/issues', 'issue', 0.35],
  ['/projects/acme%2Frocket/pipelines/PIPELINE/jobs', 'job', 0.35],
  ['/projects/acme%2Frocket/merge_requests/DISCUSSED/discussions', 'discussion', 0.6],
  ['/projects/acme%2Frocket/merge_requests/1', 'merge_request', 0.6],
  ['/projects/acme%2Frocket/issues/1', 'issue', 0.6],
  ['/projects/acme%2Frocket/pipelines/PIPELINE', 'pipeline', 0.6]
]

/** Numbers by which things are named, as far as a caller cannot have them from elsewhere in the same answer. */
const isNaming = (name: string): boolean => /^(id|iid|sha|state|status)$|_sha$|_iid$/.test(name)
/** Said of a person or of each record of a list again, or by its older name; or of the version of a diff. */
const isElsewhere = (path: string): boolean =>
  /(author|user|assignee|assignees|reviewers|merged_by|merge_user|closed_by|resolved_by)\b/.test(path) ||
  /^(detailed_status|pipeline|merge_status)|noteable_|_links|position\.\w+_sha|^before_sha|commit\.|target_project_id/.test(
    path
  )

function* namesOf(value: unknown, path = ''): Generator<[string, unknown]> {
  if (Array.isArray(value)) for (const item of value) yield* namesOf(item, path)
  else if (typeof value === 'object' && value !== null)
    for (const [name, item] of Object.entries(value)) {
      const at = path === '' ? name : `${path}.${name}`
      if (typeof item === 'object') yield* namesOf(item, at)
      else if (isNaming(name)) yield [at, item]
    }
}

t.test('a record is shown without what says nothing, and with every id, number, sha and state', async t => {
  const forge = await startForge({ sample: true })
  t.teardown(() => forge.close())
  const get = async (path: string) => {
    const response = await fetch(`${forge.apiUrl}${path}`, {
      headers: { 'private-token': forge.tokens.ada! }
    })
    t.equal(response.status, 200, path)
    return await response.text()
  }
  const [{ id: pipeline }] = JSON.parse(await get('/projects/acme%2Frocket/pipelines'))
  const requests: Fields[] = JSON.parse(await get('/projects/acme%2Frocket/merge_requests?state=all'))
  const discussed = requests.find(({ user_notes_count: notes }) => Number(notes) > 1)?.iid
  for (const [template, record, most] of answers) {
    const path = template.replace('PIPELINE', pipeline).replace('DISCUSSED', String(discussed))
    const body = await get(path)
    const { value, common } = shownOf(record, 'get', JSON.parse(body))
    const shown = JSON.stringify([compact(value), common])
    t.ok(shown.length / body.length <= most, `${path}: ${shown.length} of ${body.length} characters`)
    const kept = new Set([...namesOf([value, common])].map(([name, item]) => `${name} ${item}`))
    const lost = [...namesOf(JSON.parse(body))]
      .filter(([name]) => !isElsewhere(name))
      .map(([name, item]) => `${name} ${item}`)
      .filter(named => !kept.has(named))
    t.same(lost, [], `${path} keeps all`)
  }
})

t.test('lists say where a comment is, and a comment by itself also in which version of the diff', async t => {
  const shas = { base_sha: 'b', start_sha: 's', head_sha: 'h' }
  const place = { new_path: 'a.ts', new_line: 7 }
  const position = () => ({ ...shas, ...place })
  const note = () => ({ id: 1, position: position() })
  const shown = (record: RecordName, value: unknown) => shownOf(record, 'get', value).value
  t.match(shown('discussion', [{ id: 'd', notes: [note()] }]), [{ notes: [{ id: 1, position: place }] }])
  for (const [record, value] of [
    ['discussion', [{ id: 'd', notes: [note()] }]],
    ['note', [note()]],
    ['draft_note', [note(), note()]]
  ] as const)
    t.notMatch(JSON.stringify(shown(record, value)), /_sha/, record)
  for (const record of ['note', 'draft_note'] as const)
    t.same(shown(record, note()), { id: 1, position: position() }, record)
})

t.test('a to-do says what it has of its target once, and keeps what is of a comment', async t => {
  const target = { iid: 7, title: 'Gauge', web_url: 'https://f/7' }
  const shown = (todo: object) => shownOf('todo', 'get', [{ id: 1, target, ...todo }]).value
  t.same(compact(shown({ target_url: target.web_url, body: target.title })), [{ id: 1, target }])
  const comment = { target_url: 'https://f/7#note_1', body: '@ada look' }
  t.match(shown(comment), [comment])
  t.match(shown({ target: null, target_url: 'https://f/8', body: 'x' }), [
    { target_url: 'https://f/8', body: 'x' }
  ])
})

t.test('what all records of a list share is said once, and a list of one keeps its own', async t => {
  const jobs = () => [
    { id: 1, pipeline: { id: 7 }, ref: 'main' },
    { id: 2, pipeline: { id: 7 }, ref: 'fix' }
  ]
  const several = jobs()
  t.same(saidOnce(several, ['pipeline', 'ref', 'user']), { pipeline: { id: 7 } })
  t.same(several, [
    { id: 1, ref: 'main' },
    { id: 2, ref: 'fix' }
  ])
  t.equal(saidOnce([jobs()[0]], ['pipeline']), undefined)
  t.equal(saidOnce([], ['pipeline']), undefined)
})

t.test('what they share and is long stays with them, to be cut', async t => {
  const jobs = () => [1, 2].map(id => ({ id, ref: 'r'.repeat(5_000), user: { username: 'ada' } }))
  const list = jobs()
  t.same(saidOnce(list, ['ref', 'user']), { user: { username: 'ada' } })
  t.match(list, [{ ref: /^r+$/ }, { ref: /^r+$/ }])
})

/** Fails where it is written as JSON. */
const unwritten = () => ({
  old_path: 'x'.repeat(20_000),
  toJSON() {
    throw new Error('was written')
  }
})

t.test('what they share and is long is not written to be compared', async t => {
  t.equal(saidOnce([{ user: unwritten() }, { user: unwritten() }], ['user']), undefined)
})

t.test('positions of a thread that are longer than any are not written to be compared', async t => {
  const notes = [1, 2].map(id => ({ id, position: unwritten() }))
  t.doesNotThrow(() => shownOf('discussion', 'list', { id: 'a', notes }))
})

t.test('a record with anything where words should be is shown as it is', async t => {
  const odd = { id: 'abc', title: { toString: 1 }, message: { toString: 1 } }
  t.match(shownOf('commit', 'get', odd).value, odd)
  t.match(shownOf('commit', 'get', { id: 'abc', title: 't', message: 't\n' }).value, {
    id: 'abc',
    title: 't'
  })
})

t.test('an answer in a thread does not say again where the thread stands', async t => {
  const position = { new_path: 'a.ts', new_line: 3, position_type: 'text' }
  const thread = {
    id: 'x',
    notes: [
      { id: 1, position: { ...position } },
      { id: 2, position: { ...position } }
    ]
  }
  t.same(shownOf('discussion', 'get', thread).value, {
    id: 'x',
    notes: [{ id: 1, position: { new_path: 'a.ts', new_line: 3 } }, { id: 2 }]
  })
})

t.test('a write answers with what it made and where to see it', async t => {
  const view: RecordView = 'write'
  const shown = shownOf('issue', view, { id: 1, iid: 2, title: 'T', description: 'long', web_url: 'u' }).value
  t.same(shown as Fields, { id: 1, iid: 2, title: 'T', web_url: 'u' })
})

const approvalRule = (users: unknown, eligible_approvers: unknown): Fields => {
  const { value } = shownOf('approval_state', 'get', { rules: [{ users, eligible_approvers }] })
  return (value as { rules: Fields[] }).rules[0]!
}

t.test(
  'the users of an approval rule are left out where they are all who may approve, in any order',
  async t => {
    const [ada, bob] = [{ id: 9 }, { id: 10 }]
    t.equal(approvalRule([ada, bob], [bob, ada]).users, undefined)
    t.same(approvalRule([ada], [ada, bob]).users, [ada])
    t.same(approvalRule([{ id: [9] }], [{ id: [9] }]).users, [{ id: [9] }], 'what is no id is not compared')
  }
)

t.test('very many people of a rule, with lists for ids, cost no more than to look at them', async t => {
  const idOf = (at: number) => Array.from({ length: 17 }, () => ((at * 7_919) % 5_000) / 7)
  const people = Array.from({ length: 5_000 }, (_, at) => ({ id: idOf(at) }))
  const took = await cpuMsOf(() => approvalRule(people, people))
  t.ok(took < 100, `${took} ms`)
})
