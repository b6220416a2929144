import { mergeRequests } from '../../../tools/merge-requests/index.ts'
import { projects } from '../../../tools/projects/index.ts'
import { repository } from '../../../tools/repository/index.ts'
import { story } from '../../support/sandbox-tools.ts'

/* Stories over a forge that keeps state: what the tables cannot see is whether calls fit together. */

const project_id = 'acme/rocket'
const gauge = { project_id, merge_request_iid: 3 }
const ready = { project_id, merge_request_iid: 6 }

story('a reviewer reads a merge request from its branch to one file', [mergeRequests], async (t, as) => {
  const call = as('ada')
  const source_branch = 'feature/fuel-gauge'

  const one = await call('get_merge_request', { project_id, source_branch })
  t.equal(one.value.iid, 3)
  const files = await call('list_merge_request_changed_files', { project_id, source_branch })
  const paths: string[] = files.value.map(({ new_path }: { new_path: string }) => new_path)
  t.ok(paths.includes('src/engine.ts'))
  t.notOk('diff' in files.value[0])
  const left = await call('list_merge_request_changed_files', {
    ...gauge,
    excluded_file_patterns: ['^src/engine']
  })
  t.same(
    left.value.map(({ new_path }: { new_path: string }) => new_path),
    paths.filter(path => !path.startsWith('src/engine'))
  )
  const file = await call('get_merge_request_file_diff', { ...gauge, file_paths: ['src/engine.ts', 'nope'] })
  t.match(file.value, [{ new_path: 'src/engine.ts', diff: /^@@/ }])
  t.match(file.notices, [/^Not changed by this merge request: "nope"/])
  t.equal((await call('get_merge_request_diffs', gauge)).value.length, paths.length)
  t.equal((await call('list_merge_request_diffs', { ...gauge, unidiff: true })).value.length, paths.length)
  const versions = await call('list_merge_request_versions', gauge)
  t.equal(versions.value.length, 2)
  const version = await call('get_merge_request_version', { ...gauge, version_id: versions.value[1].id })
  t.ok(version.value.diffs.length > 0)
  const compared = await call('get_branch_diffs', { project_id, from: 'main', to: source_branch })
  t.equal(compared.value.diffs.length, paths.length)
  t.ok((await call('list_merge_request_pipelines', gauge)).value.length > 0)
  t.equal((await call('get_branch', { project_id, branch_name: source_branch })).value.name, source_branch)
  t.match((await call('list_branches', { project_id, search: 'gauge' })).value, [{ name: source_branch }])
  t.match((await call('get_merge_request_conflicts', { ...gauge, merge_request_iid: 5 })).value, {
    has_conflicts: true
  })
})

story(
  'a review is written as drafts, changed without losing its place, and published',
  [mergeRequests],
  async (t, as) => {
    const call = as('ada')
    const { diff_refs } = (await call('get_merge_request', gauge)).value
    const position = {
      ...diff_refs,
      position_type: 'text',
      old_path: 'src/engine.ts',
      new_path: 'src/engine.ts',
      new_line: 16
    }
    const draft = await call('create_draft_note', { ...gauge, body: 'Percent?', position })
    const draft_note_id = draft.value.id
    const changed = await call('update_draft_note', { ...gauge, draft_note_id, body: 'In percent?' })
    t.match(changed.value, { note: 'In percent?', position: { new_path: 'src/engine.ts', new_line: 16 } })
    t.match((await call('get_draft_note', { ...gauge, draft_note_id })).value, { note: 'In percent?' })
    const second = await call('create_draft_note', { ...gauge, body: 'Never mind' })
    t.same(
      (await call('delete_draft_note', { ...gauge, draft_note_id: second.value.id })).value.status,
      'success'
    )
    t.equal((await call('publish_draft_note', { ...gauge, draft_note_id })).value.status, 'success')
    await call('create_draft_note', { ...gauge, body: 'Otherwise fine.' })
    t.equal((await call('list_draft_notes', gauge)).value.length, 1)
    t.equal((await call('bulk_publish_draft_notes', gauge)).value.status, 'success')
    t.same((await call('list_draft_notes', gauge)).value, [])

    const discussions = (await call('mr_discussions', { ...gauge, per_page: 100 })).value
    const mine = discussions.find(
      ({ notes }: { notes: { body: string }[] }) => notes[0]?.body === 'In percent?'
    )
    t.match(mine.notes[0].position, { new_line: 16 })
  }
)

story('threads and notes are answered, resolved, edited and deleted', [mergeRequests], async (t, as) => {
  const call = as('ada')
  const thread = (await call('create_merge_request_thread', { ...gauge, body: 'Why?' })).value
  const at = { ...gauge, discussion_id: thread.id }
  const reply = (await call('create_merge_request_discussion_note', { ...at, body: 'Because' })).value
  const note = { ...at, note_id: reply.id }
  const edited = await call('update_merge_request_discussion_note', { ...note, body: 'Because.' })
  t.equal(edited.value.id, reply.id)
  t.match((await call('mr_discussions', { ...gauge, resolved: false })).value.at(-1).notes[1], {
    body: 'Because.'
  })
  const resolved = await call('resolve_merge_request_thread', { ...at, resolved: true })
  t.match(resolved.value, { id: thread.id, resolved: true, resolved_by: { username: 'ada' } })
  t.notOk(
    (await call('mr_discussions', { ...gauge, resolved: false })).value.some(
      ({ id }: { id: string }) => id === thread.id
    )
  )
  t.match((await call('mr_discussions', { ...gauge, resolved: true })).value.at(-1), { id: thread.id })
  const reopened = await call('update_merge_request_discussion_note', { ...note, resolved: false })
  t.equal(reopened.value.resolved, false)
  t.equal((await call('delete_merge_request_discussion_note', note)).value.status, 'success')
  t.match((await call('get_merge_request_note', { ...gauge, note_id: reply.id })).error, /404/)

  const comment = (await call('create_merge_request_note', { ...gauge, body: 'Hi' })).value
  const own = { ...gauge, note_id: comment.id }
  t.equal((await call('update_merge_request_note', { ...own, body: 'Hello' })).value.id, comment.id)
  t.equal((await call('get_merge_request_notes', { ...gauge, sort: 'desc' })).value[0].body, 'Hello')
  t.equal((await call('delete_merge_request_note', own)).value.status, 'success')
  t.match((await call('create_merge_request_note', { ...gauge, body: '/label ~bug' })).value, { summary: [] })
})

story(
  'a merge request is opened as draft, made ready, approved and merged',
  [mergeRequests],
  async (t, as) => {
    const call = as('ada')
    t.ok((await call('list_merge_requests', { project_id, state: 'opened' })).value.length > 1)
    const closed = await call('update_merge_request', { ...ready, state_event: 'close' })
    t.equal(closed.value.state, 'closed')
    const created = await call('create_merge_request', {
      project_id,
      source_branch: 'docs/launch-checklist',
      target_branch: 'main',
      title: 'Checklist',
      draft: true
    })
    t.match(created.value, { draft: true, title: 'Draft: Checklist' })
    const again = {
      project_id,
      source_branch: 'docs/launch-checklist',
      target_branch: 'main',
      title: 'Again'
    }
    t.match(
      (await call('create_merge_request', again)).error,
      new RegExp(`409.*!${created.value.iid}".*update_merge_request changes it`)
    )
    const source_branch = 'docs/launch-checklist'
    const madeReady = await call('update_merge_request', { project_id, source_branch, draft: false })
    t.match(madeReady.value, { draft: false, title: 'Checklist' })

    const one = { project_id, merge_request_iid: created.value.iid }
    t.match((await call('approve_merge_request', one)).error, /^The forge answered 401.*may have approved/)
    const reviewer = as('linus')
    t.match(
      (await reviewer('approve_merge_request', { ...one, sha: '0'.repeat(40) })).error,
      /^The forge answered 409/
    )
    const approved = await reviewer('approve_merge_request', { ...one, sha: created.value.sha })
    t.equal(approved.value.user_has_approved, true)
    const state = await call('get_merge_request_approval_state', one)
    t.match(state.value.approved_by, [{ user: { username: 'linus' } }])
    t.equal((await reviewer('unapprove_merge_request', one)).value.user_has_approved, false)
    await reviewer('approve_merge_request', one)

    const merged = await call('merge_merge_request', { ...one, squash: true })
    t.equal(merged.value?.state, 'merged', merged.error ?? '')
    t.same(merged.notices, [])
  }
)

story(
  'the free edition tells who approved from approvals',
  [mergeRequests],
  async (t, as) => {
    const { value } = await as('ada')('get_merge_request_approval_state', ready)
    t.match(value, { source: 'approvals', approved_by: [{ user: { username: 'ada' } }] })
  },
  { edition: 'ce' }
)

story(
  'reactions are given, listed and taken back, on replies as on notes',
  [mergeRequests],
  async (t, as) => {
    const call = as('ada')
    const given = (await call('create_merge_request_emoji_reaction', { ...gauge, name: 'tada' })).value
    t.match((await call('create_merge_request_emoji_reaction', { ...gauge, name: 'tada' })).error, /already/)
    const names = (await call('list_merge_request_emoji_reactions', gauge)).value.map(
      ({ name }: { name: string }) => name
    )
    t.same(names.sort(), ['rocket', 'tada'])
    const gone = await call('delete_merge_request_emoji_reaction', { ...gauge, award_id: given.id })
    t.equal(gone.value.status, 'success')

    const [thread] = (await call('mr_discussions', gauge)).value.filter(
      ({ notes }: { notes: unknown[] }) => notes.length > 1
    )
    const reply = { ...gauge, discussion_id: thread.id, note_id: thread.notes[1].id }
    const award = (await call('create_merge_request_note_emoji_reaction', { ...reply, name: 'eyes' })).value
    t.match((await call('list_merge_request_note_emoji_reactions', reply)).value, [{ name: 'eyes' }])
    await call('delete_merge_request_note_emoji_reaction', { ...reply, award_id: award.id })
    t.same((await call('list_merge_request_note_emoji_reactions', reply)).value, [])
  }
)

story('a branch that fell behind is rebased, one that conflicts says so', [mergeRequests], async (t, as) => {
  const call = as('ada')
  const listed = (await call('list_merge_requests', { group_id: 'acme', state: 'opened', draft: false }))
    .value
  t.ok(
    listed.some(({ iid }: { iid: number }) => iid === 3),
    'found in its group'
  )
  const before = (await call('get_merge_request', gauge)).value
  const rebased = await call('rebase_merge_request', { ...gauge, skip_ci: true })
  t.match(rebased.value, { status: 'rebased', sha: /^[0-9a-f]{40}$/ })
  const after = (await call('get_merge_request', gauge)).value
  t.equal(after.sha, rebased.value.sha)
  t.notOk(after.diverged_commits_count)
  t.not(before.sha, undefined)
  t.match(
    (await call('rebase_merge_request', { project_id, merge_request_iid: 5 })).error,
    /^The rebase failed and .*"Rebase failed.*get_merge_request_conflicts says what to do\.$/
  )
  t.match((await as('grace')('rebase_merge_request', gauge)).error, /^The forge answered 403 .*may not push/)
  const commits = (await call('list_merge_request_commits', gauge)).value
  t.equal(commits[0].id, after.sha)
  t.match((await call('get_merge_request_raw_diff', gauge)).value, /^diff --git a\//)
})

story('a conflict is solved by tools on another branch', [mergeRequests, repository], async (t, as) => {
  const call = as('ada')
  const stuck = { project_id, merge_request_iid: '5' }
  const { error } = await call('merge_merge_request', stuck)
  t.match(error, /it conflicts with the target branch: get_merge_request_conflicts says what to do/)
  const { notices, value } = await call('get_merge_request_conflicts', stuck)
  t.match(notices, [/get_branch_diffs \(from source_branch, to target_branch\)/])
  const { source_branch: from, target_branch: to } = value
  const pathsOf = (diffs: { new_path: string }[]) => diffs.map(({ new_path }) => new_path)
  const changed = pathsOf((await call('list_merge_request_changed_files', stuck)).value)
  const meanwhile = pathsOf((await call('get_branch_diffs', { project_id, from, to })).value.diffs)
  t.same(
    changed.filter(path => meanwhile.includes(path)),
    ['src/launch.ts']
  )
  const edits = [
    {
      old_text: 'this.#remaining = Math.max(0, this.#remaining - 1)',
      new_text: 'this.#remaining = Math.max(0, this.#remaining - this.#clock.elapsed())'
    }
  ]
  const source_branch = `${from}-again`
  const committed = await call('commit_files', {
    project_id,
    branch: source_branch,
    start_branch: to,
    commit_message: 'Count time, not ticks',
    actions: [{ action: 'edit', file_path: 'src/launch.ts', edits }]
  })
  t.equal(committed.error, undefined)
  const request = { project_id, source_branch, target_branch: to, title: 'Fix the drift' }
  const { iid } = (await call('create_merge_request', request)).value
  const again = { project_id, merge_request_iid: String(iid) }
  t.match((await call('get_merge_request_conflicts', again)).value, { has_conflicts: false })
  await as('margaret')('approve_merge_request', again)
  await call('update_merge_request', { ...stuck, state_event: 'close' })
  t.match((await call('merge_merge_request', again)).value, { state: 'merged' })
})

story('a suggestion is applied once, by who may push', [mergeRequests], async (t, as) => {
  const call = as('ada')
  const { diff_refs } = (await call('get_merge_request', gauge)).value
  const position = {
    ...diff_refs,
    position_type: 'text',
    old_path: 'src/engine.ts',
    new_path: 'src/engine.ts',
    new_line: 16
  }
  await call('create_merge_request_thread', {
    ...gauge,
    body: 'Say what it is:\n```suggestion:-0+0\n// in percent\n```',
    position
  })
  const threads = (await call('mr_discussions', { ...gauge, per_page: 100 })).value
  const [suggestion] = threads.flatMap(({ notes }: { notes: { suggestions?: object[] }[] }) =>
    notes.flatMap(({ suggestions }) => suggestions ?? [])
  )
  t.match(suggestion, { applied: false, to_content: '// in percent\n' })
  const wanted = { suggestion_ids: [suggestion.id] }
  t.match((await as('grace')('apply_suggestions', wanted)).error, /Developer role/)
  t.match((await call('apply_suggestions', wanted)).value, { id: suggestion.id, applied: true })
  t.match((await call('get_merge_request_raw_diff', gauge)).value, /\+\/\/ in percent/)
  t.match((await call('apply_suggestions', wanted)).error, /already applied.* read mr_discussions again\.$/)
  t.match(
    (await call('apply_suggestions', { suggestion_ids: [suggestion.id, 999_999] })).error,
    /^The forge answered 404/
  )
})

story('a suggestion for several lines replaces them all', [mergeRequests], async (t, as) => {
  const call = as('ada')
  await call('create_merge_request_thread', {
    ...gauge,
    path: 'src/engine.ts',
    line: 15,
    end_line: 16,
    body: '```suggestion:-1+0\n// as one\n```'
  })
  const threads = (await call('mr_discussions', { ...gauge, per_page: 100 })).value
  const [suggestion] = threads.flatMap(({ notes }: { notes: { suggestions?: object[] }[] }) =>
    notes.flatMap(({ suggestions }) => suggestions ?? [])
  )
  t.match(suggestion, { from_line: 15, to_line: 16, to_content: '// as one\n' })
  await call('apply_suggestions', { suggestion_ids: [suggestion.id] })
  const diff: string = (await call('get_merge_request_raw_diff', gauge)).value
  t.match(diff, /\+\/\/ as one/)
  t.notMatch(diff, suggestion.from_content)
})

story('approval rules are made, changed and deleted by name', [mergeRequests], async (t, as) => {
  const call = as('ada')
  const made = await call('set_merge_request_approval_rule', {
    ...ready,
    name: 'Safety',
    approvals_required: 1,
    user_ids: [3]
  })
  t.match(made.value, { name: 'Safety', approvals_required: 1, result: 'created' })
  const rule = { ...ready, rule_id: made.value.id }
  const changed = await call('set_merge_request_approval_rule', { ...rule, approvals_required: 2 })
  t.match(changed.value, { name: 'Safety', approvals_required: 2, result: 'updated' })
  t.equal((await call('list_merge_request_approval_rules', ready)).value.length, 2)
  const wrong = await call('delete_merge_request_approval_rule', { ...rule, confirm: 'Developers' })
  t.match(wrong.error, /Nothing was done/)
  t.match((await call('delete_merge_request_approval_rule', { ...rule, confirm: 'Safety' })).value, {
    status: 'success'
  })
  t.equal((await call('list_merge_request_approval_rules', ready)).value.length, 1)
  const people = (await call('list_merge_request_participants', ready)).value
  t.ok(people.length > 0)
  t.ok(people.every(({ username }: { username: string }) => username.length > 0))
  await call('list_merge_request_participants', { ...ready, reviewers: true })
  await call('list_merge_request_closes_issues', ready)
})

story(
  'of an approval rule of nobody it is told, and groups are given by path',
  [mergeRequests],
  async (t, as) => {
    const call = as('ada')
    const rule = { ...ready, name: 'Two eyes', approvals_required: 2 }
    const made = await call('set_merge_request_approval_rule', rule)
    t.same(made.notices, [
      'Nobody may approve by this rule, so it asks for nothing: give user_ids or group_ids; the author alone may not count.'
    ])
    const { id: rule_id } = made.value
    const given = await call('set_merge_request_approval_rule', { ...ready, rule_id, group_ids: ['acme'] })
    t.match(given.value.groups, [{ full_path: 'acme' }])
    t.same(given.notices, [])
  }
)

story(
  'what waits for its checks before it goes on a merge train is told so',
  [mergeRequests],
  async (t, as) => {
    const call = as('ada')
    await call('update_merge_request', { ...ready, draft: true })
    const { value, notices } = await call('add_merge_request_to_merge_train', { ...ready, auto_merge: true })
    t.match(value, { status: 'success' })
    t.same(notices, ['It goes on the train once its checks pass: get_merge_request shows what it waits for.'])
  }
)

story('what goes on a merge train is merged in its turn', [mergeRequests], async (t, as) => {
  const call = as('ada')
  const { sha } = (await call('get_merge_request', ready)).value
  const old = await call('add_merge_request_to_merge_train', { ...ready, sha: '0'.repeat(40) })
  t.match(old.error, /^The forge answered 409 .*Review what is new/)
  const added = await call('add_merge_request_to_merge_train', { ...ready, sha, auto_merge: true })
  t.ok(Array.isArray(added.value))
  const train = await call('list_merge_trains', { project_id, target_branch: 'main', scope: 'active' })
  t.same(train.value, added.value)
  t.match(
    (await call('list_merge_trains', { project_id: 'acme/website' })).error,
    /403.*list_merge_trains needs the Premium edition of the forge: that may be why\./
  )
})

story(
  'a forge of the free edition is not asked twice for what it does not have',
  [mergeRequests],
  async (t, as) => {
    const call = as('ada')
    t.equal(
      (await call('list_merge_request_approval_rules', ready)).error,
      'list_merge_request_approval_rules needs the Premium edition of the forge, and this forge is the free edition.'
    )
    t.match((await call('list_merge_trains', { project_id })).error, /Nothing was sent/)
  },
  { edition: 'ce' }
)

story(
  'an older forge publishes no review whose outcome it would drop',
  [mergeRequests],
  async (t, as) => {
    const call = as('ada')
    await call('create_draft_note', { ...gauge, body: 'Wait' })
    const refused = await call('bulk_publish_draft_notes', { ...gauge, reviewer_state: 'reviewed' })
    t.match(refused.error, /^This forge is GitLab 18\.10\.0.*Nothing was published/)
    t.equal((await call('list_draft_notes', gauge)).value.length, 1)
  },
  { version: '18.10.0' }
)

story('only a fork is merged into another project', [mergeRequests], async (t, as) => {
  const { error } = await as('ada')('create_merge_request', {
    project_id: 'acme/rocket',
    target_project_id: 'acme/website',
    source_branch: 'main',
    target_branch: 'main',
    title: 'Move over'
  })
  t.match(error, /422.*Source project is not a fork of the target project/)
})

story(
  'of a fork a review names the project that its files are read in',
  [mergeRequests, projects, repository],
  async (t, as) => {
    const ada = as('ada')
    const { value: fork } = await ada('fork_project', { project_id })
    // A copy is filled once it has been looked at.
    await ada('get_project', { project_id: fork.path_with_namespace })
    const change = { action: 'create', file_path: 'docs/fork.md', content: 'From a fork.\n' }
    await ada('commit_files', {
      project_id: fork.path_with_namespace,
      branch: 'from-fork',
      start_branch: 'main',
      commit_message: 'Add it',
      actions: [change]
    })
    const { value: made } = await ada('create_merge_request', {
      project_id: fork.path_with_namespace,
      target_project_id: project_id,
      source_branch: 'from-fork',
      target_branch: 'main',
      title: 'From a fork'
    })
    const { value } = await ada('review_merge_request', { project_id, merge_request_iid: made.iid })
    t.equal(value.merge_request.source_project_id, fork.id)
    t.match(value.merge_request.read_files, 'in this project, with ref=sha')
    const { sha } = value.merge_request
    const told = `"from-fork" is the source branch of !${made.iid} in the fork with project_id=${fork.id}, whose files are read here by ref=${sha}, if that is meant`
    // A near name comes first: whoever may fork chooses the names there.
    await ada('create_branch', { project_id, branch: 'from-forks', ref: 'main' })
    const near = 'There is no "from-fork": did you mean "from-forks"? '
    const file = { project_id, path: 'docs/fork.md' }
    t.match((await ada('get_file_contents', { ...file, ref: 'from-fork' })).error, near + told)
    t.equal((await ada('get_file_contents', { ...file, ref: sha })).value, 'From a fork.\n')
    t.match((await ada('get_branch', { project_id, branch_name: 'from-fork' })).error, near + told)
    const edit = { action: 'edit', file_path: 'README.md', edits: [{ find: 'R', replace: 'r' }] }
    const advice = 'There is no branch "from-fork": for a new one give start_branch. '
    for (const [action, first] of [
      [change, near],
      [edit, advice]
    ] as const)
      t.match(
        (
          await ada('commit_files', {
            project_id,
            branch: 'from-fork',
            commit_message: 'Change it',
            actions: [action]
          })
        ).error,
        first + told
      )
    t.match(
      (await ada('get_file_contents', { ...file, ref: 'from-for' })).error,
      'There is no "from-for": did you mean "from-forks"'
    )
    const { value: own } = await ada('review_merge_request', ready)
    t.notOk('source_project_id' in own.merge_request, 'of its own project it names none')
  }
)
