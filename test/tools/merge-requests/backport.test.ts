import { mergeRequests } from '../../../tools/merge-requests/index.ts'
import { repository } from '../../../tools/repository/index.ts'
import { story } from '../../support/sandbox-tools.ts'
import { runTable } from '../../support/tool-table.ts'

const rocket = { project_id: 'acme/rocket' }
const pinned = { ...rocket, merge_request_iid: '1', target_branch: 'release/1.4' }
const rooms = [mergeRequests, repository]

story('a merged change is brought to another branch in one call', rooms, async (t, as) => {
  const ada = as('ada')
  const { value, error } = await ada('backport_merge_request', pinned)
  t.equal(error, undefined)
  t.match(value, {
    title: 'Pin the compiler (release/1.4)',
    state: 'opened',
    source_branch: 'backport-1-release/1.4',
    target_branch: 'release/1.4'
  })
  const one = { ...rocket, merge_request_iid: String(value.iid) }
  t.same((await ada('list_merge_request_changed_files', one)).value.map(pathOf), ['.nvmrc'])
  const made = (await ada('get_merge_request', one)).value
  t.equal(made.description, 'Backport of !1.')
  t.same(made.labels, (await ada('get_merge_request', { ...rocket, merge_request_iid: '1' })).value.labels)
  const ref = { ...rocket, ref: value.source_branch }
  const [commit] = (await ada('list_commits', ref)).value
  t.match(commit.message ?? commit.title, /^Pin the compiler/)
  t.match(
    (await ada('backport_merge_request', pinned)).error,
    /It was brought there before: !\d+ \("opened"\) is from backport-1-release\/1\.4 to release\/1\.4\. Nothing was done/,
    'a second time'
  )
  const named = { ...pinned, branch: 'again', title: 'Again' }
  t.match((await ada('backport_merge_request', named)).value, { title: 'Again', source_branch: 'again' })
})

story('what cannot be brought there leaves no branch behind', rooms, async (t, as) => {
  const ada = as('ada')
  t.match(
    (await ada('backport_merge_request', { ...pinned, merge_request_iid: '3' })).error,
    /!3 is "opened"/
  )
  const there = { ...pinned, target_branch: 'main', branch: 'nothing' }
  t.match(
    (await ada('backport_merge_request', there)).error,
    /\(empty\)"\. Nothing was done: the target has the change already\.$/
  )
  t.match((await ada('get_branch', { ...rocket, branch_name: 'nothing' })).error, /404/)
  t.match((await as('reader')('backport_merge_request', pinned)).error, /403/)
})

const pathOf = (file: unknown): unknown =>
  typeof file === 'string' ? file : (file as { new_path: string }).new_path

const P = '/projects/1'
const picked = (sha: string) => ({
  request: `POST ${P}/repository/commits/${sha}/cherry_pick`,
  body: { branch: 'b' },
  reply: { status: 201, body: { id: 'd' } }
})
const pickedMerge = {
  ...picked('c1'),
  body: { branch: 'b', message: 'Both\n\n(cherry picked from commit c1)' }
}
const requested = {
  request: `POST ${P}/merge_requests`,
  body: {
    source_branch: 'b',
    target_branch: 'stable',
    title: 'Both (stable)',
    description: 'Backport of !7.'
  },
  reply: { status: 201, body: { iid: 8, state: 'opened' } }
}
const branched = {
  request: `POST ${P}/repository/branches`,
  body: { branch: 'b', ref: 'stable' },
  reply: { status: 201, body: { name: 'b' } }
}
const merged = { iid: 7, title: 'Both', state: 'merged', merge_commit_sha: null, squash_commit_sha: null }
const read = (merge_commit_sha: string | null) => ({
  request: `GET ${P}/merge_requests/7`,
  reply: { body: { ...merged, merge_commit_sha } }
})
const backport = {
  tool: 'backport_merge_request',
  args: { project_id: '1', merge_request_iid: '7', target_branch: 'stable', branch: 'b' }
}

runTable(mergeRequests, [
  {
    title: 'makes no branch for commits that the forge does not tell',
    ...backport,
    exchanges: [
      read(null),
      { request: `GET ${P}/merge_requests/7/commits`, reply: { body: [{ id: 'b2' }, {}] } }
    ],
    error: "The forge's answer lacks id."
  },
  {
    title: 'picks each commit of what was fast-forwarded, the oldest first',
    ...backport,
    exchanges: [
      read(null),
      { request: `GET ${P}/merge_requests/7/commits`, reply: { body: [{ id: 'b2' }, { id: 'a1' }] } },
      branched,
      picked('a1'),
      picked('b2'),
      requested
    ],
    result: { iid: 8, state: 'opened' }
  },
  ...(
    [
      [
        'says that the target has other text there, and leaves no branch behind',
        'conflict',
        /\(conflict\)"\. Nothing was done: the target has other text where it changes some\. Make the change by hand/
      ],
      [
        'says that the target has the change already, and leaves no branch behind',
        'empty',
        /\(empty\)"\. Nothing was done: the target has the change already\.$/
      ]
    ] as const
  ).map(([title, error_code, error]) => ({
    title,
    ...backport,
    exchanges: [
      read('c1'),
      branched,
      {
        ...pickedMerge,
        reply: { status: 400, body: { message: 'Sorry, we cannot cherry-pick this', error_code } }
      },
      { request: `DELETE ${P}/repository/branches/b`, reply: { status: 204 } }
    ],
    error
  })),
  ...(
    [
      [
        403,
        /cannot cherry-pick this"\. The new branch "b" may still be there: delete it before the next try\.$/
      ],
      [404, /cannot cherry-pick this"\. Nothing was done: /]
    ] as const
  ).map(([status, error]) => ({
    title: `says whether the new branch may be there where its deletion is answered with ${status}`,
    ...backport,
    exchanges: [
      read('c1'),
      branched,
      { ...pickedMerge, reply: { status: 400, body: { message: 'Sorry, we cannot cherry-pick this' } } },
      { request: `DELETE ${P}/repository/branches/b`, reply: { status, body: { message: 'No' } } }
    ],
    error
  })),
  ...([true, false] as const).map(refuses => ({
    title: `leaves ${refuses ? 'no' : 'the'} branch behind where the merge request ${refuses ? 'is refused' : 'may be there'}`,
    ...backport,
    exchanges: [
      read('c1'),
      branched,
      pickedMerge,
      { ...requested, reply: { status: refuses ? 400 : 500, body: { message: 'Title is too long' } } },
      ...(refuses ? [{ request: `DELETE ${P}/repository/branches/b`, reply: { status: 204 } }] : [])
    ],
    error: refuses ? /too long"\. Nothing was done: change what/ : /500/
  })),
  {
    title: 'asks for another name where a branch has it that is of no merge request',
    ...backport,
    exchanges: [
      read('c1'),
      { ...branched, reply: { status: 400, body: { message: 'Branch already exists' } } },
      {
        request: `GET ${P}/merge_requests?source_branch=b&target_branch=stable&per_page=1`,
        reply: { body: [] }
      }
    ],
    error: /Branch already exists"\. Nothing was done: give branch a name that is not taken\.$/
  }
])
