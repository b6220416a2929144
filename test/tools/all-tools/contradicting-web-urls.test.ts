import { toolsets } from '../../../tools/index.ts'
import { type Case, runTable } from '../../support/tool-table.ts'

/* Calls in which a web address and an argument name two things. */

const project = 'https://forge.example/acme/rocket/-'
const project_id = 'acme/rocket'
const refused: Case[] = (
  [
    ['delete_branch', 'tree/nightly', { branch: 'main' }, 'branch "nightly", and branch is "main"'],
    ['delete_branch', 'tree/fix/drift', { branch: 'main' }, 'branch "fix/drift", and branch is "main"'],
    ['delete_tag', 'tags/nightly', { tag_name: 'v1.4.0' }, 'tag_name "nightly", and tag_name is "v1.4.0"'],
    ['delete_release', 'releases/nightly', { tag_name: 'v1' }, 'tag_name "nightly", and tag_name is "v1"'],
    ['delete_wiki_page', 'wikis/A', { slug: 'B' }, 'slug "A", and slug is "B"'],
    ['erase_job', 'jobs/5', { job_id: 6, confirm: 'x' }, 'job_id 5, and job_id is "6"'],
    ['play_pipeline_job', 'jobs/5', { job_id: 6 }, 'job_id 5, and job_id is "6"'],
    ['cancel_pipeline', 'pipelines/5', { pipeline_id: '#6' }, 'pipeline_id 5, and pipeline_id is "#6"'],
    ['retry_pipeline', 'pipelines/5', { pipeline_id: 6 }, 'pipeline_id 5, and pipeline_id is "6"'],
    ['create_branch', 'tree/old', { branch: 'new', ref: 'main' }, 'ref "old", and ref is "main"'],
    [
      'update_merge_request_note',
      'merge_requests/3#note_5',
      { merge_request_iid: 3, note_id: 8, body: 'B' },
      'note_id 5, and note_id is "8"'
    ]
  ] as const
).map(([tool, at, args, said]) => ({
  title: `${tool} does nothing to what is another thing than that of ${at}`,
  tool,
  args: { project_id: `${project}/${at}`, ...args },
  error: `project_id is the address of ${said}: give the one that is meant.`
}))

const stands = 'for a comment of its own leave out #note_5.'
const answers: Case[] = (
  [
    [
      'create_issue_note',
      { issue_iid: `${project}/issues/3#note_5` },
      'issue_iid is the address of note 5: an answer to it takes discussion_id, which list_issue_discussions has'
    ],
    [
      'create_merge_request_note',
      { merge_request_iid: `${project}/merge_requests/3#note_5` },
      'merge_request_iid is the address of note 5: create_merge_request_discussion_note answers it'
    ],
    [
      'create_draft_note',
      { merge_request_iid: `${project}/merge_requests/3#note_5` },
      'merge_request_iid is the address of note 5: an answer to it takes in_reply_to_discussion_id, which mr_discussions has'
    ],
    [
      'create_note',
      { project_id: `${project}/issues/3#note_5`, noteable_type: 'issue', noteable_iid: 3 },
      'project_id is the address of note 5: create_issue_note answers it'
    ]
  ] as const
).map(([tool, args, said]) => ({
  title: `${tool} writes no comment that stands alone where the address of another one is given`,
  tool,
  args: { project_id, body: 'B', ...args },
  error: `${said}; ${stands}`
}))

const part = (thing: string) => `for the ${thing} itself leave out #note_5.`
const parts: Case[] = (
  [
    [
      'delete_issue',
      'issues/3#note_5',
      {},
      `note 5: delete_issue_note deletes it; update_issue_note changes it; ${part('issue')}`
    ],
    [
      'update_merge_request',
      'merge_requests/3#note_5',
      { description: 'D' },
      `note 5: update_merge_request_note changes it; ${part('merge request')}`
    ],
    [
      'update_work_item',
      'work_items/3#note_5',
      { description: 'D' },
      `note 5: update_issue_note changes it; ${part('work item')}`
    ],
    [
      'delete_issue',
      'issues/3/designs/a.png?w=1#note_5',
      {},
      'note 5: delete_issue_note deletes it; update_issue_note changes it; for the issue itself leave out "/designs/a.png#note_5".'
    ],
    ['delete_issue', 'issues/3#L4', {}, 'line 4: for the issue itself leave out "#L4".'],
    [
      'update_project',
      'issues/3',
      { description: 'D' },
      'an issue, which get_issue shows: for the project itself give "acme/rocket".'
    ]
  ] as const
).map(([tool, at, args, said]) => ({
  title: `${tool} does nothing to the whole of what ${at} is a part of`,
  tool,
  args: { project_id: `${project}/${at}`, ...args },
  error: `project_id is the address of ${said}`
}))

const reactions: Case[] = (
  [
    ['issue', 'issues/3'],
    ['merge request', 'merge_requests/3']
  ] as const
).map(([thing, at]) => {
  const noun = thing.replace(' ', '_')
  return {
    title: `gives no ${thing} the reaction to a comment on it`,
    tool: `create_${noun}_emoji_reaction`,
    args: { project_id: `${project}/${at}#note_5`, name: 'eyes' },
    error: `project_id is the address of note 5: create_${noun}_note_emoji_reaction is for it; ${part(thing)}`
  }
})

const anchor = `#${'a'.repeat(40)}_12_16`
const lines: Case[] = (
  [
    [
      'create_merge_request_thread',
      { project_id: `${project}/merge_requests/3/diffs${anchor}`, body: 'B' },
      `project_id is the address of a line of a diff: give path and line=16, or old_line=12 for a removed line; for a comment on the whole leave out "${anchor}".`
    ],
    [
      'create_draft_note',
      {
        project_id,
        merge_request_iid: `${project}/merge_requests/3/diffs#${'a'.repeat(40)}_0_16`,
        body: 'B'
      },
      /^merge_request_iid is the address of a line of a diff: give path and line=16; for/
    ],
    [
      'submit_review',
      { project_id: `${project}/merge_requests/3/diffs${anchor}`, summary: 'S' },
      /^project_id is the address of a line of a diff: give comments with path and line=16, or/
    ],
    [
      'create_merge_request_thread',
      { project_id, merge_request_iid: 3, url: `${project}/blob/fix/drift/a.ts#L16`, body: 'B' },
      'url is the address of line 16 of a file: give path and line=16.'
    ],
    [
      'create_merge_request_thread',
      { project_id, merge_request_iid: 3, path: `${project}/blob/fix/drift/a.ts#L16`, body: 'B' },
      'path is the address of line 16 of a file: give path and line=16.'
    ],
    [
      'create_merge_request_thread',
      { project_id, merge_request_iid: 3, path: 'a.ts#L16', body: 'B' },
      'path needs line, or old_line for a removed line: give line=16, and path without it.'
    ],
    [
      'submit_review',
      { project_id, merge_request_iid: 3, comments: [{ path: `${project}/blob/main/a.ts#L16`, body: 'B' }] },
      'comments.0: path needs line, or old_line for a removed line: give line=16, and path without it.'
    ]
  ] as const
).map(([tool, args, error]) => ({
  title: `comments on no whole merge request where the address in ${JSON.stringify(args)} is of a line`,
  tool,
  args,
  error
}))

const notIds: Case[] = (
  [
    ['delete_issue', 'delete_issue_note deletes a comment'],
    ['create_issue_emoji_reaction', 'create_issue_note_emoji_reaction is for a comment'],
    ['create_merge_request_emoji_reaction', 'create_merge_request_note_emoji_reaction is for a comment']
  ] as const
).map(([tool, instead]) => ({
  title: `${tool} leads whoever gives it a comment to the tool for that`,
  tool,
  args: {
    project_id,
    [tool.includes('issue') ? 'issue_iid' : 'merge_request_iid']: 3,
    ...(tool.startsWith('create') && { name: 'eyes' }),
    note_id: 5
  },
  error: `Invalid arguments: unknown argument "note_id", ${instead}.`
}))

const severalAt = (issue_iid: unknown, given: string) => ({
  tool: 'update_issues',
  args: { project_id: given, issues: [{ issue_iid, description: 'D' }] }
})

const note = { request: 'PUT /projects/acme%2Frocket/merge_requests/3/notes/5', reply: { body: { id: 5 } } }
const file = (path: string) => ({
  request: `GET /projects/acme%2Frocket/repository/files/${path}/raw?ref=main`,
  reply: { headers: { 'content-type': 'text/plain' }, body: 'one\ntwo\nthree\n' }
})

const cases: Case[] = [
  ...refused,
  ...answers,
  ...parts,
  ...reactions,
  ...lines,
  {
    title: 'begins a branch at the commit of an address',
    tool: 'create_branch',
    args: { project_id, branch: 'new', ref: `${project}/commit/${'a'.repeat(40)}` },
    exchanges: [
      {
        request: 'POST /projects/acme%2Frocket/repository/branches',
        body: { branch: 'new', ref: 'a'.repeat(40) },
        reply: { body: { name: 'new' } }
      }
    ]
  },
  {
    title: 'runs no pipeline at the commit of an address, as it takes branches and tags',
    tool: 'create_pipeline',
    args: { project_id, ref: `${project}/commit/${'a'.repeat(40)}` },
    error: 'ref is the address of a commit, which get_commit shows.'
  },
  {
    title: 'does not say of a path whose ref may be longer that it is at the first word of it',
    tool: 'get_files',
    args: {
      project_id,
      paths: [`${project}/blob/${'a'.repeat(40)}/a.ts`, `${project}/blob/release/1.4/README.md`]
    },
    error: /^paths\.1 is at "release" or a longer name that begins so, and one before it at "aaaa/
  },
  ...notIds,
  {
    title: 'approves by the address of a line of the diff',
    tool: 'submit_review',
    args: { project_id: `${project}/merge_requests/3/diffs${anchor}`, verdict: 'approve' },
    exchanges: [
      {
        request: 'POST /projects/acme%2Frocket/merge_requests/3/approve',
        body: {},
        reply: { body: { iid: 3, approved: true } }
      }
    ]
  },
  {
    title: 'publishes no summary that stands alone where the address of a comment is given',
    tool: 'submit_review',
    args: { project_id: `${project}/merge_requests/3#note_5`, summary: 'S' },
    error: `project_id is the address of note 5: create_merge_request_discussion_note answers it; ${stands}`
  },
  {
    title: 'changes the labels of what the address of a comment is of',
    tool: 'update_issue',
    args: { project_id: `${project}/issues/3#note_5`, add_labels: ['bug'] },
    exchanges: [
      {
        request: 'PUT /projects/acme%2Frocket/issues/3',
        body: { add_labels: ['bug'] },
        reply: { body: { iid: 3 } }
      }
    ],
    result: { iid: 3 }
  },
  {
    title: 'replaces no text of one of several by the address of its comment',
    ...severalAt(`${project}/issues/3#note_5`, project_id),
    error: /issue_iid is the address of note 5: update_issue_note changes it; for the issue itself/
  },
  {
    title: 'replaces no text of one of several beside the address of its comment',
    ...severalAt(3, `${project}/issues/3#note_5`),
    error: /^project_id is the address of note 5: update_issue_note changes it; for the issue itself/
  },
  {
    title: 'describes a project by the address of the branch that it shows',
    tool: 'update_project',
    args: { project_id: `${project}/tree/main`, description: 'D' },
    exchanges: [
      { request: 'PUT /projects/acme%2Frocket', body: { description: 'D' }, reply: { body: { id: 41 } } }
    ]
  },
  {
    title: 'answers in a thread that is given beside the address of a comment',
    tool: 'create_issue_note',
    args: { project_id, issue_iid: `${project}/issues/3#note_5`, discussion_id: 'abc', body: 'B' },
    exchanges: [
      {
        request: 'POST /projects/acme%2Frocket/issues/3/discussions/abc/notes',
        body: { body: 'B' },
        reply: { body: { id: 6 } }
      }
    ],
    result: { id: 6 }
  },
  ...['delete_milestone', 'update_milestone'].map(tool => ({
    title: `${tool} changes no milestone of an id beside the address of one`,
    tool,
    args: {
      project_id: `${project}/milestones/3`,
      milestone_id: 3,
      ...(tool === 'delete_milestone' ? { confirm: '1.5' } : { title: '1.5' })
    },
    error:
      'project_id is the address of the milestone with iid 3, and milestone_id "3" is an id: give it alone, or the title; list_milestones with iids=3 has both.'
  })),
  {
    title: 'changes neither milestone where two are given by their addresses',
    tool: 'update_milestone',
    args: { project_id: `${project}/milestones/3`, milestone_id: `${project}/milestones/2`, title: 'T' },
    error: 'project_id and milestone_id are the addresses of two milestones: give the one that is meant.'
  },
  {
    title: 'changes no other comment than that of the address which is given for the merge request',
    tool: 'update_merge_request_note',
    args: { project_id, merge_request_iid: `${project}/merge_requests/3#note_5`, note_id: 8, body: 'B' },
    error: 'merge_request_iid is the address of note_id 5, and note_id is "8": give the one that is meant.'
  },
  {
    title: 'changes a comment whose number is that of the address',
    tool: 'update_merge_request_note',
    args: { project_id, merge_request_iid: `${project}/merge_requests/3#note_5`, note_id: 5, body: 'B' },
    exchanges: [{ ...note, body: { body: 'B' } }],
    result: { id: 5 }
  },
  ...['fix/drift', 'refs/heads/fix/drift'].map(at => ({
    title: `deletes the branch at tree/${at} that is also given by its name`,
    tool: 'delete_branch',
    args: { project_id: `${project}/tree/${at}`, branch: 'fix/drift' },
    exchanges: [
      { request: 'DELETE /projects/acme%2Frocket/repository/branches/fix%2Fdrift', reply: { status: 204 } }
    ]
  })),
  {
    title: 'changes no other issues than that of the address',
    tool: 'update_issues',
    args: { project_id: `${project}/issues/2`, issues: [{ issue_iid: 3, title: 'New' }] },
    error:
      'project_id is the address of issue_iid 2, which is none of those that are given: give the one that is meant.'
  },
  {
    title: 'takes no number of a milestone for that of an issue',
    tool: 'update_issue',
    args: { project_id: `${project}/milestones/2`, title: 'New' },
    error:
      'Invalid arguments: issue_iid is required. project_id is the address of a milestone, which list_milestones shows: only its project is used here.'
  },
  {
    title: 'reads no lines of a file that an address names for another',
    tool: 'get_file_contents',
    args: { project_id: `${project}/blob/main/src/engine.ts#L2-3`, path: 'README.md' },
    exchanges: [file('README%2Emd')],
    text: 'one\ntwo\nthree\n'
  },
  {
    title: 'reads the lines that an address names of a file whose path is also given',
    tool: 'get_file_contents',
    args: { project_id: `${project}/blob/main/src/engine.ts#L2-3`, path: 'src/engine.ts' },
    exchanges: [file('src%2Fengine%2Ets')],
    text: 'two\nthree'
  }
]

for (const toolset of toolsets)
  runTable(
    toolset,
    cases.filter(({ tool }) => toolset.rows.some(({ name }) => name === tool))
  )
