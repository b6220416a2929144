import t from 'tap'
import { Type } from 'typebox'
import { meantName } from '../../../src/engine/arguments/name-meant.ts'
import { argumentReader } from '../../support/argument-reader.ts'

const read = argumentReader(
  Type.Object({
    project_id: Type.String(),
    merge_request_iid: Type.Optional(Type.String()),
    body: Type.Optional(Type.String()),
    message: Type.Optional(Type.String()),
    comments: Type.Optional(Type.Array(Type.Object({ path: Type.String(), side: side() }))),
    verdict: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['approve', 'request_changes'] }))
  })
)

function side() {
  return Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['new', 'old'] }))
}

t.test('a name that other tools have for an argument is taken for it, at every depth', t => {
  t.same(read({ project_id: '1', iid: 7, comment: 'x', comments: [{ file_path: 'a.ts', side: 'RIGHT' }] }), {
    project_id: '1',
    merge_request_iid: '7',
    body: 'x',
    comments: [{ path: 'a.ts', side: 'new' }]
  })
  t.same(read({ project_id: '1', event: 'APPROVE' }), { project_id: '1', verdict: 'approve' })
  t.same(read({ project_id: '1', event: 'changes_requested' }), {
    project_id: '1',
    verdict: 'request_changes'
  })
  t.end()
})

t.test('a variable has a key, a schedule a zone, and commits a ref', t => {
  const texts = (...names: string[]) =>
    argumentReader(Type.Object(Object.fromEntries(names.map(name => [name, Type.Optional(Type.String())]))))
  t.same(texts('job_variables_attributes')({ variables: '1' }), { job_variables_attributes: '1' })
  t.same(texts('key', 'value')({ name: 'DEEP', value: '1' }), { key: 'DEEP', value: '1' })
  t.same(texts('name', 'key')({ name: 'DEEP' }), { name: 'DEEP' })
  t.same(texts('cron', 'cron_timezone')({ timezone: 'Europe/Berlin' }), { cron_timezone: 'Europe/Berlin' })
  t.same(texts('ref', 'path')({ ref_name: 'main' }), { ref: 'main' })
  t.same(texts('start_line', 'end_line')({ range_start: '1', range_end: '2' }), {
    start_line: '1',
    end_line: '2'
  })
  t.end()
})

t.test('a neighbour’s name for the same thing is taken: pages, orders, searches, comments, tags', t => {
  const has =
    (...names: string[]) =>
    (name: string) =>
      names.includes(name)
  const faults = [
    ['first', 'per_page', 'page'],
    ['count', 'first', 'after'],
    ['page_number', 'page', 'per_page'],
    ['next_page_token', 'page_token'],
    ['end_cursor', 'after', 'first'],
    ['sort_by', 'order_by', 'sort'],
    ['sort_order', 'sort', 'order_by'],
    ['search_term', 'search'],
    ['term', 'query'],
    ['comment_id', 'note_id', 'body'],
    ['draft_id', 'draft_note_id', 'note'],
    ['from_branch', 'from', 'to'],
    ['to_branch', 'to', 'from'],
    ['reaction_id', 'award_id'],
    ['description', 'body'],
    ['body', 'message', 'tag_name', 'ref'],
    ['note', 'comment', 'state'],
    ['tag_name', 'ref', 'path'],
    ['branch_name', 'branch', 'ref'],
    ['base_branch', 'start_branch', 'branch'],
    ['commit_hash', 'sha'],
    ['file_path', 'artifact_path', 'job_id'],
    ['filepath', 'path', 'filename'],
    ['created_after', 'since'],
    ['updated_since', 'updated_after'],
    ['pr_number', 'merge_request_iid'],
    ['build_id', 'job_id'],
    ['created_by', 'author_username', 'author_id'],
    ['login', 'username'],
    ['username', 'user'],
    ['label_names', 'labels'],
    ['deadline', 'due_date'],
    ['due_on', 'due_date'],
    ['from', 'ref', 'branch'],
    ['target_commitish', 'ref', 'tag_name']
  ].filter(([other = '', own, ...rest]) => meantName(other, has(own!, ...rest)) !== own)
  t.same(faults, [])
  t.equal(
    meantName('label_names', has('labels', 'add_labels')),
    undefined,
    'of a change, labels replaces all'
  )
  t.end()
})

t.test('a name that may mean an id, or something else, is asked about', t => {
  const asks = (other: string, own: string) => {
    const read = argumentReader(Type.Object({ [own]: Type.Optional(Type.String()) }))
    t.throws(() => read({ [other]: '1' }), { message: new RegExp(`"${other}", did you mean "${own}"`) })
  }
  asks('mr', 'merge_request_iid')
  asks('pull_request', 'merge_request_iid')
  asks('commit_sha', 'ref')
  asks('branch_name', 'ref')
  asks('base_branch', 'ref')
  asks('emoji', 'name')
  asks('private', 'visibility')
  asks('state_reason', 'state_event')
  t.end()
})

t.test('of a range whose last line has the name of its first here it is told which is which', t => {
  const line = Type.Optional(Type.Integer())
  const range = argumentReader(Type.Object({ line, end_line: line }))
  t.throws(() => range({ start_line: 4, line: 6 }), {
    message:
      'Invalid arguments: unknown argument "start_line", line is the first line here, and end_line the last.'
  })
  t.same(range({ start_line: 4, end_line: 6 }), { line: 4, end_line: 6 })
  t.end()
})

t.test('it is not where the argument itself is given, where two fit, or where the tool has the name', t => {
  t.throws(() => read({ project_id: '1', iid: 7, merge_request_iid: 8 }), /unknown argument "iid"/)
  t.same(read({ project_id: '1', message: 'm' }), { project_id: '1', message: 'm' })
  const two = argumentReader(
    Type.Object({ merge_request_iid: Type.String(), issue_iid: Type.Optional(Type.String()) })
  )
  t.throws(() => two({ iid: 7 }), /unknown argument "iid"/)
  t.end()
})

t.test('two values of one argument under other names are refused, and neither is lost', t => {
  const both = (names: string) => ({ message: `Invalid arguments: ${names}: give one.` })
  const all = { project_id: '1' }
  t.throws(() => read({ ...all, comment: 'a', note: 'b' }), both('comment and note both stand for body'))
  t.throws(() => read({ ...all, iid: 1, number: 2 }), both('iid and number both stand for merge_request_iid'))
  t.throws(
    () => read({ ...all, comments: [{ file: 'a.ts', new_path: 'b.ts' }] }),
    both('comments.0.file and comments.0.new_path both stand for path')
  )
  t.end()
})

t.test('what is equal, null or empty is no second value', t => {
  const all = { project_id: '1' }
  t.same(read({ ...all, iid: 7, number: '7' }), { ...all, merge_request_iid: '7' })
  for (const other of [null, ''])
    for (const given of [
      { comment: 'a', note: other },
      { comment: other, note: 'a' }
    ])
      t.same(read({ ...all, ...given }), { ...all, body: 'a' }, JSON.stringify(given))
  t.same(read({ ...all, body: null, note: 'a' }), { ...all, body: 'a' }, 'nor is null under its own name')
  const change = argumentReader(Type.Object({ assignee_ids: Type.Optional(Type.Array(Type.String())) }))
  t.throws(() => change({ assignee: 'ada', assignees: [] }), /both stand for assignee_ids/)
  t.end()
})

t.test('an empty text counts as absent under another name as under the tool’s own', t => {
  const texts = (reads: boolean, ...names: string[]) =>
    argumentReader(
      Type.Object(Object.fromEntries(names.map(name => [name, Type.Optional(Type.String())]))),
      reads
    )
  t.same(texts(true, 'ref')({ branch: '' }), {})
  t.same(texts(true, 'username')({ user: '' }), {})
  t.same(texts(true, 'source_branch', 'target_branch')({ head: '', base: '' }), {})
  t.same(texts(false, 'discussion_id')({ thread_id: '' }), {})
  t.end()
})

t.test('who, which state and which branch are taken by the names that other forges have for them', t => {
  const change = argumentReader(
    Type.Object({
      assignee_ids: Type.Optional(Type.Array(Type.String(), { separable: true })),
      state_event: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['close', 'reopen'] }))
    })
  )
  t.same(change({ assignee: 'ada', state: 'closed' }), { assignee_ids: ['ada'], state_event: 'close' })
  const list = argumentReader(
    Type.Object({
      assignee_id: Type.Optional(Type.String()),
      assignee_username: Type.Optional(Type.String())
    })
  )
  t.same(list({ assignee: 'ada' }), { assignee_username: 'ada' })
  const wait = argumentReader(Type.Object({ ref: Type.Optional(Type.String()) }))
  t.same(wait({ branch: 'main' }), { ref: 'main' })
  t.end()
})

t.test('a day due, a span of commits and a merge to come are taken by their shorter names', t => {
  const texts = (...names: string[]) =>
    argumentReader(Type.Object(Object.fromEntries(names.map(name => [name, Type.Optional(Type.String())]))))
  t.same(texts('start_date', 'due_date')({ start: 'a', due: 'b' }), { start_date: 'a', due_date: 'b' })
  t.same(texts('since', 'until')({ after: 'a', before: 'b' }), { since: 'a', until: 'b' })
  t.same(texts('auto_merge')({ when_pipeline_succeeds: 'true' }), { auto_merge: 'true' })
  t.end()
})

t.test(
  'pages, orders, files and the key of a hook are taken by the names that other servers have for them',
  t => {
    const texts = (...names: string[]) =>
      argumentReader(Type.Object(Object.fromEntries(names.map(name => [name, Type.Optional(Type.String())]))))
    t.same(texts('per_page')({ page_size: '2' }), { per_page: '2' })
    t.same(texts('sort')({ direction: 'asc' }), { sort: 'asc' })
    t.same(texts('first', 'after')({ page_size: '2', cursor: 'x' }), { first: '2', after: 'x' })
    t.same(texts('reviewer_username', 'reviewer_id')({ review_requested: 'ada' }), {
      reviewer_username: 'ada'
    })
    t.same(texts('assignee_username', 'assignee_id')({ assignees: 'ada' }), { assignee_username: 'ada' })
    t.same(texts('token', 'url')({ secret: 's' }), { token: 's' })
    t.same(texts('severity')({ severities: 'high' }), { severity: 'high' })
    t.same(texts('file_paths')({ path: 'a.ts' }), { file_paths: 'a.ts' })
    t.same(texts('paths')({ path: 'a.ts' }), { paths: 'a.ts' })
    t.end()
  }
)

t.test('an offset or cursor is not taken for the number of a page, which is told', t => {
  const pages = argumentReader(Type.Object({ page: Type.Optional(Type.Integer()) }))
  for (const name of ['offset', 'cursor'])
    t.throws(
      () => pages({ [name]: 20 }),
      `Invalid arguments: unknown argument "${name}", did you mean "page"?`
    )
  t.end()
})

t.test('an owner is told to be a part of the project’s path', t => {
  t.throws(() => read({ owner: 'acme', repo: 'rocket' }), {
    message:
      /unknown argument "owner", project_id has owner and repo in one: "owner\/repo"; unknown argument "repo", did/
  })
  t.end()
})

t.test('what headers mirror has one name, by which gateways police it', t => {
  for (const name of ['project', 'project_path', 'repo', 'id'])
    t.throws(() => read({ [name]: 'acme/rocket' }), /project_id is required/)
  t.end()
})

t.test('a label is the only one of a filter, and never in place of all that something has', t => {
  const labels = Type.Optional(Type.Array(Type.String(), { separable: true }))
  t.same(argumentReader(Type.Object({ labels }))({ label: 'bug' }), { labels: ['bug'] })
  const change = argumentReader(Type.Object({ labels, add_labels: labels }))
  t.throws(() => change({ label: 'bug' }), /unknown argument "label", did you mean "add_labels"\?/)
  t.end()
})

t.test('a name is not written anew that is longer than any, or of more words', t => {
  const asked: string[] = []
  const has = (name: string) => asked.push(name) === 0
  meantName('mRequest'.padEnd(61, 'x'), has)
  meantName(`m${'Rq'.repeat(8)}`, has)
  t.same(asked, [])
  meantName(`m${'Rq'.repeat(7)}`, has)
  t.match(asked, [/^m_rq_rq/])
  t.end()
})

t.test('an id is asked to be that of the thing, before its place, and never that of what it refers to', t => {
  const asks = (required: string[], optional: string[], given: object) => {
    const fields = [
      ...required.map(name => [name, Type.String()]),
      ...optional.map(name => [name, Type.Optional(Type.String())])
    ]
    try {
      argumentReader(Type.Object(Object.fromEntries(fields)))({ ...given, id: 303 })
    } catch (error) {
      return /unknown argument "id", (did you mean [^;]*\?)/.exec(String(error))?.[1]
    }
  }
  const place = { project_id: '1' }
  const ofNumber = (name: string, where: string) =>
    `did you mean "${name}" (the number in ${where}, not the id)?`
  const request = ofNumber('merge_request_iid', 'the project')
  t.equal(asks(['project_id', 'merge_request_iid'], [], {}), request)
  t.equal(asks(['project_id'], ['merge_request_iid', 'milestone_id'], place), request)
  t.equal(asks(['iid'], ['project_id', 'group_id'], place), ofNumber('iid', 'the project or group'))
  t.equal(asks(['slug'], ['project_id', 'group_id'], place), 'did you mean "slug"?')
  t.equal(asks(['label'], ['project_id', 'group_id'], place), 'did you mean "label"?')
  t.equal(asks(['project_id', 'draft_note_id'], [], {}), 'did you mean "draft_note_id"?')
  t.equal(asks([], ['project_id', 'author_id'], {}), 'did you mean "project_id"?')
  t.equal(asks(['project_id', 'title'], ['milestone_id'], place), undefined, 'what it only refers to')
  t.end()
})
