import t from 'tap'
import { commitFilesRow } from '../../../tools/repository/commit-files.ts'
import { snippetRows } from '../../../tools/snippets/snippets.ts'

const updateSnippet = snippetRows.find(({ name }) => name === 'update_snippet')!

/** What a change of a file with that action is refused with. */
function refused(action: object, row = commitFilesRow, argument = 'actions'): string | undefined {
  try {
    for (const check of row.check ?? [])
      check({ snippet_id: '1', [argument]: [{ file_path: 'a.ts', ...action }] })
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
})

const content = '# ... existing code ...\necho 3'

t.test('a file of a snippet is not replaced by such a line, either', async t => {
  t.match(
    refused({ action: 'update', content }, updateSnippet, 'files'),
    /^files\.0\.content has the line "# \.\.\. existing code .* Give all of its lines;/
  )
})

t.test('a move with such a text is refused, too', async t => {
  t.match(refused({ action: 'move', previous_path: 'b.ts', content }), /move replaces the whole file/)
})

t.test('an edit puts no such line into a file, unless it finds it there', async t => {
  t.equal(
    refused({ action: 'edit', edits: [{ find: 'a', replace: content }] }),
    'actions.0.edits.0.replace has the line "# ... existing code ...", which would be in the file instead of what it stands for. Nothing was done. Edit what is before it and after it one by one; where the line is meant, update the file with its content in base64.'
  )
  t.equal(refused({ action: 'edit', edits: [{ find: content, replace: `${content}\n` }] }), undefined)
})

t.test('a new file and base64 may hold such a line', async t => {
  t.equal(refused({ action: 'create', content }), undefined)
  const encoded = Buffer.from(content).toString('base64')
  t.equal(refused({ action: 'update', content: encoded, encoding: 'base64' }), undefined)
})
