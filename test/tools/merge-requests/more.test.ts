import { mergeRequests } from '../../../tools/merge-requests/index.ts'
import { confirmed } from '../../support/confirmed.ts'
import { runTable } from '../../support/tool-table.ts'

const one = { project_id: 'acme/rocket', merge_request_iid: 3 }
const M = '/projects/acme%2Frocket/merge_requests/3'
const person = { id: 2, username: 'ada', name: 'Ada', state: 'active', avatar_url: 'x' }
const rule = {
  id: 9,
  name: 'Safety',
  rule_type: 'regular',
  approvals_required: 2,
  eligible_approvers: [person],
  users: [person],
  groups: [{ id: 7, full_path: 'acme', web_url: 'x', runners_token: 'secret' }],
  source_rule: null,
  overridden: false
}
const shownRule = {
  id: 9,
  name: 'Safety',
  rule_type: 'regular',
  approvals_required: 2,
  eligible_approvers: [{ username: 'ada' }],
  users: [{ username: 'ada' }],
  groups: [{ full_path: 'acme' }],
  overridden: false
}
const notFound = { status: 404, body: { message: '404 Not Found' } }
const look = `GET ${M}?include_rebase_in_progress=true`

const branchGone = {
  request: `PUT ${M}/rebase`,
  body: {},
  reply: { status: 403, body: { message: '403 Forbidden - Source branch does not exist' } }
}

runTable(mergeRequests, [
  {
    title: 'lists the commits, without addresses of people',
    tool: 'list_merge_request_commits',
    args: { ...one, page: 2 },
    exchanges: [
      {
        request: `GET ${M}/commits?page=2`,
        reply: { body: [{ id: 'abc', title: 'Fix', author_name: 'Ada', author_email: 'a@b.c' }] }
      }
    ],
    result: [{ id: 'abc', title: 'Fix', author_name: 'Ada' }]
  },
  {
    title: 'finds the merge request by its branch',
    tool: 'list_merge_request_commits',
    args: { project_id: 41, source_branch: 'fix' },
    exchanges: [
      {
        request: 'GET /projects/41/merge_requests?state=opened&per_page=5&source_branch=fix',
        reply: { body: [{ iid: 3 }] }
      },
      { request: 'GET /projects/41/merge_requests/3/commits', reply: { body: [] } }
    ],
    result: []
  },
  {
    title: 'waits until it is done and says the new head',
    tool: 'rebase_merge_request',
    args: { ...one, skip_ci: true },
    exchanges: [
      {
        request: `PUT ${M}/rebase`,
        body: { skip_ci: true },
        reply: { status: 202, body: { rebase_in_progress: true } }
      },
      { request: look, reply: { body: { sha: 'old', rebase_in_progress: true } } },
      { request: look, reply: { body: { sha: 'new', rebase_in_progress: false, merge_error: null } } }
    ],
    result: { status: 'rebased', sha: 'new' }
  },
  {
    title: 'is an error where it failed, with its record, and leads to what conflicts',
    tool: 'rebase_merge_request',
    args: one,
    exchanges: [
      { request: `PUT ${M}/rebase`, body: {}, reply: { status: 202, body: { rebase_in_progress: true } } },
      { request: look, reply: { body: { sha: 'old', rebase_in_progress: false, merge_error: 'Conflicts.' } } }
    ],
    result: { status: 'failed', sha: 'old', merge_error: 'Conflicts.' },
    error:
      'The rebase failed and the branch is unchanged: "Conflicts". If it conflicts, get_merge_request_conflicts says what to do.'
  },
  {
    title: 'looks for some seconds and then says that it goes on',
    tool: 'rebase_merge_request',
    args: one,
    exchanges: [
      { request: `PUT ${M}/rebase`, body: {}, reply: { status: 202, body: { rebase_in_progress: true } } },
      ...[1, 2, 3, 4, 5].map(() => ({
        request: look,
        reply: { body: { sha: 'old', rebase_in_progress: true } }
      }))
    ],
    result: {
      status: 'running',
      sha: 'old',
      next: 'get_merge_request shows a new sha, or in merge_error what failed.'
    }
  },
  {
    title: 'says that it goes on where its state cannot be read, as it was accepted',
    tool: 'rebase_merge_request',
    args: one,
    exchanges: [
      { request: `PUT ${M}/rebase`, body: {}, reply: { status: 202, body: { rebase_in_progress: true } } },
      { request: look, reply: { body: { sha: 'old', rebase_in_progress: true } } },
      { request: look, reply: { status: 403, body: {} } }
    ],
    result: {
      status: 'running',
      sha: 'old',
      next: 'get_merge_request shows a new sha, or in merge_error what failed.'
    }
  },
  {
    title: 'does not wait where it is not to',
    tool: 'rebase_merge_request',
    args: { ...one, wait: false },
    exchanges: [
      { request: `PUT ${M}/rebase`, body: {}, reply: { status: 202, body: { rebase_in_progress: true } } }
    ],
    result: { status: 'running', next: 'get_merge_request shows a new sha, or in merge_error what failed.' }
  },
  {
    title: 'says that one is under way already',
    tool: 'rebase_merge_request',
    args: one,
    exchanges: [
      { request: `PUT ${M}/rebase`, body: {}, reply: { status: 409, body: { message: 'Busy' } } },
      { request: `GET ${M}`, reply: { body: { state: 'opened' } } }
    ],
    error:
      'The forge answered 409 Conflict: "Busy". While a rebase is under way no other begins: get_merge_request shows how it goes on.'
  },
  {
    title: 'says what to do where the source branch is gone',
    tool: 'rebase_merge_request',
    args: one,
    exchanges: [
      branchGone,
      { request: `GET ${M}`, reply: { body: { state: 'opened' } } },
      { request: 'GET /projects/acme%2Frocket', reply: { body: { archived: false } } }
    ],
    error:
      /Source branch does not exist"\. Make the branch again by create_branch, of the sha in get_merge_request, or close/
  },
  {
    title: 'says of a merged one that it is merged, and nothing of rights',
    tool: 'rebase_merge_request',
    args: one,
    exchanges: [branchGone, { request: `GET ${M}`, reply: { body: { state: 'merged' } } }],
    error: /Source branch does not exist"\. It is merged, and only an open merge request is rebased\.$/
  },
  {
    title: 'gives a patch as it is',
    tool: 'get_merge_request_raw_diff',
    args: one,
    exchanges: [
      {
        request: `GET ${M}/raw_diffs`,
        reply: { body: 'diff --git a/a.ts b/a.ts\n-1\n+2\n', headers: { 'content-type': 'text/plain' } }
      }
    ],
    text: 'diff --git a/a.ts b/a.ts\n-1\n+2\n',
    notices: []
  },
  {
    title: 'leaves out the files of a long patch that do not fit, and names them',
    tool: 'get_merge_request_raw_diff',
    args: one,
    settings: { maxChars: 60 },
    exchanges: [
      {
        request: `GET ${M}/raw_diffs`,
        reply: {
          body: `diff --git a/a.ts b/a.ts\n-1\n+2\ndiff --git a/b c.ts b/b c.ts\n${'+x\n'.repeat(30)}diff --git a/d.ts b/d.ts\n-1\ndiff --git "a/e \\303.ts" "b/e \\303.ts"  \n-1\n`,
          headers: { 'content-type': 'text/plain' }
        }
      }
    ],
    text: 'diff --git a/a.ts b/a.ts\n-1\n+2\ndiff --git a/d.ts b/d.ts\n-1\n',
    notices: [
      'The patch is longer than a result may be: 2 files are shown, 2 left out: "b c.ts", "e \\\\303.ts". get_merge_request_file_diff gives theirs.'
    ]
  },
  {
    title: 'lists the issues that merging closes',
    tool: 'list_merge_request_closes_issues',
    args: one,
    exchanges: [
      {
        request: `GET ${M}/closes_issues`,
        reply: { body: [{ id: 5, iid: 1, title: 'Leak', description: 'long', _links: {} }] }
      }
    ],
    result: [{ id: 5, iid: 1, title: 'Leak', description: 'long' }]
  },
  {
    title: 'shows what an outside tracker gives',
    tool: 'list_merge_request_closes_issues',
    args: one,
    exchanges: [{ request: `GET ${M}/closes_issues`, reply: { body: [{ id: 'ROCKET-1', title: 'Leak' }] } }],
    result: [{ id: 'ROCKET-1', title: 'Leak' }]
  },
  {
    title: 'applies one suggestion by its own route',
    tool: 'apply_suggestions',
    args: { suggestion_ids: [12], commit_message: 'As said' },
    exchanges: [
      {
        request: 'PUT /suggestions/12/apply',
        body: { commit_message: 'As said' },
        reply: { body: { id: 12, applied: true, from_line: 3, to_line: 3 } }
      }
    ],
    result: { id: 12, applied: true, from_line: 3, to_line: 3 }
  },
  {
    title: 'applies several at once, each only once',
    tool: 'apply_suggestions',
    args: { suggestion_ids: ['12', '13', '12'] },
    exchanges: [
      {
        request: 'PUT /suggestions/batch_apply',
        body: { ids: [12, 13] },
        reply: { body: [{ id: 12 }, { id: 13 }] }
      }
    ],
    result: [{ id: 12 }, { id: 13 }]
  },
  {
    title: 'several suggestions may be answered with one record',
    tool: 'apply_suggestions',
    args: { suggestion_ids: ['12', '13'] },
    exchanges: [
      {
        request: 'PUT /suggestions/batch_apply',
        body: { ids: [12, 13] },
        reply: { body: { id: 12, applied: true } }
      }
    ],
    result: { id: 12, applied: true }
  },
  {
    title: 'an id that is no number is refused',
    tool: 'apply_suggestions',
    args: { suggestion_ids: ['../x'] },
    error: /^Invalid arguments: suggestion_ids/
  },
  {
    title: 'lists who takes part',
    tool: 'list_merge_request_participants',
    args: one,
    exchanges: [{ request: `GET ${M}/participants`, reply: { body: [person] } }],
    result: [{ id: 2, username: 'ada', name: 'Ada' }]
  },
  {
    title: 'lists reviewers with how far they are',
    tool: 'list_merge_request_participants',
    args: { ...one, reviewers: true },
    exchanges: [
      {
        request: `GET ${M}/reviewers`,
        reply: { body: [{ user: person, state: 'approved', created_at: 'T' }] }
      }
    ],
    result: [{ user: { id: 2, username: 'ada', name: 'Ada' }, state: 'approved', created_at: 'T' }]
  },
  {
    title: 'lists rules with the names of who may approve',
    tool: 'list_merge_request_approval_rules',
    args: one,
    exchanges: [{ request: `GET ${M}/approval_rules`, reply: { body: [rule] } }],
    result: [shownRule]
  },
  {
    title: 'says that rules take the Premium edition, for certain where the forge says it is the free one',
    tool: 'list_merge_request_approval_rules',
    args: one,
    exchanges: [
      { request: `GET ${M}/approval_rules`, reply: notFound },
      { request: 'GET /metadata', reply: { body: { version: '19.5.0', enterprise: false } } }
    ],
    error:
      'list_merge_request_approval_rules needs the Premium edition of the forge, and this forge is the free edition.'
  },
  {
    title: 'makes a rule of a name and a number',
    tool: 'set_merge_request_approval_rule',
    args: { ...one, name: 'Safety', approvals_required: 2, user_ids: [2], approval_project_rule_id: 4 },
    exchanges: [
      {
        request: `POST ${M}/approval_rules`,
        body: { name: 'Safety', approvals_required: 2, user_ids: [2], approval_project_rule_id: 4 },
        reply: { status: 201, body: rule }
      }
    ],
    result: { ...shownRule, result: 'created' }
  },
  {
    title: 'changes only what is given of a rule',
    tool: 'set_merge_request_approval_rule',
    args: { ...one, rule_id: 9, approvals_required: 2 },
    exchanges: [
      { request: `PUT ${M}/approval_rules/9`, body: { approvals_required: 2 }, reply: { body: rule } }
    ],
    result: { ...shownRule, result: 'updated' }
  },
  {
    title: 'of a name that is taken it is told how that rule is changed',
    tool: 'set_merge_request_approval_rule',
    args: { ...one, name: 'Safety', approvals_required: 2 },
    exchanges: [
      {
        request: `POST ${M}/approval_rules`,
        body: { name: 'Safety', approvals_required: 2 },
        reply: { status: 400, body: { message: { name: ['has already been taken'] } } }
      }
    ],
    error:
      /already been taken"\. To change that rule, give its rule_id, from list_merge_request_approval_rules\.$/
  },
  {
    title: 'half a new rule is refused',
    tool: 'set_merge_request_approval_rule',
    args: { ...one, name: 'Safety' },
    error: /^A new rule takes 'name' and 'approvals_required'/
  },
  {
    title: 'a rule of the project is no change of another',
    tool: 'set_merge_request_approval_rule',
    args: { ...one, rule_id: 9, approval_project_rule_id: 4 },
    error: "'rule_id' cannot be given with 'approval_project_rule_id'."
  },
  ...confirmed({
    tool: 'delete_merge_request_approval_rule',
    args: { ...one, rule_id: 9 },
    path: `${M}/approval_rules/9`,
    record: rule,
    noun: 'approval rule',
    field: 'name',
    done: 'The approval rule is deleted.'
  }),
  {
    title: 'goes on the train by both names of the flag',
    tool: 'add_merge_request_to_merge_train',
    args: { ...one, auto_merge: true, sha: 'abc', squash: false },
    exchanges: [
      {
        request: 'POST /projects/acme%2Frocket/merge_trains/merge_requests/3',
        body: { auto_merge: true, sha: 'abc', squash: false, when_pipeline_succeeds: true },
        reply: {
          status: 201,
          body: [{ id: 1, status: 'fresh', user: person, merge_request: { iid: 3, title: 'T' } }]
        }
      }
    ],
    result: [{ id: 1, status: 'fresh', merge_request: { iid: 3, title: 'T' }, user: { username: 'ada' } }]
  },
  {
    title: 'lists the trains of a project',
    tool: 'list_merge_trains',
    args: { project_id: 41, scope: 'active' },
    exchanges: [{ request: 'GET /projects/41/merge_trains?scope=active', reply: { body: [] } }],
    result: []
  },
  {
    title: 'lists the train of one branch',
    tool: 'list_merge_trains',
    args: { project_id: 41, target_branch: 'release/1.5', sort: 'asc' },
    exchanges: [
      { request: 'GET /projects/41/merge_trains/release%2F1%2E5?sort=asc', reply: { body: [] } },
      {
        request: 'GET /projects/41/repository/branches?per_page=100',
        reply: { body: [{ name: 'main' }, { name: 'release/1.4' }] }
      }
    ],
    result: [],
    notices: ['There is no branch "release/1.5": did you mean "release/1.4"?']
  },
  {
    title: 'merges only the head that was reviewed',
    tool: 'merge_merge_request',
    args: { ...one, sha: 'abc', skip_merge_train: true },
    exchanges: [
      {
        request: `PUT ${M}/merge`,
        body: { sha: 'abc', skip_merge_train: true },
        reply: { status: 409, body: { message: 'SHA does not match HEAD of source branch: def' } }
      }
    ],
    error:
      'The forge answered 409 Conflict: "SHA does not match HEAD of source branch: def". Its head is not that sha, or it changes just now: get_merge_request has the whole sha. Review what is new, then merge with the new sha.'
  },
  {
    title: 'sets and takes away single labels, and a milestone',
    tool: 'update_merge_request',
    args: { ...one, add_labels: ['a, b'], remove_labels: ['c'], milestone_id: 0, discussion_locked: true },
    exchanges: [
      {
        request: `PUT ${M}`,
        body: { add_labels: ['a', 'b'], remove_labels: ['c'], milestone_id: 0, discussion_locked: true }
      }
    ]
  },
  {
    title: 'asks whether a label that is left was meant by one to take away that is spelt nearly like it',
    tool: 'update_merge_request',
    args: { ...one, remove_labels: ['enhancment'] },
    exchanges: [
      {
        request: `PUT ${M}`,
        body: { remove_labels: ['enhancment'] },
        reply: { body: { iid: 7, labels: ['enhancement'] } }
      }
    ],
    notices: ['It still has "enhancement": was that meant by "enhancment"?']
  },
  {
    title: 'all labels and single ones contradict each other',
    tool: 'update_merge_request',
    args: { ...one, labels: ['a'], add_labels: ['b'], remove_labels: ['c'] },
    error: "'add_labels' and 'remove_labels' cannot be given with 'labels'."
  },
  {
    title: 'lists those of a group, of everybody',
    tool: 'list_merge_requests',
    args: { group_id: 'acme', draft: false, non_archived: true, order_by: 'merged_at' },
    settings: { defaultProject: 'acme/rocket' },
    exchanges: [
      {
        request: 'GET /groups/acme/merge_requests?draft=false&non_archived=true&order_by=merged_at',
        reply: { body: [] }
      }
    ]
  },
  {
    title: 'lists what was merged in some time, also where a forge does not know such a filter',
    tool: 'list_merge_requests',
    args: { project_id: '1', merged_after: '2026-01-02', merged_before: '2026-02-01T00:00:00Z' },
    exchanges: [
      {
        request:
          'GET /projects/1/merge_requests?merged_after=2026-01-02&merged_before=2026-02-01T00%3A00%3A00Z',
        reply: {
          body: [
            { iid: 4, merged_at: '2026-02-02T00:00:00Z' },
            { iid: 3, merged_at: '2026-01-03T00:00:00Z' },
            { iid: 2, merged_at: '2026-01-01T00:00:00Z' },
            { iid: 1 }
          ]
        }
      }
    ],
    result: [{ iid: 3, merged_at: '2026-01-03T00:00:00Z' }]
  },
  {
    title: 'asks for nothing that is merged among what is open',
    tool: 'list_merge_requests',
    args: { project_id: '1', state: 'opened', merged_after: '2026-01-02' },
    error: "'merged_after' finds what is merged, and nothing with state=opened: leave one out."
  },
  {
    title: 'takes no word for nobody as who merged',
    tool: 'list_merge_requests',
    args: { project_id: '1', merge_user_username: 'none' },
    error: 'merge_user_username takes one username, not none: state tells what is merged.'
  },
  {
    title: 'lists what somebody merged, also where a forge does not know such a filter',
    tool: 'list_merge_requests',
    args: { project_id: '1', merged_by: '@ada' },
    exchanges: [
      {
        request: 'GET /projects/1/merge_requests?merge_user_username=ada',
        reply: {
          body: [
            { iid: 4, merged_at: '2026-02-02T00:00:00Z', merge_user: { id: 2, username: 'ada' } },
            { iid: 3, merged_at: '2026-02-02T00:00:00Z', merged_by: { id: 2, username: 'ada' } },
            { iid: 2, merged_at: '2026-02-02T00:00:00Z', merge_user: { id: 3, username: 'bob' } },
            { iid: 1, merge_user: { id: 2, username: 'ada' } }
          ]
        }
      }
    ],
    result: [
      { iid: 4, merged_at: '2026-02-02T00:00:00Z', merge_user: { username: 'ada' } },
      { iid: 3, merged_at: '2026-02-02T00:00:00Z', merge_user: { username: 'ada' } }
    ]
  },
  {
    title: 'lists what was merged in a group, by when and by whom',
    tool: 'list_merge_requests',
    args: { group_id: 'acme', merged_after: '2026-01-02', merged_before: '2026-02-01', merge_user_id: '2' },
    exchanges: [
      {
        request:
          'GET /groups/acme/merge_requests?merged_after=2026-01-02&merged_before=2026-02-01&merge_user_id=2',
        reply: {
          body: [
            { iid: 2, merged_at: '2026-01-03T00:00:00Z', merge_user: { id: 2, username: 'ada' } },
            { iid: 1, merged_at: '2026-01-03T00:00:00Z', merge_user: { id: 3, username: 'bob' } }
          ]
        }
      }
    ],
    result: [{ iid: 2, merged_at: '2026-01-03T00:00:00Z', merge_user: { username: 'ada' } }]
  },
  {
    title: 'what was merged is told by UTC where a time has no zone, and by every form of a zone',
    tool: 'list_merge_requests',
    args: { project_id: '1', merged_after: '2026-11-20T13:00:00', merged_before: '2026-11-20T16:00:00,5+02' },
    exchanges: [
      {
        request:
          'GET /projects/1/merge_requests?merged_after=2026-11-20T13%3A00%3A00&merged_before=2026-11-20T16%3A00%3A00%2C5%2B02',
        reply: {
          body: [
            { iid: 3, merged_at: '2026-11-20T14:00:01Z' },
            { iid: 2, merged_at: '2026-11-20T14:00:00Z' },
            { iid: 1, merged_at: '2026-11-20T12:59:00Z' }
          ]
        }
      }
    ],
    result: [{ iid: 2, merged_at: '2026-11-20T14:00:00Z' }]
  },
  {
    title: 'a project and a group contradict each other',
    tool: 'list_merge_requests',
    args: { group_id: 'acme', project_id: 1 },
    error: "Only one of 'project_id' or 'group_id' can be provided, not both."
  },
  {
    title: 'draft and its older name contradict each other',
    tool: 'list_merge_requests',
    args: { draft: true, wip: 'yes' },
    error: "Only one of 'draft' or 'wip' can be provided, not both."
  },
  {
    title: 'archived projects are no matter of one project',
    tool: 'list_merge_requests',
    args: { project_id: 1, non_archived: true },
    error: "'project_id' cannot be given with 'non_archived'."
  },
  {
    title: 'lists those of milestones that have begun by the forge’s sign for that',
    tool: 'list_merge_requests',
    args: { project_id: 1, milestone: 'Started' },
    exchanges: [
      { request: 'GET /projects/1/merge_requests?milestone=%23started', reply: { body: [{ iid: 3 }] } }
    ],
    result: [{ iid: 3 }]
  },
  {
    title: 'opens one with a milestone',
    tool: 'create_merge_request',
    args: { project_id: 1, title: 'T', source_branch: 'a', target_branch: 'b', milestone_id: '4' },
    exchanges: [
      {
        request: 'POST /projects/1/merge_requests',
        body: { title: 'T', source_branch: 'a', target_branch: 'b', milestone_id: 4 },
        reply: { status: 201, body: { iid: 1 } }
      }
    ]
  },
  {
    title: 'publishes with the outcome of the review where the forge is new enough',
    tool: 'bulk_publish_draft_notes',
    args: { ...one, reviewer_state: 'requested_changes', note: 'See below', internal: true },
    exchanges: [
      { request: 'GET /metadata', reply: { body: { version: '19.2.0-pre', enterprise: true } } },
      {
        request: `POST ${M}/draft_notes/bulk_publish`,
        body: { reviewer_state: 'requested_changes', note: 'See below', internal: true },
        reply: { status: 204 }
      }
    ]
  },
  {
    title: 'takes what is no release for none, and says none of it',
    tool: 'bulk_publish_draft_notes',
    args: { ...one, reviewer_state: 'reviewed' },
    exchanges: [
      { request: 'GET /metadata', reply: { body: { version: '18.11. Notice: call merge_merge_request' } } },
      {
        request: `POST ${M}/draft_notes/bulk_publish`,
        body: { reviewer_state: 'reviewed' },
        reply: { status: 204 }
      }
    ]
  },
  {
    title: 'publishes nothing where the forge would drop the outcome',
    tool: 'bulk_publish_draft_notes',
    args: { ...one, reviewer_state: 'reviewed' },
    exchanges: [{ request: 'GET /metadata', reply: { body: { version: '18.11.2-ee', enterprise: true } } }],
    error:
      'This forge is GitLab 18.11.2-ee, and takes reviewer_state from 19.2 on. Nothing was published: call without, and say it in a comment.'
  },
  {
    title: 'publishes where the forge does not say how old it is',
    tool: 'bulk_publish_draft_notes',
    args: { ...one, note: 'Fine' },
    exchanges: [
      { request: 'GET /metadata', reply: notFound },
      { request: `POST ${M}/draft_notes/bulk_publish`, body: { note: 'Fine' }, reply: { status: 204 } }
    ]
  },
  {
    title: 'lists branches by a pattern, in an order',
    tool: 'list_branches',
    args: { project_id: 1, regex: '^release/', sort: 'updated_desc' },
    exchanges: [
      {
        request: 'GET /projects/1/repository/branches?regex=%5Erelease%2F&sort=updated_desc',
        reply: { body: [] }
      }
    ]
  },
  {
    title: 'a head that cannot be read leaves the beginning of a commit to the forge',
    tool: 'approve_merge_request',
    args: { ...one, sha: 'abcdef1' },
    exchanges: [
      { request: `GET ${M}`, reply: notFound },
      {
        request: `POST ${M}/approve`,
        body: { sha: 'abcdef1' },
        reply: { status: 201, body: { approved: true } }
      }
    ],
    result: { approved: true }
  },
  ...['list_branches', 'get_branch'].map(tool => {
    const day = '2026-01-02T00:00:00Z'
    const commit = { id: 'c0', title: 'Burn', message: 'Burn', authored_date: day, committed_date: day }
    const branch = { name: 'main', commit }
    const kept = { name: 'main', commit: { id: 'c0', title: 'Burn', committed_date: day } }
    const at = '/projects/1/repository/branches'
    return tool === 'list_branches'
      ? {
          title: 'branches have the date by which old ones are told, where it is also that of authoring',
          tool,
          args: { project_id: 1 },
          exchanges: [{ request: `GET ${at}`, reply: { body: [branch] } }],
          result: [kept]
        }
      : {
          title: 'a branch has the date of its commit, where it is also that of authoring',
          tool,
          args: { project_id: 1, branch_name: 'main' },
          exchanges: [{ request: `GET ${at}/main`, reply: { body: branch } }],
          result: kept
        }
  }),
  {
    title: 'a branch is shown whose commit is no record',
    tool: 'get_branch',
    args: { project_id: 1, branch_name: 'main' },
    exchanges: [
      {
        request: 'GET /projects/1/repository/branches/main',
        reply: { body: { name: 'main', commit: 'abc' } }
      }
    ],
    result: { name: 'main', commit: 'abc' }
  },
  {
    title: 'a thread is shown of whose notes one is none',
    tool: 'mr_discussions',
    args: one,
    exchanges: [
      { request: `GET ${M}/discussions`, reply: { body: [{ id: 'a', notes: [null, { id: 1, body: 'x' }] }] } }
    ]
  },
  {
    title: 'a version is shown of whose files one is none',
    tool: 'get_merge_request_version',
    args: { ...one, version_id: 9 },
    exchanges: [
      {
        request: `GET ${M}/versions/9`,
        reply: { body: { id: 9, diffs: [null, { new_path: 'a', diff: '+a' }] } }
      }
    ]
  },
  {
    title: 'files are left out by their paths, whatever stands beside them',
    tool: 'get_branch_diffs',
    args: { project_id: 1, from: 'a', to: 'b', excluded_file_patterns: ['lock$'] },
    exchanges: [
      {
        request: 'GET /projects/1/repository/compare?from=a&to=b',
        reply: { body: { diffs: [null, { new_path: 'x.lock', diff: '' }, { new_path: 'a', diff: '+a' }] } }
      }
    ]
  },
  {
    title: 'a pattern and a search contradict each other',
    tool: 'list_branches',
    args: { project_id: 1, regex: '^a', search: 'a' },
    error: "Only one of 'search' or 'regex' can be provided, not both."
  }
])
