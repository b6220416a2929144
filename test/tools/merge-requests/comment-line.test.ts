import t from 'tap'
import type { ToolContext } from '../../../src/engine/context.ts'
import { DiffReader } from '../../../tools/merge-requests/diffs/diff-lines.ts'
import { mergeRequests } from '../../../tools/merge-requests/index.ts'
import { positionsOf } from '../../../tools/merge-requests/notes/comment-line.ts'
import { code, commentsOn, diff, file, M, one, place, refs } from '../../support/comments-on-lines.ts'
import { story } from '../../support/sandbox-tools.ts'
import { runTable } from '../../support/tool-table.ts'

/** Of it and what follows, 120 characters are shown. */
const longLine = `${'x'.repeat(100)} https://`
const { placed, missed, read, refused } = commentsOn([file])

const threeLines = {
  new_line: 5,
  line_range: {
    start: { line_code: `${code}_3_3`, old_line: 3, new_line: 3 },
    end: { line_code: `${code}_5_5`, type: 'new', new_line: 5 }
  }
}
runTable(mergeRequests, [
  placed('stands on an added line by path and line', { line: 4 }, { new_line: 4 }, '+came'),
  placed(
    'stands on an unchanged line with both its numbers',
    { line: 6 },
    { old_line: 5, new_line: 6 },
    ' end'
  ),
  placed('stands on a removed line by old_line', { old_line: 4 }, { old_line: 4 }, '-gone'),
  placed('takes side=old for the same', { line: 21, side: 'old' }, { old_line: 21 }, '-cut'),
  placed('takes the slash of the root', { path: '/a.ts', line: 4 }, { new_line: 4 }, '+came'),
  placed(
    'takes a path and a line as diffs show them',
    { path: 'b/a.ts', line: '+4' },
    { new_line: 4 },
    '+came'
  ),
  placed('finds the file by its old name, too', { path: 'old.ts', line: 5 }, { new_line: 5 }, '+more'),
  placed('covers several lines', { line: 3, end_line: 5 }, threeLines, ' same'),
  missed(
    'says which lines the diff has where it has not this one',
    { path: 'a.ts', line: 12 },
    'The diff does not have line 12 of "a.ts" after the change. It has 3–6, 21.'
  ),
  missed(
    'says the lines before the change where those are meant',
    { path: 'a.ts', old_line: 12 },
    'The diff does not have line 12 of "old.ts" before the change. It has 3–5, 20–21.'
  ),
  {
    ...missed(
      'names no file that the forge gives no path of',
      { path: 'b.ts', line: 1 },
      /Changed are "a\.ts"\.$/
    ),
    exchanges: [read[0]!, { ...read[1]!, reply: { body: [{ diff }, file] } }]
  },
  {
    ...missed(
      'says what the forge’s answer lacks',
      { path: 'a.ts', line: 4 },
      "The forge's answer lacks old_path."
    ),
    exchanges: [read[0]!, { ...read[1]!, reply: { body: [{ new_path: 'a.ts', diff }] } }]
  },
  missed(
    'says which files are changed where this one is not',
    { path: 'b.ts', line: 1 },
    '"b.ts" is not changed by this merge request. Changed are "a.ts".'
  ),
  refused(
    'does not take a line without a file',
    { line: 3 },
    'line needs path: give the file, or position instead.'
  ),
  refused(
    'does not take a file without a line',
    { path: 'a.ts' },
    'path needs line, or old_line for a removed line.'
  ),
  refused(
    'does not take a range backwards',
    { path: 'a.ts', line: 5, end_line: 3 },
    'end_line 3 is before line 5.'
  ),
  refused(
    'does not take a position besides',
    { path: 'a.ts', line: 5, position: { ...refs, new_path: 'a.ts', new_line: 5 } },
    "Only one of 'position' or 'path' can be provided, not both."
  ),
  {
    title: 'does not guess before the forge has worked out the diff',
    tool: 'create_draft_note',
    args: { ...one, body: 'Hm.', path: 'a.ts', line: 4 },
    exchanges: [{ request: M, reply: { body: { iid: 12, diff_refs: null } } }, read[1]!],
    error: /has not worked out the diff of this merge request yet/
  },
  ...(
    [
      ['is deleted', { line: 2 }, { deleted_file: true, diff: '@@ -1,2 +0,0 @@\n-a\n-b\n' }],
      ['is new', { old_line: 1 }, { new_file: true, diff: '@@ -0,0 +1,2 @@\n+a\n+b\n' }],
      ['is left with nothing', { line: 1 }, { diff: '@@ -1,2 +0,0 @@\n-a\n-b\n' }]
    ] as const
  ).map(([what, at, of]) => ({
    ...missed(
      `says of a file that ${what} how its lines are given`,
      { path: 'a.ts', ...at },
      {
        'is deleted':
          'The diff has no lines of "a.ts" after the change, as it is deleted: old_line takes 1–2.',
        'is new': 'The diff has no lines of "a.ts" before the change, as it is new: line takes 1–2.',
        'is left with nothing': 'The diff has no lines of "a.ts" after the change: old_line takes 1–2.'
      }[what]
    ),
    exchanges: [read[0]!, { ...read[1]!, reply: { body: [{ old_path: 'a.ts', new_path: 'a.ts', ...of }] } }]
  })),
  {
    title: 'says of a file whose diff is too large that it has no lines to comment on',
    tool: 'create_draft_note',
    args: { ...one, body: 'Hm.', path: 'a.ts', line: 4 },
    exchanges: [
      read[0]!,
      { request: `${M}/diffs?per_page=100&page=1`, reply: { body: [{ ...file, diff: '', too_large: true }] } }
    ],
    error: /has no lines of "a.ts" after the change: it is too large to show/
  },
  {
    title: 'a draft is placed the same way',
    tool: 'create_draft_note',
    args: { ...one, body: 'Hm.', path: 'a.ts', line: 4 },
    exchanges: [
      ...read,
      {
        request: 'POST /projects/1/merge_requests/12/draft_notes',
        body: { note: 'Hm.', position: { ...place, new_line: 4 } },
        reply: { body: { id: 1 } }
      }
    ],
    result: { id: 1, code: '+came' }
  },
  {
    title: 'shows the beginning of a long line, which does not end within credentials in a URL',
    tool: 'create_draft_note',
    args: { ...one, body: 'Hm.', path: 'a.ts', line: 1 },
    exchanges: [
      read[0]!,
      {
        request: `${M}/diffs?per_page=100&page=1`,
        reply: { body: [{ ...file, diff: `@@ -0,0 +1 @@\n+${longLine}ada:s3cret@forge.example/x\n` }] }
      },
      {
        request: 'POST /projects/1/merge_requests/12/draft_notes',
        body: { note: 'Hm.', position: { ...place, new_line: 1 } },
        reply: { body: { id: 1 } }
      }
    ],
    result: { id: 1, code: `+${longLine}` }
  },
  {
    title: 'numbers the lines of a diff on request',
    tool: 'get_merge_request_file_diff',
    args: { ...one, file_paths: ['a.ts'], line_numbers: true },
    exchanges: [read[1]!],
    result: [
      {
        old_path: 'old.ts',
        new_path: 'a.ts',
        diff: '3|same\n-4|gone\n+4|came\n+5|more\n6|end\n...\n21|last\n-21|cut'
      }
    ]
  }
])

t.test('each file of a diff is looked at once, however many comments name files that it has not', async t => {
  let looks = 0
  const counted = (at: number) => ({
    old_path: 'old.ts',
    get new_path() {
      looks++
      return `${at}.ts`
    }
  })
  const files = Array.from({ length: 100 }, (_, at) => counted(at))
  const send = async ({ path }: { path: string }) =>
    path.includes('/diffs?')
      ? { value: files, headers: path.endsWith('page=3') ? {} : { 'x-next-page': `${+path.at(-1)! + 1}` } }
      : { value: { diff_refs: refs } }
  const context = { forge: { send }, mayRun: () => true } as unknown as ToolContext
  const comments = Array.from({ length: 50 }, (_, at) => ({ path: `x${at}`, line: 1 }))
  await t.rejects(positionsOf(one, comments, context, 'comments'), /Changed are "0\.ts", .* and 280 more\./)
  t.equal(looks, 300)
})

t.test('a file is found by its new path rather than by the old one of another', async t => {
  const send = async ({ path }: { path: string }) => ({
    value: path.includes('/diffs?')
      ? [
          { ...file, old_path: 'b.ts' },
          { ...file, new_path: 'b.ts' }
        ]
      : { diff_refs: refs },
    headers: {}
  })
  const context = { forge: { send }, mayRun: () => true } as unknown as ToolContext
  const { places } = await positionsOf(one, [{ path: 'b.ts', line: 4 }], context, undefined)
  t.match(places[0]!.position, { old_path: 'old.ts', new_path: 'b.ts' })
})

t.test('a file is read once, however many comments are on it', async t => {
  const long = { ...file, diff: `@@ -0,0 +1,20000 @@\n${'+x\n'.repeat(20_000)}` }
  const send = async ({ path }: { path: string }) => ({
    value: path.includes('/diffs?') ? [long] : { diff_refs: refs },
    headers: {}
  })
  const context = { forge: { send }, mayRun: () => true } as unknown as ToolContext
  const comments = [1, 2, 3].map(line => ({ path: 'a.ts', line }))
  t.equal((await positionsOf(one, comments, context, 'comments')).places.length, 3)
})

t.test('a remark on a missing newline is no line, and what is no diff stays as it is', async t => {
  const [hunk] = new DiffReader().linesOf({
    diff: '@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n'
  })
  t.same(hunk, [
    { side: 'old', old: 1, new: 1, text: '-a' },
    { side: 'new', old: 2, new: 1, text: '+b' }
  ])
  t.equal(new DiffReader().numbered({ diff: 'Binary files a and b differ' }), 'Binary files a and b differ')
  t.equal(new DiffReader().numbered({ diff: '' }), '')
})

t.test('a line is found by its number in the version that has it', async t => {
  const reader = new DiffReader()
  const file = { diff: '@@ -1,2 +1,2 @@\n a\n-b\n+c\n' }
  const found = (side: 'old' | 'new', line: unknown) => reader.lineAt(file, side, line)?.text
  t.same([found('old', 1), found('new', 1), found('old', 2), found('new', 2)], [' a', ' a', '-b', '+c'])
  t.same([found('new', 3), found('old', null), found('old', '1')], [undefined, undefined, undefined])
})

t.test('of very many diffs as many are read as the largest of a forge has', async t => {
  const reader = new DiffReader()
  const files = Array.from({ length: 3001 }, (_, at) => ({ diff: `@@ -${at} +${at} @@\n-a\n+b\n` }))
  for (const file of files) reader.linesOf(file)
  t.equal(reader.linesOf(files.at(-1)!).length, 0)
  t.equal(reader.linesOf(files.at(-2)!).length, 1)
})

story('a review by path and line stands where it was put', [mergeRequests], async (t, as) => {
  const ada = as('ada')
  const { value: requests } = await ada('list_merge_requests', { project_id: 'acme/rocket', state: 'opened' })
  const { iid } = requests[0]
  const one = { project_id: 'acme/rocket', merge_request_iid: String(iid) }
  const { value: diffs } = await ada('list_merge_request_diffs', { ...one, line_numbers: true })
  const added = diffs.map((file: { diff: string }) => /^\+(\d+)\|/m.exec(file.diff)?.[1])
  const at = added.findIndex((line: string | undefined) => line !== undefined)
  const { value: thread, error } = await ada('create_merge_request_thread', {
    ...one,
    body: 'Here.',
    path: diffs[at].new_path,
    line: Number(added[at])
  })
  t.equal(error, undefined)
  t.equal(thread.notes[0].position.new_line, Number(added[at]))
})

t.test(
  'diffs of more lines than one call looks at stay as they are, and those after them that are small do not',
  t => {
    const small = '@@ -1 +1 @@\n-a\n+b\n'
    const long = `@@ -0,0 +1,60000 @@\n${'+\n'.repeat(60_000)}`
    const wide = `@@ -0,0 +1 @@\n+${'a'.repeat(2_000_000)}\n`
    for (const [diffs, shown] of [
      [
        [wide, small],
        [wide, '-1|a\n+1|b']
      ],
      [
        [small, long],
        ['-1|a\n+1|b', long]
      ]
    ] as const) {
      const reader = new DiffReader()
      t.same(
        diffs.map(diff => reader.numbered({ diff })),
        shown
      )
    }
    t.end()
  }
)
