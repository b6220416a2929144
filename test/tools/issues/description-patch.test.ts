import { applyPatch } from 'diff'
import t from 'tap'
import { occurrences, searchEffort } from '../../../tools/families/files/occurrences.ts'
import { noteText } from '../../../tools/issues/description-patch/note.ts'
import { patchText } from '../../../tools/issues/description-patch/patch-text.ts'
import { cpuMsOf } from '../../support/event-loop.ts'

const block = (search: string, replacement: string) =>
  `<<<<<<< SEARCH\n${search}${search && '\n'}=======\n${replacement}${replacement && '\n'}>>>>>>> REPLACE`
const searchReplace = (description: string, patch: string, allow_multiple?: boolean) =>
  patchText(description, { patch_type: 'search_replace', patch, allow_multiple })
const unified = (description: string, patch: string) =>
  patchText(description, { patch_type: 'unified_diff', patch })
const refusal = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    if ((error as Error).name === 'CallProblem') return (error as Error).message
    throw error
  }
  return 'nothing was refused'
}

t.test('search_replace: which text comes out', async t => {
  const cases: [title: string, description: string, patch: string, expected: string][] = [
    ['replaces a line', 'a\nb\nc', block('b', 'B'), 'a\nB\nc'],
    ['replaces a part of a line', 'one two three', block('two', '2'), 'one 2 three'],
    ['inserts the replacement literally', 'cost', block('cost', '$& $1 $$'), '$& $1 $$'],
    ['takes regular expression signs as text', 'a.c abc', block('a.c', 'x'), 'x abc'],
    ['deletes where the replacement is empty', 'a\nb\nc', block('b\n', ''), 'a\nc'],
    ['keeps leading empty lines significant', 'a\n\nb', block('\nb', '\nc'), 'a\n\nc'],
    ['ignores prose and fences around blocks', 'a', `Sure:\n\`\`\`\n${block('a', 'b')}\n\`\`\`\nDone.`, 'b'],
    [
      'applies each block to the result of the one before',
      'a',
      `${block('a', 'b')}\n${block('b', 'c')}`,
      'c'
    ],
    ['allows spaces after markers', 'a', '<<<<<<< SEARCH  \na\n======= \nb\n>>>>>>> REPLACE\t', 'b'],
    [
      'leaves a shorter heading underline as text',
      'Steps\n=====\nx',
      block('Steps\n=====', 'Do\n=='),
      'Do\n==\nx'
    ],
    [
      'finds out which of two ======= lines separates',
      'Purpose\n=======\nold',
      block('=======\nold', '=======\nnew'),
      'Purpose\n=======\nnew'
    ],
    [
      'takes a ======= line in the new text',
      'intro',
      block('intro', 'Summary\n=======\nintro'),
      'Summary\n=======\nintro'
    ],
    ['matches over CRLF and keeps it', 'a\r\nb\r\nc', block('a\nb', 'x\ny'), 'x\r\ny\r\nc'],
    ['takes a patch with CRLF', 'a\nb', block('a\nb', 'x\ny').replaceAll('\n', '\r\n'), 'x\ny'],
    ['makes mixed line ends LF', 'a\r\nb\nc', block('a', 'x'), 'x\nb\nc'],
    ['leaves a lone carriage return', 'a\rb', block('b', 'c'), 'a\rc'],
    ['matches beyond the basic plane', '🚀 x 🚀🚀', block('x 🚀🚀', '✨'), '🚀 ✨']
  ]
  for (const [title, description, patch, expected] of cases)
    t.equal(searchReplace(description, patch).text, expected, title)
})

t.test('search_replace: who may not read the description is quoted no line of it', async t => {
  const patch = block('one line of ten', 'x')
  t.match(
    refusal(() => patchText('one line of two', { patch_type: 'search_replace', patch }, false)),
    /^Block 1: .* Nothing was written: read the issue again\.$/
  )
})

t.test('search_replace: what is refused, and what to do then', async t => {
  const cases: [title: string, description: string, patch: string, message: string | RegExp][] = [
    ['no block', 'a', 'replace a by b', /^The patch has no block\. A block is these lines: <<<<<<< SEARCH,/],
    [
      'an empty search text',
      'a',
      block('', 'b'),
      'Block 1: its search text is empty. To write into an empty description use update_issue.'
    ],
    [
      'a search text of one empty line',
      'a\n\nb',
      '<<<<<<< SEARCH\n\n=======\nx\n>>>>>>> REPLACE',
      /its search text is empty/
    ],
    [
      'a text that is not there',
      'a',
      block('A', 'b'),
      'Block 1: its search text "A" is not in the description, character by character. Nothing was written: line 1 is "a".'
    ],
    [
      'a text that is near nothing',
      'a',
      block('something else', 'b'),
      'Block 1: its search text "something else" is not in the description, character by character. Nothing was written: read the issue again.'
    ],
    [
      'a text that differs by its blanks',
      'one\n\nEpsilon\u00a0zeta',
      block('Epsilon zeta', 'b'),
      /Nothing was written: line 3 is "Epsilon\\u00a0zeta", which has a no-break space: find it with these escapes of JSON\.$/
    ],
    [
      'a text that is composed otherwise',
      'Die Gro\u0308\u00dfe stimmt.',
      block('Die Gr\u00f6\u00dfe stimmt.', 'b'),
      /line 1 is "Die Gro\\u0308\u00dfe stimmt\.", which has letters composed otherwise: /
    ],
    [
      'a line as it is shown, without what nobody sees',
      'one\n- [ ] Donau\u00addampf\u200bschiff',
      block('- [ ] Donaudampfschiff', '- [x] Donaudampfschiff'),
      'Block 1: its search text "- [ ] Donaudampfschiff" is not in the description, character by character: line 2 has invisible characters, which are left out where the issue is read: find what is before or behind them, or write them in patch as escapes of JSON (\\u00ad \\u200b). Nothing was written.'
    ],
    [
      'a text that was escaped twice',
      'a\n"b"',
      block('a\\n\\"b\\"', 'b'),
      /is not in the description, but it is there escaped once less: /
    ],
    [
      'a text that an earlier block took away',
      'a',
      `${block('a', 'b')}\n${block('a', 'c')}`,
      /^Block 2: its search text "a" is not in the description as the blocks before leave it, character by character\./
    ],
    [
      'a text that is there more than once',
      'a a a',
      block('a', 'b'),
      'Block 1: its search text is in the description 3 times. Take more lines into it until it is unique, or set allow_multiple.'
    ],
    ['the same text twice', 'a', block('a', 'a'), 'Block 1 replaces its search text by the same text.'],
    [
      'the same text twice, whether it is there or not',
      'b',
      block('a', 'a'),
      'Block 1 replaces its search text by the same text.'
    ],
    [
      'blocks that undo each other',
      'a',
      `${block('a', 'b')}\n${block('b', 'a')}`,
      'The patch leaves the description as it is.'
    ],
    [
      'a block that does not end',
      'a',
      '<<<<<<< SEARCH\na\n=======\nb',
      'Line 1 of the patch, <<<<<<< SEARCH, has no counterpart: the patch has 1 SEARCH and 0 REPLACE markers, which must alternate.'
    ],
    [
      'an end without a block',
      'a',
      `${block('a', 'b')}\n>>>>>>> REPLACE`,
      /^Line 6 of the patch, >>>>>>> REPLACE, has no counterpart: the patch has 1 SEARCH and 2/
    ],
    [
      'a block within a block',
      'a',
      `<<<<<<< SEARCH\n${block('a', 'b')}`,
      /^Line 2 of the patch, <<<<<<< SEARCH, has no counterpart: the patch has 2 SEARCH and 1/
    ],
    [
      'a block without a separator',
      'a',
      '<<<<<<< SEARCH\na\n>>>>>>> REPLACE',
      'The block at line 1 of the patch has no ======= line.'
    ],
    [
      'a block that can be read in two ways',
      'A\n=======\nB',
      block('A\n=======\nB', 'C'),
      'Block 1 can be read in 2 ways, because its text has lines of seven equals signs: use patch_type unified_diff.'
    ],
    [
      'a block of separators',
      'a',
      block('=======\n'.repeat(20), ''),
      /^The block at line 1 of the patch has 21 ======= lines: use patch_type unified_diff/
    ],
    ['an empty description', '', block('a', 'b'), /is not in the description/]
  ]
  for (const [title, description, patch, message] of cases) {
    const said = refusal(() => searchReplace(description, patch))
    if (typeof message === 'string') t.equal(said, message, title)
    else t.match(said, message, title)
  }
})

t.test('search_replace: counts and summary', async t => {
  const patched = searchReplace(
    'a-a-a\nb',
    `${block('a', 'x')}\n${block('b', `${'y'.repeat(70)}\n/close`)}`,
    true
  )
  t.equal(patched.text, `x-x-x\n${'y'.repeat(70)}\n/close`)
  t.equal(patched.changes, 4)
  t.equal(patched.summary, `1. 3 × "a" → "x"\n2. 1 × "b" → "${'y'.repeat(60)}…"`)

  t.equal(searchReplace('aaaaa', block('aa', 'b'), true).text, 'bba', 'matches do not overlap')
  t.match(
    searchReplace(`${'z'.repeat(59)}🚀🚀`, block(`${'z'.repeat(59)}🚀🚀`, 'q')).summary,
    /z…" → "q"$/,
    'no half of a character is shown'
  )

  const description = Array.from({ length: 60 }, (_, at) => `[${at}]`).join('\n')
  const many = searchReplace(
    description,
    Array.from({ length: 60 }, (_, at) => block(`[${at}]`, `<${at}>`)).join('\n')
  )
  t.equal(many.changes, 60)
  t.equal(many.summary.split('\n').length, 51)
  t.match(many.summary, /\n… and 10 more$/)
})

t.test('unified_diff: which text comes out', async t => {
  const cases: [title: string, description: string, patch: string, expected: string][] = [
    ['changes a line', 'a\nb\nc', '@@ -1,3 +1,3 @@\n a\n-b\n+B\n c', 'a\nB\nc'],
    ['takes file headers and fences', 'a', '```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n```', 'b'],
    ['finds a hunk whose number is too small', 'x\nx\na\nb', '@@ -1,2 +1,2 @@\n a\n-b\n+B', 'x\nx\na\nB'],
    ['finds a hunk whose number is beyond the end', 'a\nb\nc', '@@ -900,2 +900,2 @@\n a\n-b\n+B', 'a\nB\nc'],
    [
      'moves later hunks by as much as the one before',
      'n\nn\na\nk\nk\na',
      '@@ -1 +1 @@\n-a\n+1\n@@ -4 +4 @@\n-a\n+2',
      'n\nn\n1\nk\nk\n2'
    ],
    ['takes the place nearest to the number', 'a\nx\na\nx\na', '@@ -3 +3 @@\n-a\n+A', 'a\nx\nA\nx\na'],
    [
      'never applies a hunk over an earlier one',
      'a\nz\na',
      '@@ -1 +1 @@\n-a\n+b\n@@ -1 +1 @@\n-a\n+c',
      'b\nz\nc'
    ],
    [
      'lets a hunk begin in the context of the one before',
      'a\nb\nc',
      '@@ -1,2 +1,2 @@\n-a\n+A\n b\n@@ -2,2 +2,2 @@\n b\n-c\n+C',
      'A\nb\nC'
    ],
    ['inserts by number where there is no context', 'a\nb', '@@ -1,0 +2 @@\n+x', 'a\nx\nb'],
    ['appends by number at the end', 'a\nb', '@@ -2,0 +3 @@\n+x', 'a\nb\nx'],
    ['writes into an empty description', '', '@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file', 'a\nb'],
    ['takes an empty line for an empty context line', 'a\n\nb', '@@ -1,3 +1,3 @@\n a\n\n-b\n+c', 'a\n\nc'],
    ['removes the newline at the end', 'a\nb\n', '@@ -2 +2 @@\n-b\n+c\n\\ No newline at end of file', 'a\nc'],
    ['matches over CRLF and keeps it', 'a\r\nb\r\nc', '@@ -2 +2 @@\n-b\n+B', 'a\r\nB\r\nc'],
    ['takes a patch with CRLF', 'a\nb', '@@ -2 +2 @@\r\n-b\r\n+B\r\n', 'a\nB'],
    [
      'takes a list item whose text begins with a sign',
      '- one\n- two',
      '@@ -1,2 +1,2 @@\n - one\n-- two\n+- 2',
      '- one\n- 2'
    ]
  ]
  for (const [title, description, patch, expected] of cases)
    t.equal(unified(description, patch).text, expected, title)
})

t.test('unified_diff: what is refused, and what to do then', async t => {
  const cases: [title: string, description: string, patch: string, message: string | RegExp][] = [
    ['no hunk', 'a', '-a\n+b', /^The patch has no hunk: it needs a line such as @@/],
    ['a bare hunk header', 'a', '@@ @@\n-a\n+b', /^The patch (has no hunk|is not a valid unified diff)/],
    [
      'counts that are wrong',
      'a',
      '@@ -1,2 +1,2 @@\n-a\n+b',
      /^The patch is not a valid unified diff \(.+\)\. Check the counts in its @@ lines, or use patch_type search_replace\.$/
    ],
    [
      'several files',
      'a',
      '--- a\n+++ a\n@@ -1 +1 @@\n-a\n+b\n--- c\n+++ c\n@@ -1 +1 @@\n-a\n+b',
      /^The patch is for several files/
    ],
    [
      'context that is not there',
      'one\ntwo',
      '@@ -1,2 +1,2 @@\n one\n-zwei\n+2',
      'Hunk 1 fits nowhere: at line 2 it expects "zwei" and the description has "two". Read the issue again and try the new patch with dry_run.'
    ],
    [
      'more lines than the description has',
      'one',
      '@@ -1,2 +1,2 @@\n one\n-two\n+2',
      'Hunk 1 fits nowhere: at line 2 it expects "two" and the description ends. Read the issue again and try the new patch with dry_run.'
    ],
    [
      'a second hunk over the first',
      'a\nz',
      '@@ -1 +1 @@\n-a\n+b\n@@ -1 +1 @@\n-a\n+c',
      /^Hunk 2 fits nowhere: at line 2 it expects "a" and the description has "z"\./
    ],
    [
      'an insertion beyond the end',
      'a',
      '@@ -999999999,0 +1 @@\n+x',
      'Hunk 1 inserts at line 1000000000, where the description (1 lines) has no place for it. Give it lines of context.'
    ],
    [
      'an insertion before the hunk above it',
      'a\nb\nc',
      '@@ -3 +3 @@\n-c\n+C\n@@ -1,0 +1 @@\n+x',
      /^Hunk 2 inserts at line 2, where/
    ],
    [
      'a newline at the end that is not there',
      'a\nb',
      '@@ -2 +2 @@\n-b\n+c\n\\ No newline at end of file',
      /^The patch's "\\ No newline at end of file" does not agree with the description, which ends without a newline\./
    ],
    [
      'a newline at the end that is there',
      'a\n',
      '@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file',
      /which ends with a newline\. Leave that line out\.$/
    ],
    [
      'a hunk that needs the newline it removes',
      'a\n',
      '@@ -1,2 +1,3 @@\n a\n+b\n\\ No newline at end of file\n \n',
      /does not agree with the description/
    ],
    ['context only', 'a\nb', '@@ -1,2 +1,2 @@\n a\n b', 'The patch leaves the description as it is.']
  ]
  for (const [title, description, patch, message] of cases) {
    const said = refusal(() => unified(description, patch))
    if (typeof message === 'string') t.equal(said, message, title)
    else t.match(said, message, title)
  }
})

t.test('unified_diff: counts lines and tells where each hunk went', async t => {
  const { changes, summary } = unified('n\na\nb\nc\nd', '@@ -1,2 +1,3 @@\n a\n-b\n+B\n+BB\n@@ -4 +5,0 @@\n-d')
  t.equal(changes, 4)
  t.equal(summary, 'Line 2: -1 +2\nLine 5: -1 +0')
})

t.test('a text longer than the forge takes is refused, one that gets shorter is not', async t => {
  const most = 1_048_576
  t.equal(
    refusal(() => searchReplace(`${'a'.repeat(most - 1)}b`, block('b', 'bc'))),
    `The description would have ${most + 1} characters; the forge takes ${most}.`
  )
  t.match(
    refusal(() => searchReplace('a'.repeat(100_000), block('a', 'y'.repeat(40_000)), true)),
    /would have 4000000000 characters/
  )
  t.match(
    refusal(() => unified('a'.repeat(most), '@@ -1,0 +2 @@\n+b')),
    /the forge takes/
  )
  t.equal(searchReplace(`${'a'.repeat(most)}bc`, block('bc', 'd')).text.length, most + 1)
})

t.test('a description that no forge has is not looked at', t => {
  const text = `${'\r\n'.repeat(1_048_576)}b`
  t.match(
    refusal(() => searchReplace(text, block('b', 'c'))),
    /^The description has 2097153 characters, more than can be patched\./
  )
  t.end()
})

t.test('occurrences agree with a plain search', async t => {
  const plain = (text: string, wanted: string) => {
    const found: number[] = []
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) found.push(at)
    return found
  }
  // Every text over two letters up to length 9 with every search text up to length 4.
  const texts = (longest: number) =>
    Array.from({ length: longest }, (_, at) => at + 1).flatMap(length =>
      Array.from({ length: 2 ** length }, (_, bits) => bits.toString(2).padStart(length, '0'))
    )
  const wrong: string[] = []
  for (const text of texts(9))
    for (const wanted of texts(4))
      if (`${occurrences(text, wanted, searchEffort('stop'))}` !== `${plain(text, wanted)}`)
        wrong.push(`${wanted} in ${text}`)
  t.same(wrong, [])
})

t.test('hostile patches are over in a moment', async t => {
  const megabyte = 1_000_000
  const same = 'a'.repeat(megabyte)
  const empty = '\n'.repeat(megabyte)
  const context = ' \n'.repeat(20_000)
  const cases: [title: string, run: () => unknown][] = [
    [
      'a search text that almost matches everywhere',
      () => searchReplace(same, block(`${'a'.repeat(100)}b${'a'.repeat(20_000)}`, 'x'))
    ],
    [
      'many blocks in a long text',
      () => searchReplace(same, Array.from({ length: 900 }, () => block('aab', 'x')).join('\n'))
    ],
    [
      'many blocks that each match at the end',
      () =>
        searchReplace(
          `${'a'.repeat(megabyte)}b`,
          Array.from({ length: 900 }, (_, at) => block(at % 2 ? 'ac' : 'ab', at % 2 ? 'ab' : 'ac')).join('\n')
        )
    ],
    ['context that almost fits everywhere', () => unified(empty, `@@ -1,20001 +1,20000 @@\n${context}-b\n`)],
    [
      'hunks far from their numbers',
      () =>
        unified(
          empty,
          Array.from({ length: 2000 }, (_, at) => `@@ -${at % 2 ? 1 : 900000},2 +1,2 @@\n \n-x\n+y`).join(
            '\n'
          )
        )
    ],
    ['an absurd line number', () => unified('a', '@@ -99999999999999999999 +1 @@\n-a\n+b')],
    ['a header of digits', () => unified('a', `@@ -${'1'.repeat(49_000)}\n`)]
  ]
  for (const [title, run] of cases) {
    const took = await cpuMsOf(() => t.not(refusal(run), 'nothing was refused', title))
    t.ok(took < 4_000, `${title}: ${Math.round(took)} ms`)
  }
})

t.test('a preview is a unified diff with three lines of context', async t => {
  t.equal(
    searchReplace('1\n2\n3\n4\n5', block('5', 'V')).preview(),
    `${'='.repeat(67)}\n--- current\n+++ updated\n@@ -2,4 +2,4 @@\n 2\n 3\n 4\n-5\n\\ No newline at end of file\n+V\n\\ No newline at end of file\n`
  )
  const hunks = unified('1\n2\n3\n4\n5\n', '@@ -1 +1,2 @@\n 1\n+one\n@@ -9 +9 @@\n-5\n+V').preview()
  t.match(hunks, '@@ -1,1 +1,2 @@\n 1\n+one\n@@ -5,1 +6,1 @@\n-5\n+V\n', 'hunks stand where they went')
})

t.test(
  'a preview shows the lines that differ and no others, and leads from one text to the other',
  async t => {
    const text = Array.from({ length: 40 }, (_, at) => `line ${at}`).join('\n')
    const twice = searchReplace(
      text,
      `${block('line 3\nline 4\nline 5', 'line 3\nfour\nline 5')}\n${block('four', 'IV')}`
    )
    t.same(changedLines(twice.preview()), ['-line 4', '+IV'])
    t.same(
      changedLines(
        searchReplace(
          text,
          `${block('line 20', 'x')}\n${block('x', 'line 20')}\n${block('line 7\n', '')}`
        ).preview()
      ),
      ['-line 7'],
      'what was undone is not shown'
    )

    // Numbers as by Park and Miller: the same texts in every run.
    let seed = 7
    const below = (most: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % most
    }
    const word = (most: number) => Array.from({ length: 1 + below(most) }, () => 'ab\n'[below(3)]).join('')
    let compared = 0
    for (let turn = 0; turn < 3000; turn++) {
      const description = word(turn % 2 ? 12 : 60)
      const patch = Array.from({ length: 1 + below(3) }, () => block(word(3), word(3))).join('\n')
      let patched: ReturnType<typeof patchText>
      try {
        patched = searchReplace(description, patch, true)
      } catch {
        continue
      }
      compared++
      const again = applyPatch(description, patched.preview(), { autoConvertLineEndings: false })
      if (again !== patched.text) return t.same(again, patched.text, JSON.stringify({ description, patch }))
    }
    t.ok(compared > 300, `${compared} patches fitted`)
  }
)

t.test('a preview of very many changes or lines is a sentence', async t => {
  const lines = Array.from({ length: 2000 }, (_, at) => `${at % 2 ? 'a' : 'b'}`).join('\n')
  t.equal(
    searchReplace(lines, block('a', 'c'), true).preview(),
    'Too much to show: 2000 lines before, 2000 after.'
  )
  t.equal(
    searchReplace(`${'\n'.repeat(60_000)}a`, block('a', 'c')).preview(),
    'Too much to show: 60001 lines before, 60001 after.'
  )
})

const changedLines = (preview: string) => preview.split('\n').filter(line => /^[-+](?![-+]{2} )/.test(line))

t.test('a note keeps the summary inside its fence', async t => {
  t.equal(
    noteText('1. 1 × "a" → "b"'),
    'The description was changed by a patch:\n\n```text\n1. 1 × "a" → "b"\n```'
  )
  t.match(noteText('1. 1 × "````" → "b"'), /\n`````text\n/)
})
