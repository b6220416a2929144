import t from 'tap'
import { elisionIn } from '../../../tools/families/files/elisions.ts'
import { commitFilesRow } from '../../../tools/repository/commit-files.ts'

/** What a commit with that action is refused with. */
function refused(action: object): string | undefined {
  try {
    for (const check of commitFilesRow.check ?? []) check({ actions: [{ file_path: 'a.ts', ...action }] })
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

t.test('an update is refused in which a comment stands for the rest of the file', async t => {
  const content = 'const a = 1\n\n  // ... existing code ...\n\nexport { a }\n'
  t.equal(
    refused({ action: 'update', content }),
    'actions.0.content has the line "// ... existing code ...", which would be all that stays of what it stands for: update replaces the whole file. Nothing was done. To change a part, use action=edit with edits of find and replace; where the line is meant, give the content in base64.'
  )
  for (const line of [
    ...[
      '# ... rest of file',
      '<!-- ... unchanged ... -->',
      '/* ... remaining methods ... */',
      '-- ...rest of the code'
    ],
    ...[
      '{/* … existing components … */}',
      '// rest of the file remains unchanged...',
      '; ... (same imports) ...'
    ],
    ...['#... keep existing configuration …', '// ... previous code ...', '\t// ... existing code ...\r']
  ])
    t.equal(elisionIn(`a\n${line}\nb`), line.trim(), line)
})

t.test('what is no comment alone, or stands for nothing, is stored', async t => {
  for (const line of [
    ...[
      '// ...',
      '# ...',
      '...existing',
      'f(...rest) // existing code',
      '// Loads the existing code',
      'rest of file ...'
    ],
    ...[
      '// ... and so on',
      '# wait for the file ...',
      '"// ... existing code ..."',
      '- ... existing code ...'
    ],
    ...['// see the rest of the file', '# Loading existing config... done', '// TODO: ... later']
  ])
    t.equal(elisionIn(`a\n${line}\nb`), undefined, line)
})

t.test('a new file, an edit and base64 may hold such a line', async t => {
  const content = '// ... existing code ...'
  t.equal(refused({ action: 'create', content }), undefined)
  t.equal(refused({ action: 'edit', edits: [{ find: 'a', replace: content }] }), undefined)
  const encoded = Buffer.from(content).toString('base64')
  t.equal(refused({ action: 'update', content: encoded, encoding: 'base64' }), undefined)
})
