import { toolsets } from '../../../tools/index.ts'
import { story } from '../../support/sandbox-tools.ts'

const rocket = { project_id: 'acme/rocket' }
const mr = { ...rocket, merge_request_iid: 3 }

story('an argument given by habit is answered with what does it here', toolsets, async (t, as) => {
  for (const [tool, args, said] of [
    [
      'create_merge_request_discussion_note',
      { ...mr, discussion_id: 'a', body: 'x', note_id: 1 },
      /"note_id", leave it out: an answer is to the thread, discussion_id; update_merge_request_discussion_note/
    ],
    [
      'create_merge_request_discussion_note',
      { ...mr, discussion_id: 'a', body: 'x', resolved: true },
      /"resolved", resolve_merge_request_thread resolves the thread/
    ],
    ['list_pipelines', mr, /"merge_request_iid", list_merge_request_pipelines has those of a merge request/],
    [
      'get_pipeline',
      { ...rocket, ref: 'main' },
      /"ref", list_pipelines with ref and per_page=1 has the newest/
    ],
    ['mr_discussions', { ...mr, unresolved: true }, /"unresolved", resolved=false gives those/],
    ['review_merge_request', { ...rocket, pr: 3 }, /"pr", did you mean "merge_request_iid"\?/],
    ['create_issue', { ...rocket, title: 'x', private: true }, /"private", did you mean "confidential"\?/],
    [
      'create_issue',
      { ...rocket, title: 'x', estimate: '2h' },
      /"estimate", which set_time_estimate sets, of an issue/
    ],
    ['update_issue', { ...rocket, issue_iid: 1, estimate: '2h' }, /"estimate", which set_time_estimate sets/],
    ['update_release', { ...rocket, tag_name: 'v1', links: [] }, /"links", create_release_link adds one/],
    ['list_members', { ...rocket, role: 'owner' }, /"role", as this lists all: each member has its role/],
    [
      'get_pipeline_job_output',
      { ...rocket, job_id: 1, grep: 'x' },
      /"grep", as no log is searched: diagnose/
    ],
    [
      'get_pipeline_job_output',
      { ...rocket, job_id: 1, start_line: 1 },
      /"start_line", as lines are counted/
    ],
    [
      'create_merge_request',
      { ...rocket, title: 'x', source_branch: 'a', target_branch: 'main', source_project_id: 1 },
      /"source_project_id", which project_id is: that of source_branch/
    ],
    ['bulk_publish_draft_notes', { ...mr, reviewer_state: 'approved' }, /\(approve_merge_request approves\)/],
    ['apply_suggestions', { ...mr, suggestion_ids: ['1'] }, /"project_id", leave it out: suggestion_ids say/],
    [
      'update_project',
      { ...rocket, issues_enabled: false, jobs_enabled: true },
      /issues_access_level is "enabled", "private" or "disabled"; .*builds_access_level is/
    ],
    [
      'create_release',
      { ...rocket, tag_name: 'v9', milestone_ids: ['1.5'] },
      /milestone_ids\.0 must be the number of one: milestones takes titles, not the string "1\.5"/
    ]
  ] as const)
    t.match((await as('ada')(tool, args)).error, said, tool)
})

story('a word of elsewhere that can mean one thing is taken for it', toolsets, async (t, as) => {
  const ada = as('ada')
  const { value: note, error } = await ada('create_note', {
    ...rocket,
    noteable_type: 'MR',
    noteable_iid: '!3',
    body: 'x'
  })
  t.equal(error, undefined)
  t.match(note, { body: 'x' })
  const { value: threads } = await ada('mr_discussions', mr)
  const [{ id }] = threads.filter((thread: { individual_note?: boolean }) => !thread.individual_note)
  const draft = await ada('create_draft_note', { ...mr, body: 'done', thread_id: id, resolve: true })
  t.match(draft, { value: { discussion_id: id, resolve_discussion: true }, error: undefined })
  for (const reviewer_state of ['changes requested', 'REQUEST_CHANGES']) {
    const published = await ada('bulk_publish_draft_notes', { ...mr, reviewer_state })
    t.equal(published.error, undefined, reviewer_state)
  }
})

story('a snippet that is not there may be one of a project', toolsets, async (t, as) => {
  for (const [tool, args] of [
    ['get_snippet', {}],
    ['update_snippet', { title: 'x' }],
    ['delete_snippet', { confirm: 'x' }]
  ] as const) {
    const { error } = await as('ada')(tool, { snippet_id: 99_999, ...args })
    t.match(error, /one of a project needs its project_id, and list_snippets gives both kinds/, tool)
  }
})
