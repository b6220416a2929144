import { snippets } from '../../tools/snippets/index.ts'
import { confirmed } from '../support/confirmed.ts'
import { story } from '../support/sandbox-tools.ts'
import { type Case, runTable } from '../support/tool-table.ts'

const P = { project_id: 'acme/rocket' }
const own = '/snippets/7'
const ofProject = '/projects/acme%2Frocket/snippets/7'
const raw_url = (path: string) => `https://forge.example/acme/rocket/-/snippets/7/raw/trunk/${path}`
const record = (...paths: string[]) => ({
  id: 7,
  title: 'Notes',
  description: null,
  visibility: 'private',
  author: { id: 1, username: 'ada', name: 'Ada' },
  files: paths.map(path => ({ path, raw_url: raw_url(path) })),
  web_url: 'https://forge.example/7',
  raw_url: 'https://forge.example/7/raw',
  repository_storage: 'default'
})
const shown = (...paths: string[]) => ({
  id: 7,
  title: 'Notes',
  visibility: 'private',
  files: paths.map(path => ({ path })),
  web_url: 'https://forge.example/7',
  author: { username: 'ada' }
})
const text = (body: string) => ({ body, headers: { 'content-type': 'text/plain' } })
const file = { file_path: 'a.md', content: '# A' }

const badFiles = (title: string, files: unknown, error: string | RegExp): Case => ({
  title,
  tool: 'update_snippet',
  args: { snippet_id: 7, files },
  error
})

runTable(snippets, [
  {
    title: 'one’s own snippets are listed where no project is named',
    tool: 'list_snippets',
    args: { per_page: 5 },
    exchanges: [{ request: 'GET /snippets?per_page=5', reply: { body: [record('a.md')] } }],
    result: [shown('a.md')]
  },
  {
    title: 'a project’s snippets are listed where it is',
    tool: 'list_snippets',
    args: P,
    exchanges: [{ request: 'GET /projects/acme%2Frocket/snippets', reply: { body: [] } }],
    result: []
  },
  {
    title: 'a login page is no file of a snippet',
    tool: 'get_snippet',
    args: { snippet_id: 7 },
    exchanges: [
      { request: `GET ${own}`, reply: { body: record('a.md') } },
      {
        request: `GET ${own}/raw`,
        reply: { body: '<!DOCTYPE html><title>Sign in</title>', headers: { 'content-type': 'text/html' } }
      }
    ],
    error: /^The forge answered with a web page instead of what was asked for: /
  },
  {
    title: 'a snippet of one file is that file',
    tool: 'get_snippet',
    args: { snippet_id: 7, start_line: 2, end_line: 2 },
    exchanges: [
      { request: `GET ${own}`, reply: { body: record('a.md') } },
      { request: `GET ${own}/raw`, reply: text('one\ntwo\nthree\n') }
    ],
    text: 'two',
    notices: [
      {
        ...shown('a.md'),
        path: 'a.md',
        size: 14,
        total_lines: 3,
        window: { start_line: 2, end_line: 2, total_lines: 3 }
      }
    ]
  },
  {
    title: 'a file of several is read on the branch that its address names',
    tool: 'get_snippet',
    args: { ...P, snippet_id: 7, file_path: 'b/c.md' },
    exchanges: [
      { request: `GET ${ofProject}`, reply: { body: record('a.md', 'b/c.md') } },
      { request: `GET ${ofProject}/files/trunk/b%2Fc%2Emd/raw`, reply: text('C\n') }
    ],
    text: 'C\n'
  },
  {
    title: 'of several files one has to be named',
    tool: 'get_snippet',
    args: { snippet_id: 7 },
    exchanges: [{ request: `GET ${own}`, reply: { body: record('a.md', 'b.md') } }],
    result: shown('a.md', 'b.md'),
    notices: ['It has several files: name one with file_path to read it.']
  },
  {
    title: 'what is no file of a snippet is passed over, and no branch is taken that climbs',
    tool: 'get_snippet',
    args: { snippet_id: 7, file_path: 'a' },
    exchanges: [
      {
        request: `GET ${own}`,
        reply: {
          body: { files: [null, 1, { path: 'a', raw_url: 'x/raw/%2e%2e/a' }, { path: 'b', raw_url: 5 }] }
        }
      }
    ],
    error: /^ref has an empty, "\." or "\.\." segment/
  },
  {
    title: 'a file that it does not have is told from those it has',
    tool: 'get_snippet',
    args: { snippet_id: 7, file_path: 'x' },
    exchanges: [{ request: `GET ${own}`, reply: { body: record('a.md', 'b.md') } }],
    error: 'The snippet has no file "x": it has "a.md", "b.md".'
  },
  {
    title: 'a snippet is private unless said otherwise',
    tool: 'create_snippet',
    args: { title: 'Notes', files: [file] },
    exchanges: [
      {
        request: 'POST /snippets',
        body: { visibility: 'private', title: 'Notes', files: [file] },
        reply: { status: 201, body: record('a.md') }
      }
    ],
    result: {
      id: 7,
      title: 'Notes',
      visibility: 'private',
      files: [{ path: 'a.md' }],
      web_url: 'https://forge.example/7'
    }
  },
  {
    title: 'a snippet of a project may be public',
    tool: 'create_snippet',
    args: { ...P, title: 'Notes', visibility: 'public', files: [file] },
    exchanges: [
      {
        request: 'POST /projects/acme%2Frocket/snippets',
        body: { visibility: 'public', title: 'Notes', files: [file] },
        reply: { status: 201, body: record('a.md') }
      }
    ]
  },
  ...[
    [
      { file_path: 'shot.png', content: 'iVBORw0KGgoAAAANSUhEUgAA' },
      'files.0.content is base64, and would be stored as text: a snippet holds text alone; commit_files also takes other files.'
    ],
    [
      { file_path: 'shot.png', content: 'data:image/png;base64,iVBORw0KGgo=' },
      'files.0.content is a data URI: a snippet holds text alone; commit_files also takes other files.'
    ],
    [{ ...file, encoding: 'base64' }, /"files\.0\.encoding", as a snippet holds text alone/]
  ].flatMap(([file, error], at) => [
    {
      title: `makes no snippet of what is no text (${at + 1})`,
      tool: 'create_snippet',
      args: { ...P, title: 'Notes', files: [file] },
      error: error as string | RegExp
    },
    {
      title: `changes no snippet to what is no text (${at + 1})`,
      tool: 'update_snippet',
      args: { snippet_id: 7, files: [{ action: 'update', ...(file as object) }] },
      error: error as string | RegExp
    }
  ]),
  {
    title: 'files are changed one by one',
    tool: 'update_snippet',
    args: {
      ...P,
      snippet_id: 7,
      files: [
        { action: 'update', file_path: 'a.md', content: '' },
        { action: 'move', file_path: 'c', previous_path: 'b' }
      ]
    },
    exchanges: [
      {
        request: `PUT ${ofProject}`,
        body: {
          files: [
            { action: 'update', file_path: 'a.md', content: '' },
            { action: 'move', file_path: 'c', previous_path: 'b' }
          ]
        },
        reply: { body: record('a.md') }
      }
    ]
  },
  {
    title: 'an update that names no file is of the one that there is',
    tool: 'update_snippet',
    args: { ...P, snippet_id: 7, files: [{ action: 'update', content: '' }] },
    exchanges: [
      { request: `GET ${ofProject}`, reply: { body: record('a.md') } },
      {
        request: `PUT ${ofProject}`,
        body: { files: [{ action: 'update', content: '', file_path: 'a.md' }] },
        reply: { body: record('a.md') }
      }
    ],
    notices: ['content was given as an empty text, which empties the file: "a.md".']
  },
  {
    title: 'a file is not replaced by a comment that stands for what it holds',
    tool: 'update_snippet',
    args: {
      ...P,
      snippet_id: 7,
      files: [{ action: 'update', file_path: 'a.md', content: '# ... existing code ...\necho 3' }]
    },
    exchanges: [
      { request: `GET ${ofProject}`, reply: { body: record('a.md') } },
      { request: `GET ${ofProject}/raw`, reply: { body: 'echo 1\necho 2\n' } }
    ],
    error:
      'files.0.content has the line "# ... existing code ...", which would be all that stays of what it stands for: update replaces the whole file. Nothing was done. Give all of its lines; where the line is meant, add a word to it.'
  },
  {
    title: 'a file of which many lines are gone is said to be replaced as a whole',
    tool: 'update_snippet',
    args: {
      ...P,
      snippet_id: 7,
      files: [{ action: 'update', file_path: 'a.md', content: 'echo one\necho two\n' }]
    },
    exchanges: [
      { request: `GET ${ofProject}`, reply: { body: record('a.md') } },
      { request: `GET ${ofProject}/raw`, reply: { body: 'echo 1\n'.repeat(12) } },
      {
        request: `PUT ${ofProject}`,
        body: { files: [{ action: 'update', file_path: 'a.md', content: 'echo one\necho two\n' }] },
        reply: { body: record('a.md') }
      }
    ],
    notices: [
      '"a.md" had 12 lines, and has 2: the whole text was replaced. If that was not meant, its Git history has what was there; get_snippet without start_line and end_line shows a text whole.'
    ]
  },
  {
    title: 'of several files one has to be named, and the answer names them',
    tool: 'update_snippet',
    args: { snippet_id: 7, files: [{ action: 'update', content: 'a' }] },
    exchanges: [{ request: `GET ${own}`, reply: { body: record('a.md', 'b.md') } }],
    error: 'files.0.file_path is required, as there are "a.md", "b.md".'
  },
  badFiles('what is made has a name', [{ action: 'create', content: 'a' }], 'files.0.file_path is required.'),
  badFiles(
    'of several actions each has a name',
    [
      { action: 'delete', file_path: 'a' },
      { action: 'update', content: 'b' }
    ],
    'files.1.file_path is required.'
  ),
  {
    title: 'the content of a file is not of the snippet itself',
    tool: 'update_snippet',
    args: { snippet_id: 7, content: 'a' },
    error:
      'Invalid arguments: unknown argument "content", files has action (update), file_path and content of each.'
  },
  badFiles(
    'a file is made of content',
    [{ action: 'create', file_path: 'a' }],
    /^files\.0 is a create and needs content\.$/
  ),
  badFiles(
    'a path does not climb',
    [{ action: 'delete', file_path: '../a' }],
    /^files\.0\.file_path has an empty/
  ),
  badFiles(
    'a mode is not of snippets',
    [{ action: 'chmod', file_path: 'a' }],
    /must be one of create, update, delete, move/
  ),
  {
    title: 'something has to change',
    tool: 'update_snippet',
    args: { snippet_id: 7 },
    error: /^Nothing to update: give at least one field to change\./
  },
  ...confirmed({
    tool: 'delete_snippet',
    args: { ...P, snippet_id: 7 },
    path: ofProject,
    record: record('a.md'),
    noun: 'snippet',
    field: 'title',
    done: 'The snippet is deleted.'
  })
])

story('snippets are made, read, changed and deleted', [snippets], async (t, as) => {
  const ada = as('ada')
  for (const place of [{}, P]) {
    const made = await ada('create_snippet', { ...place, title: 'Notes', files: [file] })
    const one = { ...place, snippet_id: made.value.id }
    t.match((await ada('get_snippet', one)).value, '# A')
    const files = [{ action: 'create', file_path: 'docs/b.md', content: 'b\n' }]
    t.match((await ada('update_snippet', { ...one, files })).value, {
      files: [{ path: 'a.md' }, { path: 'docs/b.md' }]
    })
    t.match((await ada('get_snippet', one)).notices, [/name one with file_path/])
    t.match((await ada('get_snippet', { ...one, file_path: 'docs/b.md' })).value, 'b\n')
    t.match((await ada('list_snippets', place)).value, [{ id: made.value.id }])
    t.match((await ada('delete_snippet', { ...one, confirm: 'Other' })).error, /Nothing was done/)
    t.match((await ada('delete_snippet', { ...one, confirm: 'Notes' })).value, { status: 'success' })
    t.same((await ada('list_snippets', place)).value, [])
  }
})
