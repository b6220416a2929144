import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { Type } from 'typebox'
import { completions as sources } from '../../completions/index.ts'
import { Completions } from '../../src/completions/completions.ts'
import { secretHider } from '../../src/engine/arguments/secret-arguments.ts'
import { consentQuestion } from '../../src/engine/consent/consent-question.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { personId } from '../../src/engine/names/people.ts'
import { secret } from '../../src/engine/rows/fields.ts'
import { quickActionIn } from '../../src/engine/texts/quick-actions.ts'
import { ForgeStatusError } from '../../src/upstream/errors.ts'
import { toolsets } from '../../tools/index.ts'
import { answeredContext, calling, catalog } from '../support/answered-calls.ts'
import { type HeldRow, holdNoLonger } from '../support/event-loop.ts'

/*
 * The same as in requests-and-texts.test.ts of what tools make of arguments as large as a call may have, and of answers with as many
 * values as a forge may send: of whole calls, the answers there already.
 */

const MB = 1024 * 1024

const project = { project_id: '1' }
const none = Array.from({ length: 190_000 }, () => ({}))
/** Each letter of it takes as long as a letter can to be made small. */
const longName = '\u0130'.repeat(8_000)
const commit = (content: string) =>
  calling(
    'commit_files',
    {
      ...project,
      branch: 'a',
      commit_message: 'b',
      actions: [{ action: 'create', file_path: 'a', content, encoding: 'base64' }]
    },
    {}
  )
const longTime = 'a '.repeat(2_500)
const merged = Array.from({ length: 2_000 }, () => ({ merged_at: longTime, sha: 'a' }))
const paths = { old_path: 'a', new_path: 'b'.repeat(9 * MB), diff: '@@ -1,2 +1,2 @@\n a\n b\n' }
const comments = Array.from({ length: 50 }, () => ({ path: 'a', line: 1, end_line: 2, body: 'x' }))
const longPaths = Array.from({ length: 3_000 }, (_, at) => ({
  old_path: `${at}${'\u0001\u2028'.repeat(1_500)}`,
  new_path: `${at}${'\u0001\u2028'.repeat(1_500)}`,
  diff: ''
}))
const manyPeople = Array.from({ length: 5_000 }, (_, at) => ({
  username: `${at}${'\u0430'.repeat(900)}`,
  name: 'a'
}))
const links = Array.from({ length: 1_000 }, (_, at) =>
  JSON.parse(JSON.stringify({ name: `${at}`, url: `${'x'.repeat(3_900)}${String(at).padStart(4, '0')}` }))
)

const manyNumbers = Array.from({ length: 180 }, () => 123_456)
/** Of a service that keeps to fifty projects. */
const completions = new Completions(
  { find: () => ({}), allowedProjects: Array(50).fill('acme/rocket') } as never,
  {} as never
)
completions.add(sources[0]!)
const asked = { source: 'project_id', typed: '\u0130'.repeat(2 * MB), given: {}, titled: false }

/** Where a record is meant: taken apart, each character would be a field. */
const text = 'x'.repeat(2 * MB)
const item = { namespace: { workItem: { iid: '1', features: { assignees: text, labels: [text] } } } }
const older = { namespace: { workItem: { iid: '1', widgets: [text] } } }
const oneItem = { project_id: 'a/b', work_item_iid: '1' }
const one = { ...project, merge_request_iid: '1' }
const texts: [tool: string, args: object, answers: Record<string, unknown>][] = [
  ['get_work_item', oneItem, item],
  ['get_work_item', oneItem, { namespace: { workItem: { iid: '1', features: text } } }],
  ['get_work_item', oneItem, older],
  ['get_project', project, { '/projects/1': { permissions: text } }],
  ['get_project', project, { '/projects/1': text }],
  ['get_group', { group_id: '1' }, { '/groups/1': text }],
  ['get_package', { ...project, package_id: '1' }, { '/packages/1': text }],
  ['list_iterations', project, { '/iterations': [text] }],
  ['list_variables', project, { '/variables': [text] }],
  ['merge_merge_request', one, { '/merge': text }],
  ['get_vulnerability', { vulnerability_id: '1' }, { vulnerability: { id: 'gid://x/1', scanner: text } }]
]

/** As long as an address may be. */
const addressOf = (start: string, part: string, end: string): string =>
  start + part.repeat(Math.floor((4_090 - start.length - end.length) / part.length)) + end
const issuesAt = (address: string) => {
  const issues = Array.from({ length: 50 }, (_, at) => ({ issue_iid: `${address}${at}`, title: 'a' }))
  return calling('update_issues', { ...project, issues }, {})
}
const FORGE = 'https://forge.example'
/** Different letters: turning a host of them into Punycode takes a time that grows with their square. */
const letters = (count: number): string =>
  Array.from({ length: count }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('')
const nowhere = `http://${letters(4_080)}/`
const filters = Array.from({ length: 800 }, (_, at) => `${at.toString(36)}=1`).join('&')

const hiddenActions = Array.from({ length: 100 }, () =>
  Object.fromEntries(
    ['action', 'content', 'file_path', 'last_commit_id', 'previous_path'].map(name => [
      name,
      'a\u200d'.repeat(2_000)
    ])
  )
)
const workItem = { workItem: { id: 'gid://gitlab/WorkItem/1' } }
/** A pipeline with values as variables, which a forge refuses in words that may quote them. */
const refusedWith = (values: readonly string[], message: string) => () =>
  calling(
    'create_pipeline',
    { ...project, ref: 'main', variables: values.map((value, at) => ({ key: `k${at}`, value })) },
    { '/pipeline': new ForgeStatusError(400, message) }
  )().catch(() => undefined)
const hideLines = secretHider(Type.Object({ value: secret() }))
const signs = '"x\\\\%'
const lines = Array.from({ length: 299 }, (_, at) => `"x\\%${at}`.padEnd(60, signs)).join('\n')
const windowsLines = 'a\r\n'.repeat(MB / 10)
const commitFiles = toolsets.flatMap(({ rows }) => rows).find(({ name }) => name === 'commit_files')!

const rows: HeldRow[] = [
  [
    'secrets that are parts of what stands in their place',
    1,
    refusedWith(Array(60).fill(['valu', 'valu', 'e]e]']).flat(), '401 Unauthorized valu')
  ],
  [
    'a secret whose lines are parts of what stands in its place',
    1,
    refusedWith([Array.from({ length: 60 }, (_, at) => `[value]${at}`).join('\n')], '[value]'.repeat(280))
  ],
  [
    'very many lines of secrets that begin as what is said of them does',
    3,
    refusedWith(Array(200).fill('aaaaaaa"\n'.repeat(1_800)), 'a'.repeat(2_000))
  ],
  [
    'refusals beside three hundred secrets of which a forge quotes none, in each form that has to be looked for',
    2,
    () => {
      for (let refused = 0; refused < 20; refused++) hideLines(new Error(signs.repeat(400)), { value: lines })
    }
  ],
  [
    'what a person is asked about many actions of hidden characters',
    1,
    () =>
      consentQuestion(commitFiles)(
        { project_id: '1', actions: hiddenActions },
        'https://forge.example',
        undefined
      )
  ],
  ...texts.map(
    ([tool, args, answers], at): HeldRow => [
      `a text where ${tool} takes a record apart, ${at}`,
      3,
      calling(tool, args, answers)
    ]
  ),
  [
    'a username as long as a query among very many people',
    3,
    () => personId('user_id', longName, {}, answeredContext({ '/users': none }) as never)
  ],
  [
    'the same where a person is looked up',
    3,
    calling('list_user_followers', { username: longName }, { '/users': none })
  ],
  [
    'a type of a megabyte among very many',
    3,
    calling(
      'create_work_item',
      { ...project, type: 'a '.repeat(MB / 2), title: 'a' },
      { '/projects/1': { path_with_namespace: 'a/b' }, namespace: { workItemTypes: { nodes: none } } }
    )
  ],
  [
    'patterns that are tried on very many files',
    3,
    calling(
      'get_merge_request_diffs',
      { ...project, merge_request_iid: '1', excluded_file_patterns: ['a'] },
      { '/changes': { changes: none } }
    )
  ],
  ...[
    ['of a comparison of nothing but dots', addressOf(`${FORGE}/a/b/-/compare/`, '.', '%E2%80%A8x')],
    ['of a list with hundreds of filters', `${FORGE}/a/b/-/issues?${filters}`],
    ['of many segments that may begin a thing', addressOf(FORGE, '/issues', '')],
    ['of comparisons of nothing', addressOf(`${FORGE}/a/b${'/compare'.repeat(22)}`, '/a', '')]
  ].map(
    ([of, address]): HeldRow => [`fifty issues that are named by the address ${of}`, 3, issuesAt(address!)]
  ),
  ...[
    ['get_issue', { project_id: 'a/b', issue_iid: nowhere }],
    ['get_merge_request', { project_id: nowhere, merge_request_iid: nowhere }],
    ['resolve_url', { url: nowhere }],
    ['list_issues', { project_id: 'a/b', milestone: nowhere }],
    ['list_work_items', { group_id: 'a', parent_ids: Array(20).fill(nowhere) }]
  ].map(
    ([tool, args]): HeldRow => [
      `thousands of different letters where ${tool} has the host of an address`,
      1,
      calling(tool as string, args as object, {})
    ]
  ),
  [
    'a ref of a megabyte of slashes beside addresses of files',
    1,
    calling(
      'get_file_contents',
      {
        project_id: 'a/b',
        ref: '/'.repeat(MB),
        url: `${FORGE}/a/b/-/blob/x/y/z`,
        web_url: `${FORGE}/a/b/-/blob/x/y/z`
      },
      {}
    )
  ],
  [
    'the address of a directory of many segments, in which some of very many branches are',
    1,
    calling(
      'resolve_url',
      { url: addressOf(`${FORGE}/a/b/-/tree`, '/a', '') },
      { '/branches': Array.from({ length: 190_000 }, () => ({ name: `${'a/'.repeat(500)}b` })) }
    )
  ],
  ['very many webhooks', 3, calling('list_webhooks', project, { '/hooks': none })],
  [
    'very many work items',
    3,
    calling('list_work_items', { project_id: 'a/b' }, { namespace: { workItems: { nodes: none } } })
  ],
  [
    'a text that is in the last of a million lines several times',
    6,
    calling(
      'commit_files',
      {
        ...project,
        branch: 'a',
        commit_message: 'b',
        actions: [{ action: 'edit', file_path: 'a', edits: [{ find: 'ab', replace: 'b' }] }]
      },
      {},
      `${'\n'.repeat(3 * MB - 100)}${'ab '.repeat(20)}`
    )
  ],
  [
    'a text of one letter around another, which is not in a file of that letter with something hidden',
    6,
    calling(
      'commit_files',
      {
        ...project,
        branch: 'a',
        commit_message: 'b',
        actions: [
          {
            action: 'edit',
            file_path: 'a',
            edits: [{ find: `${'a'.repeat(75_000)}b${'a'.repeat(75_000)}`, replace: 'b' }]
          }
        ]
      },
      {},
      `${'a'.repeat(300_000)}\u200b`
    )
  ],
  ...[1, 2.5].map(
    (millions): HeldRow => [
      `a text that is only in what is shown of the last of ${millions} million lines`,
      6,
      calling(
        'commit_files',
        {
          ...project,
          branch: 'a',
          commit_message: 'b',
          actions: [{ action: 'edit', file_path: 'a', edits: [{ find: 'ab', replace: 'b' }] }]
        },
        {},
        `${'\n'.repeat(millions * MB - 10)}a\u200bb`
      )
    ]
  ),
  [
    'an edit of one letter in a file of a million lines that end with CRLF',
    3,
    calling(
      'commit_files',
      {
        ...project,
        branch: 'a',
        commit_message: 'b',
        actions: [{ action: 'edit', file_path: 'a', edits: [{ find: 'b', replace: 'c' }] }]
      },
      {},
      `${'a\r\n'.repeat(MB - 10)}b`
    )
  ],
  ...[
    [2, 6],
    [2.9, 2]
  ].map(
    ([millions = 0, tens = 0]): HeldRow => [
      `a file of ${millions} million characters with CRLF in each of its short lines, beside the beginning of it`,
      tens,
      calling(
        'commit_files',
        {
          ...project,
          branch: 'a',
          commit_message: 'b',
          actions: [{ action: 'update', file_path: 'a.md', content: 'a\r\n'.repeat((millions * MB) / 6) }]
        },
        {},
        'a\r\n'.repeat((millions * MB) / 3)
      )
    ]
  ),
  [
    'a stored description of megabytes with CRLF, beside the beginning of it',
    4,
    calling(
      'update_issue',
      { ...project, issue_iid: '1', description: windowsLines.slice(0, 160_000) },
      { '/issues/1': { description: windowsLines.repeat(30) } }
    )
  ],
  ...['/a\n', '\n'].map(
    (part): HeldRow => [
      `a comment of a megabyte of ${JSON.stringify(part)} on a work item`,
      1,
      calling(
        'create_work_item_note',
        { ...oneItem, body: `${part.repeat(1_040_000 / part.length)}/a` },
        {
          createNote: { note: null, errors: ['x'] },
          workspace: workItem,
          namespace: workItem
        }
      )
    ]
  ),
  [
    'twenty files of control characters in a result that is as long as can be',
    2,
    () => {
      const paths = Array.from({ length: 20 }, (_, at) => `f${at}`)
      const context = answeredContext({ '/commits/HEAD': { id: 'a' } }, '\u0001'.repeat(200_000))
      return catalog.find('get_files')!.run({ ...project, paths }, {
        ...context,
        maxChars: 200_000
      } as unknown as ToolContext)
    }
  ],
  [
    'paths of files in a commit that are megabytes of escapes',
    3,
    calling(
      'commit_files',
      {
        ...project,
        branch: 'a',
        commit_message: 'b',
        actions: Array.from({ length: 4 }, () => ({ action: 'delete', file_path: '%252525'.repeat(MB / 8) }))
      },
      {}
    )
  ],
  [
    'failed tests whose output is a record of megabytes',
    1,
    calling(
      'diagnose_pipeline',
      { ...project, pipeline_id: '1' },
      {
        '/pipelines/1': { id: 1, status: 'failed' },
        '/test_report': {
          test_suites: [{ test_cases: [{ status: 'failed', system_output: ['\n'.repeat(5 * MB)] }] }]
        }
      }
    )
  ],
  [
    'a failed pipeline whose number is a text of megabytes, among others that are none',
    3,
    calling(
      'diagnose_pipeline',
      { ...project, pipeline_id: '1' },
      {
        '/pipelines/1': { id: [['1'.repeat(9 * MB), 'a'], 'a'], ref: 'main', status: 'failed' },
        '/pipelines': Array.from({ length: 200 }, () => ({ id: 'x' }))
      }
    )
  ],
  [
    'a failed test whose output is lists within lists, around a text of a megabyte',
    3,
    calling(
      'get_pipeline_test_report',
      { ...project, pipeline_id: '1' },
      { '/test_report_summary': { total: { failed: 1 } } },
      `{"test_suites":[{"test_cases":[{"status":"failed","system_output":${'["",'.repeat(2_400)}"${'x'.repeat(MB - 20_000)}"${']'.repeat(2_400)}}]}]}`
    )
  ],
  ['base64 that is half of blanks', 3, commit('a '.repeat(1.5 * MB))],
  ['base64 of nothing but blanks', 7, commit(' '.repeat(3 * MB))],
  [
    'a file moved from a name of a million blanks to one of characters that nobody sees',
    3,
    calling(
      'commit_files',
      {
        ...project,
        branch: 'b',
        commit_message: 'm',
        actions: [
          { action: 'move', previous_path: `${' '.repeat(MB)}\u200b`, file_path: '\u200b'.repeat(4000) }
        ]
      },
      {}
    )
  ],
  [
    'release notes of merge requests whose times are long',
    3,
    calling(
      'create_release',
      { ...project, tag_name: 'v1', generate_notes: true },
      { '/releases': [], '/commits': [{ id: 'a' }], '/merge_requests': merged }
    )
  ],
  [
    'comments on a file whose path is megabytes',
    3,
    calling(
      'submit_review',
      { ...project, merge_request_iid: '1', comments },
      {
        '/diffs': [paths],
        '/merge_requests/1': { diff_refs: { base_sha: 'a', start_sha: 'b', head_sha: 'c' } }
      }
    )
  ],
  [
    'comments on files that are not among very many with long paths',
    6,
    calling(
      'submit_review',
      {
        ...project,
        merge_request_iid: '1',
        comments: comments.map((one, at) => ({ ...one, path: `x${at}` }))
      },
      {
        '/diffs': longPaths,
        '/merge_requests/1': { diff_refs: { base_sha: 'a', start_sha: 'b', head_sha: 'c' } }
      }
    )
  ],
  [
    'people that a mistyped name may have meant, very many of them',
    3,
    () => personId('user_id', 'ada', {}, answeredContext({ '/users': manyPeople }) as never)
  ],
  [
    'a thousand long links of a release',
    3,
    calling('create_release', { ...project, tag_name: 'v1', links }, { '/releases': {} })
  ],
  [
    'a schedule of half a million fields',
    3,
    calling(
      'create_pipeline_schedule',
      { ...project, description: 'a', ref: 'b', cron: 'a '.repeat(MB / 2) },
      {}
    )
  ],
  [
    'very many labels after a change',
    3,
    calling(
      'update_issue',
      { ...project, issue_iid: '1', labels: ['a'] },
      { '/issues/1': { labels: Array.from({ length: 190_000 }, (_, at) => `l${at}`) } }
    )
  ],
  [
    'deployments in the order of environments whose names are lists',
    1,
    calling(
      'list_deployments',
      { ...project, order_by: 'environment' },
      {
        '/deployments': Array.from({ length: 1_000 }, (_, at) => ({
          environment: { name: [at, ...manyNumbers] }
        }))
      }
    )
  ],
  ['megabytes typed where some projects are served', 3, () => completions.complete(asked, {} as never)],
  [
    'deployments picked by a long sha',
    3,
    calling('list_deployments', { ...project, sha: longName }, { '/deployments': none })
  ],
  [
    'four notes of code blocks',
    6,
    () => {
      for (let note = 0; note < 4; note++) quickActionIn('```\n/x\n```\n'.repeat(90_000))
    }
  ]
]

t.test('nothing that tools make of large arguments and answers holds the event loop for long', t =>
  holdNoLonger(t, rows)
)

t.test('parts of a call that are refused before anything is sent take turns, too', async t => {
  const waiting: (() => void)[] = []
  const issues = Array.from({ length: 6 }, (_, at) => ({ issue_iid: `${at + 1}` }))
  const context = {
    ...answeredContext({}),
    nextPart: () => new Promise<void>(resolve => waiting.push(resolve))
  } as unknown as ToolContext
  let isOver = false
  const over = catalog.find('update_issues')!.run({ ...project, issues }, context)
  const failed = t.rejects(over, { message: /^Nothing was done\./ }).then(() => (isOver = true))
  await setImmediate()
  for (let left = issues.length; left > 0; left--) {
    t.equal(isOver, false)
    t.equal(waiting.length, Math.min(4, left), 'only those that have had a turn are over')
    waiting.shift()!()
    await setImmediate()
  }
  await failed
})
