import { issues } from '../../../tools/issues/index.ts'
import { mergeRequests } from '../../../tools/merge-requests/index.ts'
import { code, commentsOn, file, M, one, place } from '../../support/comments-on-lines.ts'
import { runTable } from '../../support/tool-table.ts'

/* Suggestions: code in a comment that a reader can apply. */

const rows = { old_path: 'rows.txt', new_path: 'rows.txt', diff: '@@ -1 +1 @@\n-1|gone\n+1|came\n' }
const patch = { old_path: 'a.patch', new_path: 'a.patch', diff: '@@ -1 +1 @@\n-gone\n+came\n' }
const signs = { old_path: 'signs.txt', new_path: 'signs.txt', diff: '@@ -1 +1 @@\n-gone\n+-came\n' }
const { placed, missed, read, refused } = commentsOn([rows, file, patch, signs])

/** What a text is refused with that proposes something where it is on no line. */
const nothing = /body has a block ```suggestion, which proposes nothing unless the comment is on a line/
/** A comment on the whole, which may have nothing that is proposed. */
const quotedOnly = (title: string, body: string) => ({
  title,
  tool: 'create_merge_request_note',
  args: { ...one, body },
  exchanges: [
    { request: `POST /projects/1/merge_requests/12/notes`, body: { body }, reply: { body: { id: 1 } } }
  ],
  result: { id: 1 }
})

const threeLines = {
  new_line: 5,
  line_range: {
    start: { line_code: `${code}_3_3`, old_line: 3, new_line: 3 },
    end: { line_code: `${code}_5_5`, type: 'new', new_line: 5 }
  }
}
const plain = 'So:\n```suggestion\ncame\n```'
const suggested = [
  missed(
    'a suggestion for several lines says how many, as it would replace the last alone',
    { path: 'a.ts', line: 3, end_line: 5, body: plain },
    'The suggestion would replace line 5 alone: begin it with ```suggestion:-2+0 for lines 3 to 5, or with ```suggestion:-0+0 if line 5 is meant.'
  ),
  missed(
    'a suggestion whose lines are counted from the first of several says so, as it would replace those below',
    { path: 'a.ts', line: 3, end_line: 5, body: 'So:\n```suggestion:-0+2\ncame\n```' },
    '```suggestion:-0+2 counts from line 5, the last of the comment, and would replace lines 5 to 7: begin it with ```suggestion:-2+0 for lines 3 to 5, or put the comment on line 5 alone if those are meant. Nothing was done.'
  ),
  missed(
    'so does one that is half beside them',
    { path: 'a.ts', line: 3, end_line: 5, body: 'So:\n```suggestion:-1+1\ncame\n```' },
    /would replace lines 4 to 6: begin it with ```suggestion:-2\+0/
  ),
  ...['suggestion:', 'suggestion:foo', 'suggestion:-2+0foo', 'suggestion:-2+0 foo', 'suggestion:+1-2'].map(
    head =>
      missed(
        `so does one whose head says no lines: ${head}`,
        { path: 'a.ts', line: 3, end_line: 5, body: `So:\n\`\`\`${head}\ncame\n\`\`\`` },
        /^The suggestion would replace line 5 alone/
      )
  ),
  missed(
    'a suggestion has no more lines below than a forge takes',
    { path: 'a.ts', line: 3, body: 'So:\n```suggestion:-0+101\ncame\n```' },
    '```suggestion:-0+101 has more than 100 lines above or below line 3, and a forge takes no more: it would replace lines 3 to 103. Propose for fewer, or for some in each of several comments. Nothing was done.'
  ),
  missed(
    'a suggestion for a removed line is refused, as none would come of it',
    { path: 'a.ts', old_line: 4, body: plain },
    'A suggestion changes lines that are there after the change, and line 4 was removed: put it on one beside it, by its number after the change.'
  ),
  {
    ...missed(
      'so it is in a draft',
      { path: 'a.ts', line: 3, end_line: 5, body: plain },
      /^The suggestion would replace line 5 alone/
    ),
    tool: 'create_draft_note'
  },
  {
    ...missed(
      'so it is in a review, of which nothing is published',
      { body: undefined, comments: [{ path: 'a.ts', line: 3, end_line: 5, body: plain }] },
      /^comments\.0: The suggestion would replace line 5 alone.* Nothing was published\.$/
    ),
    tool: 'submit_review'
  },
  refused(
    'a suggestion on no line is refused, as none would come of it',
    { body: plain },
    'body has a block ```suggestion, which proposes nothing unless the comment is on a line that is there after the change: give path and line. Nothing was done. Code that is only to be read takes a block of its language.'
  ),
  {
    ...refused(
      'so it is in a comment on the whole',
      { body: plain },
      /create_merge_request_thread takes path/
    ),
    tool: 'create_merge_request_note'
  },
  {
    ...refused(
      'so it is in the summary of a review',
      { body: undefined, summary: plain },
      /^summary has .*: put it into comments, with path and line\./
    ),
    tool: 'submit_review'
  },
  ...[
    ['a suggestion that says its lines is taken as it is', '```suggestion:-0+0\ncame\n```'],
    ['one that begins above is, too', '```suggestion:-2\ncame\n```'],
    ['so is one that takes a line more below, from the first on', '```suggestion:-2+1\ncame\n```'],
    ['so is one that takes more above and below', '```suggestion:-4+10\ncame\n```'],
    ['so is one for some of them', '```suggestion:-1+0\ncame\n```'],
    ['a suggestion within another block is only quoted', `\`\`\`\`md\n${plain}\n\`\`\`\``]
  ].map(([title, body]) => placed(title!, { line: 3, end_line: 5, body }, threeLines, ' same')),
  ...[
    ['after a paragraph', 'So:\n\n    ```suggestion\n    came\n    ```\n\nThen apply it.'],
    ['after a tab', '\t```suggestion\n\tcame\n\t```'],
    ['with less before it', '- So:\n\n      ```suggestion\n      came\n      ```'],
    ['under a text that is no item', '- One\n\nSo:\n\n    ```suggestion\n    came\n    ```'],
    ['under what is no item but code', 'So:\n\n    - One\n\n      ```suggestion\n      came\n      ```'],
    ['under a block that has an item', '```\n- One\n```\n\n    ```suggestion\n    came\n    ```'],
    ['within a paragraph', 'So:\n    ```suggestion\n    came\n    ```']
  ].map(([where, body]) => quotedOnly(`a block of code by its blanks only explains, ${where}`, body!)),
  quotedOnly('a block of another language whose name begins so is none', '```suggestion-box\ncame\n```'),
  ...[
    ['an item that begins with it', '- ```md\n  ```suggestion\n  came\n  ```'],
    ['a number that begins with it', '1. ````md\n   ```suggestion\n   came\n   ```\n   ````'],
    ['an item that begins with code', '-     ```suggestion\n      came'],
    ['an item that begins with code behind tabs', '-\t\t```suggestion\n\t\tcame']
  ].map(([where, body]) => quotedOnly(`a suggestion in a block of ${where} is only quoted`, body!)),
  quotedOnly('a line that begins with code opens no block', '```suggestion `a` ``` is how it begins'),
  ...[
    ['by a fence with something behind it', '```md\n``` so\n```suggestion\ncame\n```'],
    ['by a fence that its blanks make code', '```md\n    ```\n```suggestion\ncame\n```']
  ].map(([how, body]) => quotedOnly(`a block that quotes is not closed ${how}`, body!)),
  ...[
    ['an item', '1. So:\n\n   ```suggestion\n   came\n   ```'],
    ['the first line of an item', '1. ```suggestion\n   came\n   ```'],
    ['what is behind an item with a block', '- ````md\n  so\n  ````\n\n```suggestion\ncame\n```'],
    ['what is behind an item with an open block', '- ````md\n  so\n\nSo:\n\n```suggestion\ncame\n```'],
    ['an item with more before it', '10. So\n    ```suggestion\n    came\n    ```'],
    ['an item whose text goes on without blanks', '10. So\nit is\n    ```suggestion\n    came\n    ```'],
    ['an item before a tab', '-\tSo:\n\n      ```suggestion\n      came\n      ```'],
    ['a block after a line that begins with code', '```a``` it is:\n\n```suggestion\ncame\n```'],
    ['a block after one that blanks close', '```md\n   ``` \t\r\n```suggestion\ncame\n```'],
    ['an item behind a tab', '1. One\n  \t- two\n\n\t  ```suggestion\n\t  came\n\t  ```'],
    ['an item of an item', '- One\n  - two\n\n    ```suggestion\n    came\n    ```'],
    ['the second text of an item', '* One\n\n  - two\n\n    three\n\n    ```suggestion\n    came\n    ```']
  ].map(([where, body]) => ({
    ...refused(`a suggestion in ${where} is one`, { body }, nothing),
    tool: 'create_merge_request_note'
  })),
  ...['suggestion:-3+0', 'suggestion:-100+100', 'suggestion:-999+0'].map(head =>
    placed(
      `a suggestion that begins above the file begins with it: ${head}`,
      { line: 3, body: `So:\n\`\`\`${head}\ncame\n\`\`\`` },
      { old_line: 3, new_line: 3 },
      ' same'
    )
  ),
  ...[
    [
      'suggestion',
      1,
      /^The suggestion would replace line 150 alone: begin it with ```suggestion:-100\+0 for lines 50 to 150, as many as it can take, or with/
    ],
    [
      'suggestion:-149+0',
      1,
      /^```suggestion:-149\+0 has more than 100 lines above .*replace lines 50 to 150\./
    ],
    ['suggestion:-101+0', 150, /^```suggestion:-101\+0 has more than 100 lines above/]
  ].map(([head, line, error]) =>
    refused(
      `a suggestion has no more lines above than a forge takes: ${head}`,
      {
        body: `\`\`\`${head}\ncame\n\`\`\``,
        position: { ...place, new_line: 150, line_range: { start: { new_line: line } } }
      },
      error as RegExp
    )
  ),
  placed(
    'a suggestion for an unchanged line may give its old number',
    { old_line: 3, body: plain },
    { old_line: 3, new_line: 3 },
    ' same'
  )
]

const elided = 'So:\n```suggestion:-0+0\nconst a = 1\n// ... existing code ...\n```\nThanks.'
const inElided = /body has in a block ```suggestion the line "\/\/ \.\.\. existing code \.\.\.", which would/
const onLine = { path: 'a.ts', line: 5, body: elided }
const thread = { discussion_id: 'a'.repeat(40) }
/** A suggestion that holds a block of code. */
const holding = (opening: string, inner: string, closing: string) =>
  [opening, inner, 'npm ci', inner.replace(/\w+/, ''), '', 'Then go.', closing].join('\n')
const standsFor = [
  refused(
    'a suggestion is refused in which a comment stands for code',
    onLine,
    'body has in a block ```suggestion the line "// ... existing code ...", which would be in the file instead of what it stands for. Nothing was done. Give all lines as they are to be, or propose for fewer; where the line is meant, add a word to it.'
  ),
  ...[
    ['create_draft_note', onLine],
    ['update_draft_note', { ...onLine, draft_note_id: '1' }],
    ['update_merge_request_note', { body: elided, note_id: '1' }],
    ['update_merge_request_discussion_note', { ...thread, body: elided, note_id: '1' }],
    ['create_merge_request_discussion_note', { ...thread, body: elided }],
    ['submit_review', { body: undefined, comments: [onLine] }],
    ['submit_review', { body: undefined, replies: [{ ...thread, body: elided }] }]
  ].map(([tool, args]) => ({
    ...refused('so it is there', args as Record<string, unknown>, inElided),
    tool: tool as string
  })),
  refused(
    'a suggestion is refused that ends within its code, as the rest would be lost',
    { ...onLine, body: holding('```suggestion:-0+0', '```bash', '```') },
    'body has in a block ```suggestion a block of code that begins with ```, and both end at the next such line: what is behind it would be lost. Nothing was done. Begin and end the suggestion with one sign more: ````suggestion.'
  ),
  ...[
    ['of tildes', holding('~~~suggestion', '~~~bash', '~~~')],
    ['within a longer block', holding('```suggestion', '````md', '```')],
    ['in a list', '- ```suggestion\n  ```bash\n  npm ci\n  ```\n  Go.\n  ```']
  ].map(([where, body]) => refused(`so it is ${where}`, { ...onLine, body }, /both end at the next/)),
  ...[
    ['one with a longer fence', holding('````suggestion', '```bash', '````')],
    ['one with a fence of another sign', holding('~~~suggestion', '```bash', '~~~')],
    ['one that ends with the line that begins a block', '```suggestion\n```bash\n```'],
    ['one with a block far in', '```suggestion\n1. So:\n\n    ```bash\n    npm ci\n    ```\n```'],
    ['one with a line that begins with code', '```suggestion\n```a``` it is\nso\n```']
  ].map(([what, body]) => placed(`${what} is taken`, { line: 5, body }, { new_line: 5 }, '+more')),
  placed(
    'a block of its language may quote such a comment',
    { line: 5, body: '```ts\n// ... existing code ...\n```' },
    { new_line: 5 },
    '+more'
  )
]

const note = `${M}/notes/7`
const answered = `${M}/discussions/${'a'.repeat(40)}`
const draft = `${M}/draft_notes/5`
/** Where a text is that is changed or answered, by what is said of it. */
const somewhere = (said: string, position: unknown, text: string, error?: string | RegExp) => {
  const body = `So:\n${text}`
  const wrote = (request: string, sent: object) =>
    error === undefined ? [{ request, body: sent, reply: { body: { id: 1 } } }] : []
  const sent = M.replace('GET ', '')
  const ways = [
    {
      tool: 'update_merge_request_note',
      args: { note_id: '7', body },
      exchanges: [
        { request: note, reply: { body: { id: 7, position } } },
        ...wrote(`PUT ${sent}/notes/7`, { body })
      ]
    },
    {
      tool: 'update_merge_request_discussion_note',
      args: { ...thread, note_id: '7', body },
      exchanges: [
        { request: note, reply: { body: { id: 7, position } } },
        ...wrote(`PUT ${sent}/discussions/${thread.discussion_id}/notes/7`, { body })
      ]
    },
    {
      tool: 'create_merge_request_discussion_note',
      args: { ...thread, body },
      exchanges: [
        { request: answered, reply: { body: { id: 'a', notes: [{ id: 6, position }] } } },
        ...wrote(`POST ${sent}/discussions/${thread.discussion_id}/notes`, { body })
      ]
    },
    {
      tool: 'create_draft_note',
      args: { in_reply_to_discussion_id: thread.discussion_id, body },
      exchanges: [
        { request: answered, reply: { body: { id: 'a', notes: [{ id: 6, position }] } } },
        ...wrote(`POST ${sent}/draft_notes`, {
          note: body,
          in_reply_to_discussion_id: thread.discussion_id
        })
      ]
    },
    {
      tool: 'update_draft_note',
      args: { draft_note_id: '5', body },
      exchanges: [
        { request: draft, reply: { body: { id: 5, note: 'x', position, discussion_id: null } } },
        ...wrote(`PUT ${sent}/draft_notes/5`, { note: body, ...(position !== null && { position }) })
      ]
    },
    {
      tool: 'update_draft_note',
      args: { draft_note_id: '5', body },
      exchanges: [
        {
          request: draft,
          reply: { body: { id: 5, note: 'x', position: null, discussion_id: thread.discussion_id } }
        },
        { request: answered, reply: { body: { id: 'a', notes: [{ id: 6, position }] } } },
        ...wrote(`PUT ${sent}/draft_notes/5`, { note: body })
      ]
    },
    ...(error === undefined
      ? []
      : [
          {
            tool: 'submit_review',
            args: { replies: [{ ...thread, body }] },
            exchanges: [
              {
                request: `${M}/discussions?per_page=100&page=1`,
                reply: { body: [{ id: thread.discussion_id, notes: [{ id: 6, position }] }] }
              }
            ]
          }
        ])
  ]
  return ways.map(({ tool, args, exchanges }) => ({
    title: said,
    tool,
    args: { ...one, ...args },
    exchanges,
    ...(error !== undefined && { error })
  }))
}
/** Where the place of a text is not shown, by what the forge answers instead. */
const nowhere = (said: string, reply: { status?: number; body: unknown }) => {
  const body = `So:\n${sameText}`
  const sent = M.replace('GET ', '')
  const made = (request: string, written: object) => ({ request, body: written, reply: { body: { id: 1 } } })
  const { discussion_id } = thread
  return [
    {
      tool: 'update_merge_request_note',
      args: { note_id: '7', body },
      exchanges: [{ request: note, reply }, made(`PUT ${sent}/notes/7`, { body })]
    },
    {
      tool: 'update_merge_request_discussion_note',
      args: { ...thread, note_id: '7', body },
      exchanges: [
        { request: note, reply },
        made(`PUT ${sent}/discussions/${discussion_id}/notes/7`, { body })
      ]
    },
    {
      tool: 'create_merge_request_discussion_note',
      args: { ...thread, body },
      exchanges: [
        { request: answered, reply },
        made(`POST ${sent}/discussions/${discussion_id}/notes`, { body })
      ]
    },
    {
      tool: 'create_draft_note',
      args: { in_reply_to_discussion_id: discussion_id, body },
      exchanges: [
        { request: answered, reply },
        made(`POST ${sent}/draft_notes`, { note: body, in_reply_to_discussion_id: discussion_id })
      ]
    },
    {
      tool: 'update_draft_note',
      args: { draft_note_id: '5', body },
      exchanges: [
        { request: draft, reply: { body: { id: 5, note: 'x', position: null, discussion_id } } },
        { request: answered, reply },
        made(`PUT ${sent}/draft_notes/5`, { note: body })
      ]
    }
  ].map(({ tool, args, exchanges }) => ({
    title: `a suggestion is written, and said to be unchecked, where ${said}`,
    tool,
    args: { ...one, ...args },
    exchanges,
    result: { id: 1 },
    notices: [
      'The forge did not show which line the comment is on: look at the suggestion before it is applied.'
    ]
  }))
}
const kept = { ...place, new_line: 4 }
const numbered = /body has in a block ```suggestion a number with a tab or a bar before each line/
const sameText = '```suggestion\ncame\n```'

runTable(mergeRequests, [
  ...suggested,
  ...standsFor,
  ...somewhere('a suggestion is refused for what is on no line', null, sameText, nothing),
  ...nowhere('the forge has no such place to read', { status: 404, body: { message: '404 Not found' } }),
  ...nowhere('the forge says nothing of the place', { body: {} }),
  ...nowhere('the forge gives a list instead of the place', { body: [] }),
  ...nowhere('the forge fails to read the place', { status: 500, body: { message: 'x' } }),
  {
    title: 'a suggestion is not said to be unchecked where the answer has its line',
    tool: 'create_merge_request_discussion_note',
    args: { ...one, ...thread, body: sameText },
    exchanges: [
      { request: answered, reply: { status: 404, body: { message: '404 Not found' } } },
      {
        request: `POST ${M.replace('GET ', '')}/discussions/${thread.discussion_id}/notes`,
        body: { body: sameText },
        reply: { body: { id: 1, position: kept } }
      }
    ],
    notices: []
  },
  ...somewhere(
    'a suggestion is refused for a line that was removed',
    { ...place, old_line: 4 },
    sameText,
    /A suggestion changes lines that are there after the change, and line 4 was removed/
  ),
  ...somewhere(
    'a suggestion for several lines says how many',
    { ...place, ...threeLines },
    sameText,
    /The suggestion would replace line 5 alone: begin it with ```suggestion:-2\+0 for lines 3 to 5/
  ),
  ...somewhere(
    'a suggestion for several lines does not count from the first',
    { ...place, ...threeLines },
    '```suggestion:-0+2\ncame\n```',
    /counts from line 5, the last of the comment, and would replace lines 5 to 7/
  ),
  ...somewhere('a suggestion for its line is taken', kept, sameText),
  ...somewhere('a suggestion for its line may take more below', kept, '```suggestion:-0+2\ncame\n```'),
  ...somewhere('a suggestion has no numbers of lines', kept, '```suggestion\n+4|came\n```', numbered),
  ...somewhere('a suggestion may be of numbers alone', kept, '```suggestion\n4|5\n```'),
  ...somewhere(
    'a suggestion is in small letters, as a forge takes others for code',
    kept,
    '```Suggestion\ncame\n```',
    /body has a block ```Suggestion, which proposes nothing: a forge takes suggestion in small letters alone/
  ),
  ...['4|came', '-4|gone\n+4|came', '4\tcame', '3|same\n...\n+5|more'].map(code => ({
    ...missed(
      'the numbers of lines are not suggested',
      { path: 'a.ts', line: 4, body: `\`\`\`suggestion\n${code}\n\`\`\`` },
      numbered
    )
  })),
  ...['-came\n+come', '-  const x = 1\n\n+  const x = 10', '+a\n-b\n+c'].map(code =>
    missed(
      'the lines of a diff are not suggested',
      { path: 'a.ts', line: 4, body: `\`\`\`suggestion\n${code}\n\`\`\`` },
      'body has in a block ```suggestion the lines of a diff: their signs + and - would be in the file. Nothing was done. Give the lines as they are to be, and none that goes; where the signs are meant, propose for a line without one above them, too.'
    )
  ),
  ...somewhere('nor are they in an answer', kept, '```suggestion\n-came\n+come\n```', /lines of a diff/),
  ...['- came\n- come', '+ came\n+ come', 'came\n- a\n+ b', '-came'].map(code =>
    placed(
      'the signs of a list, or of some lines, are suggested',
      { path: 'a.ts', line: 4, body: `\`\`\`suggestion\n${code}\n\`\`\`` },
      { new_line: 4 },
      '+came'
    )
  ),
  placed(
    'the lines of a diff are suggested for one',
    { path: 'a.patch', line: 1, body: '```suggestion\n-come\n+came\n```' },
    { old_path: 'a.patch', new_path: 'a.patch', new_line: 1 },
    '+came'
  ),
  placed(
    'so they are for a line with such a sign',
    { path: 'signs.txt', line: 1, body: '```suggestion\n-come\n+came\n```' },
    { old_path: 'signs.txt', new_path: 'signs.txt', new_line: 1 },
    '+-came'
  ),
  missed(
    'nor are they where the block is in a list',
    { path: 'a.ts', line: 4, body: '- So:\n  ```suggestion\n  +4|came\n  ```' },
    numbered
  ),
  placed(
    'what begins with a number in the file may do so in a suggestion',
    { path: 'rows.txt', line: 1, body: '```suggestion\n1|come\n```' },
    { old_path: 'rows.txt', new_path: 'rows.txt', new_line: 1 },
    '+1|came'
  ),
  missed(
    'a range that begins at a removed line counts the lines that are there',
    { path: 'a.ts', old_line: 4, end_line: 5, body: plain },
    /The suggestion would replace line 6 alone: begin it with ```suggestion:-2\+0 for lines 4 to 6/
  ),
  {
    ...missed(
      'so it does where only the code of its line says where that is',
      {
        body: plain,
        position: { ...place, new_line: 6, line_range: { start: { line_code: `${code}_4_4`, type: 'old' } } }
      },
      /suggestion:-2\+0 for lines 4 to 6/
    ),
    exchanges: []
  },
  {
    ...refused(
      'a position on a removed line takes no suggestion',
      { body: plain, position: { ...place, old_line: 4 } },
      /line 4 was removed/
    )
  },
  {
    title: 'a draft with a suggestion is not moved to a removed line',
    tool: 'update_draft_note',
    args: { ...one, draft_note_id: '5', path: 'a.ts', old_line: 4 },
    exchanges: [{ request: draft, reply: { body: { id: 5, note: plain, position: kept } } }, ...read],
    error: /line 4 was removed/
  },
  {
    title: 'the summary of published drafts proposes nothing',
    tool: 'bulk_publish_draft_notes',
    args: { ...one, note: plain },
    error: /^note has a block ```suggestion.*: create_draft_note takes path and line\./
  }
])

const comment = { project_id: '1', noteable_iid: '12', body: plain }
runTable(issues, [
  {
    title: 'a comment on a merge request as a whole proposes nothing',
    tool: 'create_note',
    args: { ...comment, noteable_type: 'merge_request' },
    error: nothing
  },
  {
    title: 'on an issue such a block is only read',
    tool: 'create_note',
    args: { ...comment, noteable_type: 'issue' },
    exchanges: [{ request: 'POST /projects/1/issues/12/notes', body: { body: plain } }]
  }
])
