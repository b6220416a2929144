import t from 'tap'
import { personId } from '../../src/engine/names/people.ts'
import { shownOf } from '../../src/results/records/index.ts'
import { ForgeStatusError } from '../../src/upstream/errors.ts'
import { answeredContext, calling } from '../support/answered-calls.ts'
import { type HeldRow, holdNoLonger } from '../support/event-loop.ts'
import { numbersOfOneHash } from '../support/one-hash.ts'

/*
 * The same as in tools.test.ts of names that are compared where the case of letters does not count, and of times:
 * as many or as long as an answer may have them.
 */

const MB = 1024 * 1024
/** A letter that takes as long as a letter can to be made small; two bytes of an answer. */
const LETTER = '\u0130'
const project = { project_id: '1' }
const missing = (what: string) => new ForgeStatusError(404, `404 ${what} Not Found`)

/** Nine megabytes of names that are longer than any, and of names that are as long as any. */
const long = Array.from({ length: 100 }, (_, at) => `${at}`.padEnd(45_000, LETTER))
const many = Array.from({ length: 17_000 }, (_, at) => `${at}`.padEnd(255, LETTER))
const wanted = 'x'.padEnd(255, LETTER)

/** Names of which each letter is compared with each of a name that is nearly the same. */
const alike = (count: number, start = '') =>
  Array.from({ length: count }, (_, at) => `${start}${at}`.padEnd(100, 'x'))

/** Names of letters with marks, which are sorted where letters are composed. */
const marks = Array.from(
  { length: 30 },
  (_, at) => '\u0345\u035d\u035c\u0358\u0315\u0301\u0323'[(at * 3) % 7]
)
const marked = Array.from({ length: 298 }, (_, at) => `${`e${marks.join('')}`.repeat(8)}${at}`)

/** Names of one length, of which V8 computes no hash: in a Set each is compared with each, to its end. */
const unhashed = Array.from({ length: 600 }, (_, at) => `${at}`.padStart(16_384, 'a'))

/** Numbers of which each is compared with each in a Set. */
const oneHash = numbersOfOneHash(8_000)
const peopleOfOneHash = oneHash.slice(0, 500)

const people = (names: readonly string[]) => names.map(username => ({ username, name: username }))
const merged = (names: readonly string[]) =>
  names.map(username => ({ merged_at: '2026-01-01', merge_user: { username } }))
const longTime = `2026-01-01T00:00:00.${'1'.repeat(9 * MB)}x`

const rows: HeldRow[] = [
  ...[long, many].flatMap((names, at): HeldRow[] => {
    const of = at === 0 ? 'long' : 'many'
    return [
      [
        `a page among ${of}`,
        2,
        calling(
          'get_wiki_page',
          { ...project, slug: wanted },
          { '/wikis': names.map(slug => ({ slug })), '': missing('Wiki Page') }
        )
      ],
      [
        `whose merge requests among ${of} are listed`,
        2,
        calling(
          'list_merge_requests',
          { ...project, merge_user_username: wanted },
          { '/merge_requests': merged(names) }
        )
      ],
      [
        `a person among ${of}`,
        3,
        calling('find_users', { ...project, username: wanted }, { '/users': people(names) })
      ],
      [
        `a person who is looked up among ${of}`,
        3,
        calling('list_user_followers', { username: wanted }, { '/users': people(names) })
      ],
      [
        `a person who is named among ${of}`,
        3,
        () => personId('user_id', wanted, {}, answeredContext({ '/users': people(names) }) as never)
      ],
      [
        `a tag among ${of}`,
        2,
        calling(
          'get_tag',
          { ...project, tag_name: wanted },
          { '/repository/tags': names.map(name => ({ name })), '': missing('Tag') }
        )
      ],
      [
        `a file among ${of}`,
        2,
        calling(
          'get_file_blame',
          { ...project, file_path: wanted, ref: 'main' },
          { '/tree': [], '/search': names.map(path => ({ path })), '': missing('File') }
        )
      ],
      [
        `labels that are taken off among ${of}`,
        3,
        calling(
          'update_issue',
          { ...project, issue_iid: '1', remove_labels: [wanted] },
          { '/issues/1': { labels: names } }
        )
      ]
    ]
  }),
  [
    'labels that are set and taken off among such as have no hash',
    3,
    calling(
      'update_merge_request',
      { ...project, merge_request_iid: '1', add_labels: ['x'], remove_labels: ['y'] },
      { '/merge_requests/1': { labels: unhashed } }
    )
  ],
  [
    'lines of diffs among such',
    3,
    calling(
      'list_merge_request_diffs',
      { ...project, merge_request_iid: '1', line_numbers: true, per_page: 100 },
      {
        '/diffs': unhashed.map((line, at) => ({
          old_path: `${at}`,
          new_path: `${at}`,
          diff: `@@ -0,0 +1 @@\n+${line}\n`
        }))
      }
    )
  ],
  [
    'commits of a file among such',
    3,
    calling(
      'get_file_blame',
      { ...project, file_path: 'a', ref: 'main' },
      { '/blame': unhashed.map(id => ({ commit: { id, message: 'm' }, lines: ['a'] })) }
    )
  ],
  [
    'target branches among such',
    5,
    calling(
      'get_merge_request',
      { ...project, source_branch: 'a' },
      {
        '/merge_requests': unhashed.map((target_branch, iid) => ({
          iid,
          target_branch,
          source_branch: 'a',
          state: 'opened'
        }))
      }
    )
  ],
  [
    'target branches that are numbers of one hash',
    3,
    calling(
      'get_merge_request',
      { ...project, source_branch: 'a' },
      {
        '/merge_requests': oneHash.map(target_branch => ({
          target_branch,
          source_branch: 'a',
          state: 'opened'
        }))
      }
    )
  ],
  [
    'a line of a diff whose numbers have one hash',
    8,
    calling(
      'create_merge_request_thread',
      { ...project, merge_request_iid: '1', body: 'x', path: 'a', line: 3 },
      {
        '/merge_requests/1': { diff_refs: { base_sha: 'a', start_sha: 'b', head_sha: 'c' } },
        '/diffs': [
          {
            old_path: 'a',
            new_path: 'a',
            diff: oneHash.map(line => `@@ -${line} +${line} @@\n x\n`).join('')
          }
        ]
      }
    )
  ],
  [
    'people of approval rules, whose numbers have one hash',
    8,
    () =>
      shownOf('approval_state', 'get', {
        rules: Array.from({ length: 190 }, () => ({
          users: peopleOfOneHash,
          eligible_approvers: peopleOfOneHash
        }))
      })
  ],
  [
    'labels that may be left behind among such',
    3,
    calling(
      'move_issue',
      { ...project, issue_iid: '1', to_project_id: '2' },
      { '/issues/1': { labels: unhashed }, '/move': { labels: unhashed } }
    )
  ],
  [
    'labels that may be left out among such',
    3,
    calling(
      'update_work_item',
      { project_id: 'a/b', work_item_iid: '1', add_label_ids: ['gid://gitlab/Label/1'] },
      {
        namespace: { id: 'gid://gitlab/Group/1', workItem: { id: 'gid://gitlab/WorkItem/1', iid: '1' } },
        workItemUpdate: {
          errors: [],
          workItem: {
            id: 'gid://gitlab/WorkItem/1',
            iid: '1',
            widgets: [{ type: 'LABELS', labels: { nodes: unhashed.map(id => ({ id, title: 'x' })) } }]
          }
        }
      }
    )
  ],
  [
    'labels that are set among as many as a record may have',
    3,
    calling(
      'update_issue',
      { ...project, issue_iid: '1', labels: Array.from({ length: 10 }, (_, at) => `${at}${wanted}`) },
      { '/issues/1': { labels: many.slice(0, 5_000).map(name => name.padEnd(900, LETTER)) } }
    )
  ],
  [
    'labels as long as any that are set among them',
    3,
    calling(
      'update_issue',
      { ...project, issue_iid: '1', labels: many.slice(0, 10) },
      { '/issues/1': { labels: many.slice(0, 5_000) } }
    )
  ],
  [
    'labels of which none is there among as many as a page has, with as many marks on a letter as any script',
    2,
    calling(
      'list_issues',
      { ...project, labels: alike(10, 'w') },
      { '/issues': [], '/labels': marked.slice(0, 99).map(name => ({ name })) }
    )
  ],
  [
    'labels that are set among such as are compared',
    2,
    calling(
      'update_issue',
      { ...project, issue_iid: '1', add_labels: ['abc'] },
      { '/issues/1': { labels: ['abc', 'abd', ...marked] } }
    )
  ],
  [
    'labels that are taken off among very many of nearly their names',
    5,
    calling(
      'update_issue',
      { ...project, issue_iid: '1', remove_labels: alike(10, 'w') },
      { '/issues/1': { labels: alike(45_000) } }
    )
  ],
  [
    'a page among as many of nearly its name',
    3,
    calling(
      'get_wiki_page',
      { ...project, slug: wanted },
      { '/wikis': alike(2_000).map(slug => ({ slug: slug.padEnd(255, LETTER) })), '': missing('Wiki Page') }
    )
  ],
  [
    'a page as long as a path may be among many',
    1,
    calling(
      'get_wiki_page',
      { ...project, slug: LETTER.repeat(4_096) },
      { '/wikis': Array.from({ length: 2_000 }, () => ({})), '': missing('Wiki Page') }
    )
  ],
  [
    'a username as long as a query of many merge requests',
    2,
    calling(
      'list_merge_requests',
      { ...project, merge_user_username: LETTER.repeat(16_000) },
      { '/merge_requests': merged(many).map(({ merged_at }) => ({ merged_at })) }
    )
  ],
  [
    'when a merge request was merged',
    1,
    calling(
      'list_merge_requests',
      { ...project, merged_after: '2026-01-01' },
      { '/merge_requests': [{ merged_at: longTime }] }
    )
  ],
  [
    'when a comment was made',
    1,
    calling(
      'create_issue_note',
      { ...project, issue_iid: '1', body: 'x', created_at: '2020-01-01T00:00:00Z' },
      { '/notes': { id: 1, created_at: longTime } }
    )
  ],
  [
    'when a token expires',
    1,
    calling(
      'get_current_user',
      {},
      {
        '/user': { id: 1, username: 'a' },
        '/self': { id: 1, name: 'a', expires_at: longTime, active: true, scopes: ['api'] }
      }
    )
  ]
]

t.test('no name or time of an answer, nor all of them together, holds the event loop for long', t =>
  holdNoLonger(t, rows)
)
