import { mergeRequests } from '../../../tools/merge-requests/index.ts'
import { story } from '../../support/sandbox-tools.ts'
import { runTable } from '../../support/tool-table.ts'

const gauge = { project_id: 'acme/rocket', merge_request_iid: '3' }

interface Note {
  body: string
  resolved?: boolean
  position?: { new_path: string; new_line?: number; old_line?: number }
}
const notesIn = (discussions: { notes: Note[] }[]) => discussions.flatMap(({ notes }) => notes)

story(
  'a review is given in one call: lines, answers, a summary and the approval',
  [mergeRequests],
  async (t, as) => {
    const ada = as('ada')
    const before = (await ada('review_merge_request', gauge)).value
    const { sha } = before.merge_request
    const [open] = before.unresolved_threads
    const { value, notices, error } = await ada('submit_review', {
      ...gauge,
      sha,
      comments: [
        { path: 'src/dashboard.ts', line: 3, body: 'Say what unit.' },
        { path: 'src/engine.ts', line: 15, end_line: 16, body: 'Round at the end.' }
      ],
      replies: [{ discussion_id: open.discussion_id, body: 'Done, thanks.', resolve: true }],
      summary: 'Good work.',
      verdict: 'approve'
    })
    t.equal(error, undefined)
    const { on, ...rest } = value
    t.same(rest, { published: 4, threads_resolved: 1, approved: true, approvals_left: 0 })
    t.match(
      on,
      [
        { path: 'src/dashboard.ts', line: 3, code: /^\+/ },
        { path: 'src/engine.ts', line: 15, end_line: 16, code: /^[+ ]/ }
      ],
      'each comment is shown with the line that it stands on'
    )
    t.same(notices, [])
    const notes = notesIn((await ada('mr_discussions', gauge)).value)
    const said = (body: string) => notes.find(note => note.body === body)
    t.match(said('Say what unit.'), { position: { new_path: 'src/dashboard.ts', new_line: 3 } })
    t.match(said('Round at the end.'), { position: { new_path: 'src/engine.ts', new_line: 16 } })
    t.ok(said('Done, thanks.') && said('Good work.'))
    const after = (await ada('review_merge_request', gauge)).value
    t.notOk(
      after.unresolved_threads.some(
        ({ discussion_id }: { discussion_id: string }) => discussion_id === open.discussion_id
      )
    )
    t.same((await ada('list_draft_notes', gauge)).value, [])
  }
)

story('what can be refused is, before anything is published', [mergeRequests], async (t, as) => {
  const ada = as('ada')
  const count = async () => notesIn((await ada('mr_discussions', gauge)).value).length
  const before = await count()
  const error = async (args: object) => (await ada('submit_review', { ...gauge, ...args })).error
  const fine = { path: 'src/dashboard.ts', line: 3, body: 'x' }
  t.match(await error({}), /At least one of 'comments', 'replies', 'summary', 'verdict'/)
  t.match(
    await error({ comments: [fine, { ...fine, line: 99 }] }),
    /^comments\.1: .*line 99.*It has 1–3\. Nothing was published\.$/
  )
  t.match(
    await error({ comments: [fine, { ...fine, path: 'none.ts' }] }),
    /^comments\.1: "none.ts" is not changed/
  )
  t.match(
    await error({ comments: [{ ...fine, line: 99 }, fine, { ...fine, path: 'none.ts' }] }),
    /^comments\.0: .*line 99.*It has 1–3\. comments\.2: "none\.ts" is not changed .*Nothing was published\.$/,
    'each is told'
  )
  t.match(
    await error({ comments: Array.from({ length: 50 }, () => ({ ...fine, line: 99 })) }),
    /^comments\.0: (?:.* comments\.\d: ){4}.* comments\.5 and on were not looked at\. Nothing was published\.$/
  )
  const nowhere = { path: 'src/dashboard.ts', body: 'x' }
  t.match(
    await error({ comments: [nowhere, nowhere] }),
    /^comments\.0: path needs line.* comments\.1: path needs line/
  )
  t.match(await error({ comments: [fine], sha: '0'.repeat(40) }), /review what is new/)
  for (const verdict of ['request_changes', 'approve', undefined])
    t.match(
      await error({ summary: 'x', verdict, sha: '0'.repeat(40) }),
      /review what is new\. Nothing was published/
    )
  t.match(await error({ replies: [{ discussion_id: 'a' }] }), /^replies\.0: it needs body, resolved or both/)
  t.match(
    await error({ comments: [fine], replies: [{ discussion_id: '0'.repeat(40), body: 'x' }] }),
    /^replies\.0: there is no thread "0{40}".*Nothing was published\.$/,
    'an unknown thread'
  )
  t.same((await ada('list_draft_notes', gauge)).value, [], 'no draft is left of it')
  await ada('create_draft_note', { ...gauge, body: 'of another review' })
  t.match(await error({ comments: [fine] }), /^You have a draft note here already, .*Nothing was done/)
  t.equal(await count(), before)
})

story('a reply to no thread keeps the whole review back', [mergeRequests], async (t, as) => {
  const ada = as('ada')
  const { sha } = (await ada('review_merge_request', gauge)).value.merge_request
  const threads = (await ada('mr_discussions', gauge)).value
  const { id, notes } = threads.find(({ notes: [note] }: { notes: Note[] }) => note?.resolved === false)
  const alone = await ada('create_merge_request_note', { ...gauge, body: 'In passing.' })
  const aloneIn = (await ada('mr_discussions', gauge)).value.find(
    ({ notes: [note] }: { notes: { id: number }[] }) => note?.id === alone.value.id
  )
  const give = (reply: object) =>
    ada('submit_review', { ...gauge, sha, summary: 'x', replies: [reply], verdict: 'approve' })
  t.equal(
    (await give({ discussion_id: String(notes[0].id), resolved: true })).error,
    `replies.0: "${notes[0].id}" is a note of thread "${id}": give that as discussion_id. Nothing was published.`
  )
  t.match((await give({ discussion_id: '9015', body: 'x' })).error, /^replies\.0: there is no thread "9015"/)
  t.match(
    (await give({ discussion_id: aloneIn.id, resolved: true })).error,
    /stands alone, and cannot be resolved\. Nothing was published/
  )
  const after = (await ada('review_merge_request', gauge)).value
  t.notOk(after.approvals.you_have_approved)
  t.notOk(notesIn((await ada('mr_discussions', gauge)).value).some(({ body }) => body === 'x'))
})

story('the beginning of the head is as good as the whole of it', [mergeRequests], async (t, as) => {
  const ada = as('ada')
  const { sha } = (await ada('review_merge_request', gauge)).value.merge_request
  const short = sha.slice(0, 8)
  const other = short === 'deadbeef' ? 'beefdead' : 'deadbeef'
  for (const [tool, args, refused] of [
    [
      'submit_review',
      { verdict: 'approve' },
      /^The head is "[0-9a-f]{40}" and not "(?:dead|beef)+": review what/
    ],
    ['approve_merge_request', {}, /^The forge answered 409 .*Review its new head/],
    ['merge_merge_request', {}, /^The forge answered 409 .*Review what is new/]
  ] as const)
    t.match((await ada(tool, { ...gauge, ...args, sha: other })).error, refused, tool)
  const approved = await ada('submit_review', { ...gauge, sha: short.toUpperCase(), verdict: 'approve' })
  t.match(approved.value, { approved: true })
  t.equal((await ada('unapprove_merge_request', gauge)).error, undefined)
  t.match((await ada('approve_merge_request', { ...gauge, sha: short })).value, { approved: true })
})

story(
  'what fails after publishing says so, and an approval alone fails as one',
  [mergeRequests],
  async (t, as) => {
    const linus = as('linus')
    const own = await linus('submit_review', { ...gauge, summary: 'Mine.', verdict: 'approve' })
    t.same(own.value, { published: 1, threads_resolved: 0 })
    t.match(own.notices, [/^Approval: .*401 .*either you have approved already, and that counts, or/])
    t.match(
      (await linus('submit_review', { ...gauge, verdict: 'approve' })).error,
      /approval was not accepted/
    )
    const [{ discussion_id }] = (await linus('review_merge_request', gauge)).value.unresolved_threads
    const resolved = { replies: [{ discussion_id, body: '', resolved: true }] }
    t.match((await linus('submit_review', { ...gauge, ...resolved })).value, { threads_resolved: 1 })
    const reopened = { replies: [{ discussion_id, body: 'Not quite.', resolved: false }] }
    t.match((await linus('submit_review', { ...gauge, ...reopened })).value, { published: 1 })
    const { unresolved_threads } = (await linus('review_merge_request', gauge)).value
    t.equal(unresolved_threads[0].discussion_id, discussion_id)
  }
)

story('a reply leaves a resolved thread resolved unless told otherwise', [mergeRequests], async (t, as) => {
  const ada = as('ada')
  const open = async () => (await ada('review_merge_request', gauge)).value.unresolved_threads.length
  const before = await open()
  const [{ discussion_id }] = (await ada('review_merge_request', gauge)).value.unresolved_threads
  const reply = (part: object) => ada('submit_review', { ...gauge, replies: [{ discussion_id, ...part }] })
  await reply({ body: 'Still open.' })
  t.equal(await open(), before)
  await reply({ resolved: true })
  t.same((await reply({ body: 'For the record.' })).value, { published: 1, threads_resolved: 0 })
  t.equal(await open(), before - 1)
  await reply({ body: 'Or not.', resolved: false })
  t.equal(await open(), before)
  const first = (await ada('mr_discussions', gauge)).value.find(
    ({ id }: { id: string }) => id === discussion_id
  )
  const note_id = String(first.notes[0].id)
  await ada('update_merge_request_discussion_note', { ...gauge, discussion_id, note_id, resolved: true })
  await reply({ body: 'One note of it is resolved.' })
  t.equal(await open(), before)
  const two = (resolved: boolean) =>
    ada('submit_review', {
      ...gauge,
      replies: [
        { discussion_id, body: 'First.', resolved },
        { discussion_id, body: 'And second.' }
      ]
    })
  for (const resolved of [true, false]) {
    await two(resolved)
    t.equal(await open(), before - Number(resolved), 'what one reply says of its thread holds')
  }
})

story('who may not resolve threads has published nothing by trying', [mergeRequests], async (t, as) => {
  const [ada, grace] = [as('ada'), as('grace')]
  const [{ discussion_id }] = (await ada('review_merge_request', gauge)).value.unresolved_threads
  const notes = async () => notesIn((await ada('mr_discussions', gauge)).value).length
  const before = await notes()
  for (const body of [undefined, 'Done, I think.']) {
    const replies = [{ discussion_id, resolved: true, ...(body !== undefined && { body }) }]
    const { error } = await grace('submit_review', { ...gauge, replies, summary: 'All good.' })
    t.match(
      error,
      body === undefined
        ? /403 Forbidden.* cannot be resolved or opened\. Nothing was published\./
        : /not allowed to resolve.* Nothing was published\. Leave its resolved out\./
    )
  }
  await ada('resolve_merge_request_thread', { ...gauge, discussion_id, resolved: true })
  const replies = [{ discussion_id, body: 'For the record.' }]
  const { error } = await grace('submit_review', { ...gauge, replies })
  t.match(error, /Nothing was published\. .*: create_merge_request_discussion_note leaves it resolved\./)
  t.equal(await notes(), before)
  t.same((await grace('list_draft_notes', gauge)).value, [], 'and nothing is kept for later')
})

story('changes are requested where the forge says so afterwards', [mergeRequests], async (t, as) => {
  const args = { ...gauge, summary: 'Not yet.', verdict: 'request_changes' }
  const states = async () =>
    (await as('ada')('list_merge_request_participants', { ...gauge, reviewers: true })).value
  const own = await as('linus')('submit_review', args)
  t.match(own.error, /^This merge request is yours, .*Nothing was published\.$/)
  const other = await as('margaret')('submit_review', args)
  t.same(other.value, { published: 1, threads_resolved: 0 })
  t.match(other.notices, [/^Changes are not requested, .*of reviewers only/])
  t.match(await states(), [{ state: 'unreviewed' }])
  const reviewer = await as('ada')('submit_review', args)
  t.same(reviewer.value, { published: 1, threads_resolved: 0, requested_changes: true })
  t.same(reviewer.notices, [])
  t.match(await states(), [{ state: 'requested_changes' }])
})

const P = '/projects/1/merge_requests/7'
const summing = (status: number) => ({
  request: `POST ${P}/notes`,
  body: { body: 'In all.' },
  reply: { status, body: { message: 'Note is invalid' } }
})
const older = { request: 'GET /metadata', reply: { body: { version: '19.1.0' } } }
const reviewing = {
  tool: 'submit_review',
  args: { project_id: '1', merge_request_iid: '7', summary: 'In all.', verdict: 'approve' }
}
const solve = [{ discussion_id: 'abc', resolved: true }]
const resolving = {
  request: `PUT ${P}/discussions/abc`,
  body: { resolved: true },
  reply: { body: { id: 'abc' } }
}

runTable(mergeRequests, [
  {
    title: 'says what was done where an older forge refuses the summary after it',
    ...reviewing,
    args: { ...reviewing.args, replies: solve },
    exchanges: [
      older,
      {
        request: `GET ${P}/discussions?per_page=100&page=1`,
        reply: { body: [{ id: 'abc', notes: [{ resolvable: true }] }] }
      },
      resolving,
      summing(400),
      { request: `POST ${P}/approve`, body: {}, reply: { status: 201, body: { approvals_left: 0 } } }
    ],
    result: { published: 0, threads_resolved: 1, approved: true, approvals_left: 0 },
    notices: ['Summary: The forge answered 400 Bad Request: "Note is invalid".']
  },
  {
    title: 'has failed where an older forge refuses the summary and nothing was done before',
    ...reviewing,
    exchanges: [older, summing(400)],
    error: /Note is invalid/
  },
  {
    title: 'says which tool approves with a password where the forge does not accept the approval',
    ...reviewing,
    args: { project_id: '1', merge_request_iid: '7', verdict: 'approve' },
    exchanges: [
      {
        request: `POST ${P}/approve`,
        body: {},
        reply: { status: 401, body: { message: '401 Unauthorized' } }
      }
    ],
    error: /Where an approval takes a password, approve_merge_request has approval_password for it\.$/
  }
])

story(
  'an older forge gets the summary as a comment, and no changes are requested of it',
  [mergeRequests],
  async (t, as) => {
    const { error } = await as('ada')('submit_review', { ...gauge, verdict: 'request_changes' })
    t.match(error, /takes verdict request_changes from 19\.2 on/)
    const ada = as('ada')
    const said = await ada('submit_review', {
      ...gauge,
      comments: [{ path: 'src/dashboard.ts', line: 3, body: 'On the line.' }],
      summary: 'In all.'
    })
    t.match(said.value, { published: 2, threads_resolved: 0 })
    const bodies = notesIn((await ada('mr_discussions', gauge)).value).map(({ body }) => body)
    t.ok(bodies.includes('On the line.') && bodies.includes('In all.'))
  },
  { version: '19.1.0' }
)
