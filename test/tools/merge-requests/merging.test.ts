import { mergeRequests } from '../../../tools/merge-requests/index.ts'
import { type Case, runTable } from '../../support/tool-table.ts'

const read = 'GET /projects/1/merge_requests/12'
const merge = 'PUT /projects/1/merge_requests/12/merge'
const state = 'GET /projects/1/merge_requests/12/approval_state'
const approvals = 'GET /projects/1/merge_requests/12/approvals'
const one = { project_id: '1', merge_request_iid: '12' }
const ada = { id: 1, username: 'ada', name: 'Ada' }
const bob = { id: 2, username: 'bob', name: 'Bob' }
const ofForge = (person: object) => ({ ...person, state: 'active', avatar_url: null, web_url: 'x' })
const record = {
  iid: 12,
  title: 'Fix leak',
  state: 'opened',
  has_conflicts: false,
  merge_status: 'can_be_merged',
  detailed_merge_status: 'mergeable',
  merge_error: null,
  source_branch: 'fix/leak',
  target_branch: 'main',
  web_url: 'https://forge.example/acme/rocket/-/merge_requests/12'
}
const { title: _title, merge_error: _error, ...shown } = record

runTable(mergeRequests, [
  {
    title: 'sends no flag that was not given, for a false one can override the setting of the merge request',
    tool: 'merge_merge_request',
    args: one,
    exchanges: [{ request: merge, body: {}, reply: { body: { iid: 12, state: 'merged' } } }],
    result: { iid: 12, state: 'merged' },
    notices: []
  },
  {
    title: 'says nothing of the source branch where the answer does not, whatever was asked',
    tool: 'merge_merge_request',
    args: { ...one, should_remove_source_branch: true },
    exchanges: [
      {
        request: merge,
        body: { should_remove_source_branch: true },
        reply: { body: { iid: 12, state: 'merged' } }
      }
    ],
    result: { iid: 12, state: 'merged' }
  },
  ...[true, false].map(is => ({
    title: `${is ? 'says' : 'says nothing'} of squash=false where the merge request ${is ? 'squashes' : 'does not squash'}`,
    tool: 'merge_merge_request',
    args: { ...one, squash: false },
    exchanges: [
      {
        request: merge,
        body: { squash: false },
        reply: { body: { iid: 12, state: 'merged', squash: is } }
      }
    ],
    result: { iid: 12, state: 'merged' },
    notices: is
      ? [
          'Its commits are squashed all the same: the merge request says so, which squash=false of a merge does not change. Before a merge, update_merge_request with squash=false does.'
        ]
      : []
  })),
  ...[
    { title: 'says that the source branch stays where the answer has no yes of it', goes: false },
    { title: 'says whether the source branch goes with it', goes: true },
    {
      title: 'says that the source branch stays if the call has it kept, whatever the merge request says',
      asked: { should_remove_source_branch: false },
      goes: false,
      wish: true
    }
  ].map(({ title, asked = {}, goes, wish = goes }) => ({
    title,
    tool: 'merge_merge_request',
    args: { ...one, ...asked },
    exchanges: [
      {
        request: merge,
        body: asked,
        reply: {
          body: {
            iid: 12,
            state: 'merged',
            should_remove_source_branch: null,
            force_remove_source_branch: wish
          }
        }
      }
    ],
    result: { iid: 12, state: 'merged', removes_source_branch: goes }
  })),
  {
    title: 'sends every flag that was given',
    tool: 'merge_merge_request',
    args: {
      ...one,
      merge_commit_message: 'Merge',
      squash_commit_message: 'Squash',
      squash: true,
      should_remove_source_branch: 'false',
      auto_merge: false
    },
    exchanges: [
      {
        request: merge,
        body: {
          merge_commit_message: 'Merge',
          squash_commit_message: 'Squash',
          squash: true,
          should_remove_source_branch: false,
          auto_merge: false
        },
        reply: { body: { state: 'merged' } }
      }
    ]
  },
  {
    title: 'sends both names of auto-merge, so that an older forge does not merge at once, and says it waits',
    tool: 'merge_merge_request',
    args: { ...one, auto_merge: true },
    exchanges: [
      {
        request: merge,
        body: { auto_merge: true, merge_when_pipeline_succeeds: true },
        reply: { body: { state: 'opened', merge_when_pipeline_succeeds: true } }
      }
    ],
    result: { state: 'opened', merge_when_pipeline_succeeds: true },
    notices: ['Not merged yet (state "opened"): get_merge_request shows how it goes on.']
  },
  ...(
    [
      [
        { detailed_merge_status: 'discussions_not_resolved' },
        ' It waits, as all threads must be resolved first: resolve_merge_request_thread.'
      ],
      [
        { detailed_merge_status: 'ci_still_running', blocking_discussions_resolved: false },
        ' It waits, as all threads must be resolved first: resolve_merge_request_thread.'
      ],
      [{ detailed_merge_status: 'ci_still_running' }, '']
    ] as const
  ).map(
    ([waits, said]): Case => ({
      title: `says what a merge waits for that does not pass by itself: ${JSON.stringify(waits)}`,
      tool: 'merge_merge_request',
      args: { ...one, auto_merge: true },
      exchanges: [
        {
          request: merge,
          body: { auto_merge: true, merge_when_pipeline_succeeds: true },
          reply: { body: { state: 'opened', ...waits } }
        }
      ],
      notices: [`Not merged yet (state "opened"): get_merge_request shows how it goes on.${said}`]
    })
  ),
  {
    title: 'takes the older name alone',
    tool: 'merge_merge_request',
    args: { ...one, merge_when_pipeline_succeeds: true },
    exchanges: [
      { request: merge, body: { merge_when_pipeline_succeeds: true }, reply: { body: { state: 'merged' } } }
    ]
  },
  {
    title: 'leaves a head of any form to the forge, which compares it',
    tool: 'merge_merge_request',
    args: { ...one, sha: 'head-sha' },
    exchanges: [{ request: merge, body: { sha: 'head-sha' }, reply: { body: { state: 'merged' } } }],
    result: { state: 'merged' }
  },
  {
    title: 'refuses an empty head, without which what nobody reviewed would be merged',
    tool: 'merge_merge_request',
    args: { ...one, sha: '' },
    error:
      'Invalid arguments: sha must be the sha of the head you reviewed, and is empty: left out, any head will do.'
  },
  {
    title: 'refuses a yes and a no to auto-merge',
    tool: 'merge_merge_request',
    args: { ...one, auto_merge: false, merge_when_pipeline_succeeds: true },
    error: "'auto_merge' and 'merge_when_pipeline_succeeds' contradict each other: give only auto_merge."
  },
  {
    title: 'needs a number',
    tool: 'merge_merge_request',
    args: { project_id: '1' },
    error: 'Invalid arguments: merge_request_iid is required.'
  },
  {
    title: 'says why it cannot be merged, as the merge request itself has it',
    tool: 'merge_merge_request',
    args: one,
    exchanges: [
      { request: merge, body: {}, reply: { status: 405, body: { message: '405 Method Not Allowed' } } },
      { request: read, reply: { body: { state: 'opened', detailed_merge_status: 'draft_status' } } }
    ],
    error:
      'The forge answered 405 Method Not Allowed. Its detailed_merge_status is "draft_status": it is a draft: update_merge_request with draft=false. It cannot be merged now.'
  },
  ...[
    ['merged', 'It is merged already: nothing is left to do.'],
    ['closed', 'It is "closed": update_merge_request with state_event=reopen opens it again.']
  ].map(([state, says]) => ({
    title: `says of one that is ${state} what is left to do, and no more`,
    tool: 'merge_merge_request',
    args: one,
    exchanges: [
      { request: merge, body: {}, reply: { status: 405, body: { message: '405 Method Not Allowed' } } },
      { request: read, reply: { body: { state } } }
    ],
    error: `The forge answered 405 Method Not Allowed. ${says}`
  })),
  {
    title: 'says less where the merge request cannot be read either',
    tool: 'merge_merge_request',
    args: one,
    exchanges: [
      { request: merge, body: {}, reply: { status: 405, body: { message: '405 Method Not Allowed' } } },
      { request: read, reply: { status: 404, body: {} } }
    ],
    error: 'The forge answered 405 Method Not Allowed. It cannot be merged now.'
  },
  {
    title: 'does not blame the token alone for a 401',
    tool: 'merge_merge_request',
    args: one,
    exchanges: [{ request: merge, body: {}, reply: { status: 401, body: { message: '401 Unauthorized' } } }],
    error: /may not merge into this target branch, or the token is not valid\.$/
  },
  {
    title: 'says that the outcome is not known when the answer is no JSON',
    tool: 'merge_merge_request',
    args: one,
    exchanges: [{ request: merge, body: {}, reply: { body: '<html>' } }],
    error: /The change may or may not have been made/
  },
  {
    title: 'tells from the merge request itself that there are no conflicts',
    tool: 'get_merge_request_conflicts',
    args: one,
    exchanges: [{ request: 'GET /projects/1/merge_requests/12', reply: { body: record } }],
    result: shown,
    notices: []
  },
  {
    title: 'says that the forge does not name the files that conflict',
    tool: 'get_merge_request_conflicts',
    args: one,
    exchanges: [
      {
        request: 'GET /projects/1/merge_requests/12',
        reply: { body: { ...record, has_conflicts: true, detailed_merge_status: 'conflict' } }
      }
    ],
    result: { ...shown, has_conflicts: true, detailed_merge_status: 'conflict' },
    notices: [
      'The forge does not tell which files conflict: look at those that list_merge_request_changed_files and get_branch_diffs (from source_branch, to target_branch) both name. No tool solves it on this branch: have it done with git, or commit_files all of its changes, solved, to another (start_branch is target_branch) and create_merge_request of that in its place.'
    ]
  },
  {
    title: 'does not say that there are no conflicts while the forge is checking',
    tool: 'get_merge_request_conflicts',
    args: one,
    exchanges: [
      {
        request: 'GET /projects/1/merge_requests/12',
        reply: { body: { iid: 12, has_conflicts: false, detailed_merge_status: 'checking' } }
      }
    ],
    result: { iid: 12, detailed_merge_status: 'checking' },
    notices: [
      'The forge is still checking, so whether there are conflicts is not known: ask again in some seconds.'
    ]
  },
  {
    title: 'does not read conflicts out of a list',
    tool: 'get_merge_request_conflicts',
    args: one,
    exchanges: [
      { request: read, reply: { body: [] } },
      { request: `${read}/conflicts`, reply: { body: [] }, outsideContract: true }
    ],
    error: 'The forge answered with something that is not a record.'
  },
  ...[{ status: 404, body: { message: '404 Not Found' } }, { body: {} }, { body: [] }].map(reply => ({
    title: `asks the route that other servers do where the merge request is ${JSON.stringify(reply)}`,
    tool: 'get_merge_request_conflicts',
    args: one,
    exchanges: [
      { request: read, reply },
      {
        request: `${read}/conflicts`,
        reply: { body: { files: [{ old_path: 'a' }] } },
        outsideContract: true
      }
    ],
    result: { files: [{ old_path: 'a' }] },
    notices: []
  })),
  {
    title: 'says that there is no such merge request where neither is there',
    tool: 'get_merge_request_conflicts',
    args: one,
    exchanges: [
      { request: read, reply: { status: 404, body: { message: '404 Not found' } } },
      {
        request: `${read}/conflicts`,
        reply: { status: 404, body: { error: '404 of a route' } },
        outsideContract: true
      }
    ],
    error: /^The forge answered 404 Not Found\. (?!.*of a route)/
  },
  {
    title: 'does not ask that route for what a token problem is',
    tool: 'get_merge_request_conflicts',
    args: one,
    exchanges: [{ request: read, reply: { status: 401, body: { message: '401 Unauthorized' } } }],
    error: /^The forge answered 401 Unauthorized/
  },
  {
    title: 'lists pipelines page by page',
    tool: 'list_merge_request_pipelines',
    args: { ...one, page: 2 },
    exchanges: [
      {
        request: 'GET /projects/1/merge_requests/12/pipelines?page=2',
        reply: { body: [{ id: 5, status: 'failed' }] }
      }
    ],
    result: [{ id: 5, status: 'failed' }],
    notices: []
  },
  {
    title: 'approves and never gives the password back',
    tool: 'approve_merge_request',
    args: { ...one, sha: 'abc', approval_password: 'correct horse' },
    exchanges: [
      {
        request: 'POST /projects/1/merge_requests/12/approve',
        body: { sha: 'abc', approval_password: 'correct horse' },
        reply: { status: 201, body: { approved: true, approval_password: 'correct horse' } }
      }
    ],
    result: { approved: true }
  },
  {
    title: 'takes the password out of what the forge says of it',
    tool: 'approve_merge_request',
    args: { ...one, approval_password: 'correct horse' },
    exchanges: [
      {
        request: 'POST /projects/1/merge_requests/12/approve',
        body: { approval_password: 'correct horse' },
        reply: { status: 401, body: { message: 'correct horse is wrong' } }
      }
    ],
    error:
      /^The forge answered 401 Unauthorized: "\[approval_password\] is wrong"\. The approval was not accepted/
  },
  {
    title: 'does not quote a password that is not text',
    tool: 'approve_merge_request',
    args: { ...one, approval_password: 12345678 },
    error: 'Invalid arguments: approval_password must be a string, not a number.'
  },
  {
    title: 'says what to do when the head has moved',
    tool: 'approve_merge_request',
    args: { ...one, sha: 'abc' },
    exchanges: [
      {
        request: 'POST /projects/1/merge_requests/12/approve',
        body: { sha: 'abc' },
        reply: { status: 409, body: { message: 'SHA does not match HEAD of source branch: def' } }
      }
    ],
    error: /get_merge_request has the whole sha\. Review its new head, then approve that sha\.$/
  },
  {
    title: 'withdraws an approval',
    tool: 'unapprove_merge_request',
    args: one,
    exchanges: [
      {
        request: 'POST /projects/1/merge_requests/12/unapprove',
        body: {},
        reply: { status: 201, body: { user_has_approved: false } }
      }
    ],
    result: { user_has_approved: false }
  },
  {
    title: 'says that there may be no approval to withdraw',
    tool: 'unapprove_merge_request',
    args: one,
    exchanges: [
      {
        request: 'POST /projects/1/merge_requests/12/unapprove',
        body: {},
        reply: { status: 404, body: { message: '404 Not Found' } }
      }
    ],
    error: /also answers 404 when you have not approved it\.$/
  },
  {
    title: 'gives the rules, and everyone who approved under any of them once',
    tool: 'get_merge_request_approval_state',
    args: one,
    exchanges: [
      {
        request: state,
        reply: {
          body: {
            approval_rules_overwritten: false,
            rules: [
              { id: 1, name: 'Owners', approved_by: [ofForge(ada)] },
              { id: 2, name: 'Developers', approved_by: [ofForge(bob), ofForge(ada)] },
              { id: 3, name: 'Odd' }
            ]
          }
        }
      }
    ],
    result: {
      source: 'approval_state',
      approval_rules_overwritten: false,
      rules: [
        { id: 1, name: 'Owners', approved_by: [ada] },
        { id: 2, name: 'Developers', approved_by: [bob, ada] },
        { id: 3, name: 'Odd' }
      ],
      approved_by: [{ user: ada }, { user: bob }]
    }
  },
  {
    title: 'names the people of a rule once where those are all who may approve',
    tool: 'get_merge_request_approval_state',
    args: one,
    exchanges: [
      {
        request: state,
        reply: {
          body: {
            rules: [
              {
                id: 1,
                eligible_approvers: [ofForge(ada), ofForge(bob)],
                users: [ofForge(bob), ofForge(ada)]
              },
              { id: 2, eligible_approvers: [ofForge(ada), ofForge(bob)], users: [ofForge(bob)] }
            ]
          }
        }
      }
    ],
    result: {
      source: 'approval_state',
      rules: [
        { id: 1, eligible_approvers: [ada, bob] },
        { id: 2, eligible_approvers: [ada, bob], users: [bob] }
      ],
      approved_by: []
    }
  },
  ...[402, 403, 404].map(status => ({
    title: `asks approvals where the forge answers ${status} for rules`,
    tool: 'get_merge_request_approval_state',
    args: one,
    exchanges: [
      { request: state, reply: { status, body: { message: 'no' } } },
      { request: approvals, reply: { body: { approved: true, approved_by: [{ user: ofForge(ada) }] } } }
    ],
    result: { source: 'approvals', approved: true, approved_by: [{ user: ada }] }
  })),
  {
    title: 'asks approvals when there are no rules, which then name nobody',
    tool: 'get_merge_request_approval_state',
    args: one,
    exchanges: [
      { request: state, reply: { body: { rules: [] } } },
      { request: approvals, reply: { body: { approved: true, approved_by: [{ user: ofForge(ada) }] } } }
    ],
    result: { source: 'approvals', approved: true, approved_by: [{ user: ada }] }
  },
  {
    title: 'gives the empty rules when approvals is not to be had',
    tool: 'get_merge_request_approval_state',
    args: one,
    exchanges: [
      { request: state, reply: { body: { approval_rules_overwritten: false, rules: [] } } },
      { request: approvals, reply: { status: 403, body: { message: '403 Forbidden' } } }
    ],
    result: { source: 'approval_state', approval_rules_overwritten: false, rules: [], approved_by: [] }
  },
  ...[{}, []].map(body => ({
    title: `asks approvals where the forge answers ${JSON.stringify(body)} for rules`,
    tool: 'get_merge_request_approval_state',
    args: one,
    exchanges: [
      { request: state, reply: { body } },
      { request: approvals, reply: { body: { approved: true, approved_by: [{ user: ofForge(ada) }] } } }
    ],
    result: { source: 'approvals', approved: true, approved_by: [{ user: ada }] }
  })),
  ...[
    {
      reply: { body: {} },
      why: 'without a record: check that the API URL is the forge itself, not a login page or proxy.'
    },
    { reply: { body: [] }, why: 'with something that is not a record.' },
    {
      reply: { status: 500, body: { message: 'oops' } },
      why: '500 Internal Server Error: "oops". The trouble is on its side: try again later.'
    },
    { reply: { status: 404, body: {} }, why: '404 Not Found. What else is shown is complete.' }
  ].map(({ reply, why }) => ({
    title: `gives the empty rules where approvals answers ${JSON.stringify(reply)}, and says what is not known`,
    tool: 'get_merge_request_approval_state',
    args: one,
    exchanges: [
      { request: state, reply: { body: { approval_rules_overwritten: false, rules: [] } } },
      { request: approvals, reply }
    ],
    result: { source: 'approval_state', approval_rules_overwritten: false, rules: [], approved_by: [] },
    notices: [`Who approved it could not be read, so approved_by is not known: The forge answered ${why}`]
  })),
  {
    title: 'fails where the token is no longer accepted when the rules are known',
    tool: 'get_merge_request_approval_state',
    args: one,
    exchanges: [
      { request: state, reply: { body: { rules: [] } } },
      { request: approvals, reply: { status: 401, body: { message: '401 Unauthorized' } } }
    ],
    error: /^The forge answered 401 Unauthorized/
  },
  {
    title: 'fails when neither answers',
    tool: 'get_merge_request_approval_state',
    args: one,
    exchanges: [
      { request: state, reply: { status: 404, body: { error: '404 Not Found' } } },
      { request: approvals, reply: { status: 404, body: { message: '404 Not found' } } }
    ],
    error: /^The forge answered 404 Not Found/
  },
  {
    title: 'does not ask again for what a token problem is',
    tool: 'get_merge_request_approval_state',
    args: one,
    exchanges: [{ request: state, reply: { status: 401, body: { message: '401 Unauthorized' } } }],
    error: /^The forge answered 401 Unauthorized/
  }
])
