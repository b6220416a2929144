import t from 'tap'
import type { ToolContext } from '../../../src/engine/context.ts'
import { LookupBudget } from '../../../src/engine/lookup-budget.ts'
import { wholeUpdates } from '../../../tools/families/files/whole-updates.ts'

const forge = { keep: () => {} }
const context = { forge, lookups: new LookupBudget(), maxChars: 200 } as unknown as ToolContext
const instead = { ofLine: 'Edit it', ofPart: 'Read on' }

/** What a change of a file with that action is refused with. @param stored undefined if it cannot be read */
function refused(action: object, stored?: string, shownBy?: string): Promise<string | undefined> {
  const read = async () => {
    if (stored === undefined) throw new Error('not found')
    return stored
  }
  const refuseLoss = wholeUpdates('actions', { instead, ...(shownBy && { shownBy }), read })
  return refuseLoss({ actions: [{ file_path: 'a.ts', ...action }] }, context).then(
    () => undefined,
    error => (error as Error).message
  )
}

const content = 'const a = 1\n\n  // ... existing code ...\n\nexport { a }\n'

t.test('an update is refused in which a comment stands for the rest of the file', async t => {
  for (const stored of [undefined, 'const a = 2\n'])
    t.equal(
      await refused({ action: 'update', content }, stored),
      'actions.0.content has the line "// ... existing code ...", which would be all that stays of what it stands for: update replaces the whole file. Nothing was done. Edit it.'
    )
})

t.test('an update keeps such a line that stood in the file', async t => {
  t.equal(await refused({ action: 'update', content }, content.replace('1', '2')), undefined)
})

t.test('a move with such a text is refused, too', async t => {
  t.match(await refused({ action: 'move', previous_path: 'b.ts', content }), /move replaces the whole file/)
})

t.test('an update is refused that is nothing but a mark of what was left out', async t => {
  for (const content of ['// ...', '...\n', '[...]'])
    t.match(
      await refused({ action: 'update', content }, 'const a = 2\n'),
      /^actions\.0\.content has the line/
    )
})

const line = '# ... existing code ...'

t.test('an edit puts no such line into a file, unless it finds it there', async t => {
  t.equal(
    await refused({ action: 'edit', edits: [{ find: 'a', replace: line }] }),
    'actions.0.edits.0.replace has the line "# ... existing code ...", which would be in the file instead of what it stands for. Nothing was done. Edit what is before it and after it one by one; where the line is meant, update the file with its content in base64.'
  )
  t.equal(await refused({ action: 'edit', edits: [{ find: line, replace: `${line}\na` }] }), undefined)
})

t.test('Markdown quotes such a line in its code, as a description does', async t => {
  const doc = '# Edits\n\nWrite\n\n```js\n// ... existing code ...\n```\n\n    # ... rest of the file ...\n'
  for (const file_path of [
    'AGENTS.md',
    'docs/a.mdx',
    '.cursor/rules/a.MDC',
    'b.markdown',
    'c/.cursorrules'
  ]) {
    t.equal(await refused({ action: 'update', file_path, content: doc }, '# Edits\n'), undefined, file_path)
    const cut = '# Edits\n\n[... rest of the file unchanged ...]\n'
    t.match(
      await refused({ action: 'update', file_path, content: cut }, '# Edits\n'),
      'has the line',
      file_path
    )
  }
  t.match(await refused({ action: 'update', file_path: 'md.ts', content: doc }, '# Edits\n'), 'has the line')
})

t.test('an edit leaves a line that it found, also where nothing else stays', async t => {
  const edits = [{ find: 'what goes\nand this\n// ...', replace: '// ...' }]
  t.equal(await refused({ action: 'edit', edits }), undefined)
})

const hunk = '@@ -1,2 +1,2 @@\n-const a = 1\n+const a = 2\n end\n'
const patch = `--- a/a.ts\n+++ b/a.ts\n${hunk}`

t.test('an update is refused that is a patch of the file', async t => {
  t.equal(
    await refused({ action: 'update', content: patch }, 'const a = 1\nend\n'),
    'actions.0.content is a patch, which would be all that stays: update replaces the whole file, and applies none. Nothing was done. Read on; where it is meant, put a line before it, or name the file .patch or .diff.'
  )
  t.match(
    await refused({ action: 'update', content: patch }),
    /is a patch, which may be all that stays, as what is stored could not be read: update replaces/
  )
  for (const content of [
    hunk,
    `diff --git a/a.ts b/a.ts\nindex 1..2 100644\n${patch}`,
    '*** Begin Patch\n*** Update File: a.ts\n@@\n-a\n+b\n*** End Patch\n'
  ])
    t.match(await refused({ action: 'update', content }), /is a patch/, content)
})

t.test('a file that holds a patch may be given another', async t => {
  t.equal(await refused({ action: 'update', content: patch }, hunk), undefined)
  for (const file_path of ['fixes/a.patch', 'a.DIFF'])
    t.equal(await refused({ action: 'update', file_path, content: patch }, 'old'), undefined, file_path)
  t.equal(await refused({ action: 'create', content: patch }), undefined)
  for (const content of ['--- a\n+++ b\n', '@@ a @@\n', `A patch:\n${patch}`])
    t.equal(await refused({ action: 'update', content }, 'old'), undefined, content)
})

t.test('a new file and base64 may hold such a line', async t => {
  t.equal(await refused({ action: 'create', content }), undefined)
  const encoded = Buffer.from(content).toString('base64')
  t.equal(await refused({ action: 'update', content: encoded, encoding: 'base64' }), undefined)
})

t.test('an update is refused that is only the beginning of the file', async t => {
  const lines = Array.from({ length: 50 }, (_, at) => `Line ${at + 1}\n`)
  t.equal(
    await refused({ action: 'update', content: lines.slice(0, 20).join('') }, lines.join('')),
    'actions.0.content is the beginning of what is stored, without its last 30 lines (read them with start_line 21), which would be lost: update replaces the whole file. Nothing was done. Read on; where they are to go, change a word of the rest, too.'
  )
})

t.test('an update is refused that is a window of the file, if the file is read', async t => {
  const lines = Array.from({ length: 20 }, (_, at) => `Line ${at + 1}\n`)
  const window = { action: 'update', content: lines.slice(9, 14).join('').replace('12', '12b') }
  t.equal(
    await refused(window, lines.join(''), 'get_file'),
    'actions.0.content is lines 10 to 14 of what is stored, without its first 9 and its last 6 lines, which would be lost: update replaces the whole file. Nothing was done. Read on; where they are to go, take them off one end first, then off the other.'
  )
  t.equal(await refused(window, lines.join('')), undefined)
})

t.test(
  'a file that is read first keeps line ends of Windows, unless its new text has some itself',
  async t => {
    const stored = async (content: string, was: string) => {
      const step = wholeUpdates('actions', { instead, shownBy: 'get_file', read: async () => was })
      const done = await step({ actions: [{ action: 'update', file_path: 'a.txt', content }] }, context)
      return (done.actions as { content: string }[])[0]!.content
    }
    t.equal(await stored('Light\ntwo three\n', 'Fuel\r\nTwo\r\n'), 'Light\r\ntwo three\r\n')
    t.equal(await stored('Light\ntwo three\r\n', 'Fuel\r\nTwo\r\n'), 'Light\ntwo three\r\n')
    t.equal(await stored('Light\ntwo three\n', 'Fuel\r\nTwo\n'), 'Light\ntwo three\n', 'its ends are mixed')
  }
)
