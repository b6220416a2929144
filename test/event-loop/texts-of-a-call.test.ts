import t from 'tap'
import { ForgeStatusError } from '../../src/upstream/errors.ts'
import { toolsets } from '../../tools/index.ts'
import { calling } from '../support/answered-calls.ts'
import { type HeldRow, holdNoLonger } from '../support/event-loop.ts'
import { sampleArguments } from '../support/sample-arguments.ts'

/*
 * The same as in tools.test.ts of what is checked of each text of a call, where all of them are as bad for a check as
 * they can be: in as many texts as a call may have.
 */

const MB = 1024 * 1024
const project = { project_id: '1' }
/** As many edits as a commit may have, each with a text. */
const editsOf = (replace: string) => ({
  ...project,
  branch: 'a',
  commit_message: 'b',
  actions: Array.from({ length: 100 }, (_, file) => ({
    action: 'edit',
    file_path: `a${file}`,
    edits: Array.from({ length: 50 }, (_, at) => ({ find: `x${at}`, replace }))
  }))
})
const numbered = (form: string, others = form): string =>
  Array.from({ length: 19 }, (_, at) => (at === 0 ? form : others).replace('0', String(at + 1))).join('\n')

/** As many names as a body may have, each letter of which has a character behind it that nobody sees. */
const namesOf = (count: number, chars: number, unit = 'a\u200b') =>
  Array.from({ length: count }, (_, at) => `${unit.repeat(chars / unit.length)}${at}`)
const refused = { '': new ForgeStatusError(404, '404 Project Not Found') }

/** As often as there is room for a text in the JSON of a megabyte. */
const filling = (unit: string, chars = MB) =>
  unit.repeat(Math.floor(chars / (JSON.stringify(unit).length - 2)))
/** Markdown whose lines are to be read before it is known what of it proposes a change. */
const blocks = {
  'fences that blanks make code': `${'\n'.repeat(2_000)}${'    ````\n'.repeat(100)}    \`\`\`suggestion\n`,
  'blank lines': `${filling('\n')}    \`\`\`suggestion\n`,
  'items in items': `${Array.from({ length: 1_000 }, (_, at) => `${' '.repeat(at)}- x\n`).join('')}\`\`\`suggestion\n`,
  'blanks before a letter': `- x\n${' '.repeat(MB)}x\n\`\`\`suggestion\n`,
  'a block of blank lines': `\`\`\`suggestion\n${filling('\n')}`,
  'other fences in a block': `~~~suggestion\n${filling('```\n')}`,
  'blocks that propose nothing': filling('```suggestion\n```\n'),
  'beginnings of blocks': filling('```suggestion\n'),
  'a line that begins with code': `suggestion\n${'`'.repeat(200)}${filling('a')}\`\n`,
  'fences with blanks behind them': `~~~suggestion\n${`~~~${' '.repeat(MB / 8)}x\n`.repeat(7)}`
}
/** The beginning and the end of it, in a hundredth of the room. */
const part = (body: string) => `${body.slice(0, MB / 200)}${body.slice(-40)}`
const position = { new_line: 1, new_path: 'a' }
const placed = {
  '/diffs': [{ old_path: 'a', new_path: 'a', diff: '@@ -1,2 +1,2 @@\n a\n b\n' }],
  '/merge_requests/1': { diff_refs: { base_sha: 'a', start_sha: 'b', head_sha: 'c' } },
  '/notes/1': { position },
  '/draft_notes/1': { note: 'a', position },
  '/discussions/1': { notes: [{ position }] },
  '/discussions': [{ id: '1', notes: [{ resolvable: true, position }] }]
}
/** The tools that write a comment, and the name of the argument with it. */
const ofComments = toolsets
  .flatMap(({ rows }) => rows)
  .filter(row => row.class === 'write')
  .flatMap(({ name, input }) =>
    ['body', 'note', 'summary']
      .filter(text => 'quickActions' in (input.properties[text] ?? {}))
      .map(text => ({ tool: name, text, args: sampleArguments(input, []) }))
  )

const rows: HeldRow[] = [
  ...Object.entries(blocks).flatMap(([of, body]): HeldRow[] => [
    ...ofComments.map(
      ({ tool, text, args }): HeldRow => [
        `${tool} with a ${text} of ${of}`,
        2,
        calling(tool, { ...args, [text]: body }, placed)
      ]
    ),
    [
      `a review of a hundred texts of ${of}`,
      4,
      calling(
        'submit_review',
        {
          ...project,
          merge_request_iid: '1',
          comments: Array.from({ length: 50 }, () => ({ path: 'a', line: 1, body: part(body) })),
          replies: Array.from({ length: 50 }, () => ({ discussion_id: '1', body: part(body) }))
        },
        placed
      )
    ]
  ]),
  ...(
    [
      ['create_issue', { title: 'a', labels: namesOf(987, 248) }],
      [
        'update_issues',
        {
          issues: Array.from({ length: 50 }, (_, at) => ({
            issue_iid: `${at + 1}`,
            add_labels: namesOf(160, 248)
          }))
        }
      ],
      ['update_merge_request', { merge_request_iid: '1', assignee_ids: namesOf(513, 3_990) }],
      ['list_issues', { labels: namesOf(1_000, 3_000, 'a') }],
      [
        'update_issues',
        {
          issues: Array.from({ length: 50 }, (_, at) => ({
            issue_iid: `${at + 1}`,
            add_labels: ','.repeat(9_900),
            remove_labels: 'a,'.repeat(4_950)
          }))
        }
      ],
      ['update_issue', { issue_iid: '1', labels: Array(100).fill(','.repeat(1_000)) }],
      [
        'commit_files',
        {
          branch: 'a',
          commit_message: 'b',
          actions: namesOf(100, 3_900).map(previous_path => ({
            action: 'move',
            previous_path,
            file_path: `b${previous_path.slice(1)}`
          }))
        }
      ]
    ] as const
  ).map(
    ([tool, args]): HeldRow => [
      `very many names of ${tool}`,
      4,
      calling(tool, { ...project, ...args }, refused)
    ]
  ),
  ...[
    ['create_issue', { title: 'a', labels: Array(8).fill(`${' '.repeat(MB / 2)}x`) }],
    ['update_issue', { issue_iid: '1', remove_labels: Array(8).fill(`${' '.repeat(MB / 2)}x`) }],
    ['create_milestone', { title: `${' '.repeat(MB)}x` }],
    ['set_time_estimate', { issue_iid: '1', duration: `${'1d'.repeat(MB / 2)}:` }]
  ].map(
    ([tool, args]): HeldRow => [
      `a name of a megabyte that ${tool} refuses`,
      1,
      calling(tool as string, { ...project, ...(args as object) }, {})
    ]
  ),
  ...[
    ['numbered as a file is', `${numbered('0\t')}\nx`],
    ['numbered as a diff is', `${numbered('0|')}\nx`],
    ['with dots where a diff has them', `${numbered('0|', '...')}\nx`],
    ['of nothing but quotes', `${"'".repeat(790)}\\n`],
    ['of line breaks that are written out', '\\n'.repeat(400)],
    ['with one such between words', `a b\\nc d${'x'.repeat(700)}`],
    ['with what is like the mark of a cut', '... [1 more]x\n'.repeat(50)],
    ['of one letter', 'x']
  ].map(
    ([of, text]): HeldRow => [
      `five thousand edits ${of}`,
      4,
      calling('commit_files', editsOf(text!), { '/commits': { id: 'a' } }, 'x0 x1')
    ]
  ),
  ...[
    ['quotes', "'".repeat(40_000), 100],
    ['lines', `${numbered('0|')}\n${'x\n'.repeat(20_000)}`, 100]
  ].map(
    ([of, content, files]): HeldRow => [
      `files of ${of} in one commit`,
      4,
      calling(
        'commit_files',
        {
          ...project,
          branch: 'a',
          commit_message: 'b',
          actions: Array.from({ length: files as number }, (_, at) => ({
            action: 'create',
            file_path: `a${at}`,
            content
          }))
        },
        { '/commits': { id: 'a' } }
      )
    ]
  ),
  [
    'suggestions of very many lines behind a blank in one review',
    4,
    calling(
      'submit_review',
      {
        ...project,
        merge_request_iid: '1',
        comments: Array.from({ length: 3 }, () => ({
          path: 'a',
          line: 1,
          body: ` \`\`\`suggestion\n${' x\n'.repeat(300_000)}`
        }))
      },
      {
        '/diffs': [{ old_path: 'a', new_path: 'a', diff: '@@ -1,2 +1,2 @@\n a\n b\n' }],
        '/merge_requests/1': { diff_refs: { base_sha: 'a', start_sha: 'b', head_sha: 'c' } }
      }
    )
  ],
  [
    'a note of a megabyte of suggestions',
    1,
    calling(
      'create_merge_request_discussion_note',
      {
        ...project,
        merge_request_iid: '1',
        discussion_id: 'a',
        body: '```suggestion\n1|\nx\n```\n'.repeat(MB / 26)
      },
      { '/discussions/a': { notes: [{ position: { new_line: 3, new_path: 'a.ts' } }] } }
    )
  ]
]

t.test('no check of many texts holds the event loop for long', t => holdNoLonger(t, rows))
