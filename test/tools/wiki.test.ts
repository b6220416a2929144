import { wiki } from '../../tools/wiki/index.ts'
import { story } from '../support/sandbox-tools.ts'
import { runTable } from '../support/tool-table.ts'

const about = { slug: 'docs/setup', title: 'setup', format: 'markdown', encoding: 'UTF-8' }
const shorter = 'Line 1\nLine 2\n\nMore in the manual.'
const linesTo = (last: number) => Array.from({ length: last }, (_, at) => `Line ${at + 1}\n`).join('')
const page = { ...about, content: 'one\ntwo\nthree\n', wiki_page_meta_id: 3 }
const shown = { slug: 'docs/setup', title: 'setup', format: 'markdown' }
const noPage = { status: 404, body: { message: '404 Wiki Page Not Found' } }

runTable(wiki, [
  {
    title: 'lists the pages of a project without their texts',
    tool: 'list_wiki_pages',
    args: { project_id: 'acme/rocket' },
    exchanges: [{ request: 'GET /projects/acme%2Frocket/wikis', reply: { body: [page] } }],
    result: [shown],
    notices: []
  },
  {
    title: 'shows a thousand of a list that comes whole',
    tool: 'list_wiki_pages',
    args: { group_id: 'acme' },
    exchanges: [
      {
        request: 'GET /groups/acme/wikis',
        reply: { body: Array.from({ length: 1002 }, () => ({ slug: 'a' })) }
      }
    ],
    result: Array.from({ length: 1000 }, () => ({ slug: 'a' })),
    notices: ['The first 1000 of 1002 pages are shown; get_wiki_page reads any by its slug.']
  },
  {
    title: 'reads a page in a folder as text',
    tool: 'get_wiki_page',
    args: { project_id: 'acme/rocket', slug: 'docs/setup' },
    exchanges: [{ request: 'GET /projects/acme%2Frocket/wikis/docs%2Fsetup', reply: { body: page } }],
    text: 'one\ntwo\nthree\n',
    notices: [{ ...about, size: 14, total_lines: 3 }]
  },
  {
    title: 'reads some lines of an older version, and a name may have dots and blanks',
    tool: 'get_wiki_page',
    args: { group_id: 'acme', slug: 'v1.0/Read me', version: 'abc', start_line: 2, end_line: 2 },
    exchanges: [{ request: 'GET /groups/acme/wikis/v1%2E0%2FRead%20me?version=abc', reply: { body: page } }],
    text: 'two',
    notices: [{ ...about, size: 14, total_lines: 3, window: { start_line: 2, end_line: 2, total_lines: 3 } }]
  },
  {
    title: 'cuts a long page at a line and says how to go on',
    tool: 'get_wiki_page',
    args: { project_id: '1', slug: 'a' },
    settings: { maxChars: 8 },
    exchanges: [{ request: 'GET /projects/1/wikis/a', reply: { body: page } }],
    text: 'one\ntwo',
    notices: [
      { ...about, size: 14, total_lines: 3, window: { start_line: 1, end_line: 2, total_lines: 3 } },
      'Cut after line 2, at the size of a result. Go on with start_line 3.'
    ]
  },
  {
    title: 'an empty page is an empty text',
    tool: 'get_wiki_page',
    args: { project_id: '1', slug: 'a', start_line: 5 },
    exchanges: [{ request: 'GET /projects/1/wikis/a', reply: { body: { ...page, content: '' } } }],
    text: '',
    notices: [{ ...about, size: 0, total_lines: 0 }]
  },
  {
    title: 'says how many lines there are',
    tool: 'get_wiki_page',
    args: { project_id: '1', slug: 'a', start_line: 9 },
    exchanges: [{ request: 'GET /projects/1/wikis/a', reply: { body: page } }],
    error: 'start_line 9 is past the end: the page has 3 lines.'
  },
  {
    title: 'a page is of a project or of a group',
    tool: 'get_wiki_page',
    args: { slug: 'a' },
    error: "At least one of 'project_id' or 'group_id' must be provided."
  },
  {
    title: 'a slug may not climb',
    tool: 'get_wiki_page',
    args: { project_id: '1', slug: 'docs/../../x' },
    error: /^slug has an empty, "\." or "\.\." segment/
  },
  {
    title: 'says where to look for a page that is not there',
    tool: 'get_wiki_page',
    args: { project_id: '1', slug: 'a' },
    exchanges: [
      { request: 'GET /projects/1/wikis/a', reply: noPage },
      { request: 'GET /projects/1/wikis', reply: { body: [{ slug: 'quite-another' }] } }
    ],
    error:
      /"404 Wiki Page Not Found"\. list_wiki_pages has the pages that you may see; create_wiki_page makes one\.$/
  },
  {
    title: 'creates a page',
    tool: 'create_wiki_page',
    args: { project_id: '1', title: 'docs/Set up', content: 'text', format: 'org' },
    exchanges: [
      {
        request: 'POST /projects/1/wikis',
        body: { title: 'docs/Set up', content: 'text', format: 'org' },
        reply: { status: 201, body: page }
      }
    ],
    result: shown
  },
  {
    title: 'a new title stays in the folder of the page',
    tool: 'update_wiki_page',
    args: { project_id: '1', slug: 'docs/old/setup', title: 'Install' },
    exchanges: [
      {
        request: 'PUT /projects/1/wikis/docs%2Fold%2Fsetup',
        body: { title: 'docs/old/Install' },
        reply: { body: page }
      }
    ],
    result: shown
  },
  {
    title: 'a title with a folder moves the page there',
    tool: 'update_wiki_page',
    args: { group_id: 'acme', slug: 'docs/setup', title: 'guide/Install', content: 'x' },
    exchanges: [
      {
        request: 'PUT /groups/acme/wikis/docs%2Fsetup',
        body: { title: 'guide/Install', content: 'x' },
        reply: { body: page }
      }
    ]
  },
  {
    title: 'empties no page beside a new title',
    tool: 'update_wiki_page',
    args: { project_id: '1', slug: 'docs/setup', title: 'Install', content: '' },
    error: 'Invalid arguments: content must not be empty: left out, it stays.'
  },
  {
    title: 'replaces no page by a line that stands for what it holds',
    tool: 'update_wiki_page',
    args: { project_id: '1', slug: 'docs/setup', content: '// ... existing code ...\n\n## New' },
    exchanges: [
      {
        request: 'GET /projects/1/wikis/docs%2Fsetup',
        reply: { body: { slug: 'docs/setup', content: 'Old' } }
      }
    ],
    error: /^content has the line "\/\/ \.\.\. existing code \.\.\."/
  },
  {
    title: 'says of a page that many of its lines are gone',
    tool: 'update_wiki_page',
    args: { project_id: '1', slug: 'docs/setup', content: shorter },
    exchanges: [
      {
        request: 'GET /projects/1/wikis/docs%2Fsetup',
        reply: { body: { slug: 'docs/setup', content: linesTo(14) } }
      },
      {
        request: 'PUT /projects/1/wikis/docs%2Fsetup',
        body: { content: shorter },
        reply: { body: page }
      }
    ],
    notices: [
      'content had 14 lines, and has 4: the whole text was replaced. If that was not meant, its Git history has what was there; get_wiki_page without start_line and end_line shows a text whole.'
    ]
  },
  {
    title: 'says nothing of a page of which a few lines are gone',
    tool: 'update_wiki_page',
    args: { project_id: '1', slug: 'docs/setup', content: shorter },
    exchanges: [
      {
        request: 'GET /projects/1/wikis/docs%2Fsetup',
        reply: { body: { slug: 'docs/setup', content: linesTo(13) } }
      },
      {
        request: 'PUT /projects/1/wikis/docs%2Fsetup',
        body: { content: shorter },
        reply: { body: page }
      }
    ],
    notices: []
  },
  {
    title: 'wants something to change',
    tool: 'update_wiki_page',
    args: { project_id: '1', slug: 'a' },
    error: /^Nothing to update: give at least one field to change\./
  },
  {
    title: 'deletes a page by its name',
    tool: 'delete_wiki_page',
    args: { project_id: '1', slug: 'docs/setup' },
    exchanges: [{ request: 'DELETE /projects/1/wikis/docs%2Fsetup', reply: { status: 204 } }],
    result: { status: 'success', message: 'The page is deleted.' }
  }
])

story('a wiki is written, moved about and read', [wiki], async (t, as) => {
  const [ada, grace] = [as('ada'), as('grace')]
  const rocket = { project_id: 'acme/rocket' }
  t.same((await ada('list_wiki_pages', rocket)).value, [])
  const text = 'Fuel it.\nLight it.\nRun.\n'
  t.match((await ada('create_wiki_page', { ...rocket, title: 'docs/Lift off', content: text })).value, {
    slug: 'docs/Lift-off'
  })
  t.match((await ada('create_wiki_page', { ...rocket, title: 'docs/Lift off', content: 'x' })).error, /taken/)
  const read = await grace('get_wiki_page', { ...rocket, slug: 'docs/Lift-off', start_line: 2 })
  t.equal(read.value, 'Light it.\nRun.')
  t.match(
    (await ada('get_wiki_page', { ...rocket, slug: 'lift off' })).error,
    /Perhaps "docs\/Lift-off" is meant\. list_wiki_pages has/
  )
  t.match(
    (await ada('get_wiki_page', { ...rocket, slug: 'docs/Lift-off', version: '1234567' })).error,
    /The page is there, and has no version "1234567"\. list_wiki_pages has/
  )
  t.match(
    (await ada('get_wiki_page', { ...rocket, slug: 'docs/Liftoff' })).error,
    /Did you mean "docs\/Lift-off"\? list_wiki_pages has/
  )
  t.match((await ada('update_wiki_page', { ...rocket, slug: 'docs/Lift-off', title: 'Launch' })).value, {
    slug: 'docs/Launch'
  })
  t.match((await grace('update_wiki_page', { ...rocket, slug: 'docs/Launch', content: 'x' })).error, /403/)
  t.match(
    (await ada('delete_wiki_page', { ...rocket, slug: 'docs/Lift-off' })).error,
    /list_wiki_pages has the pages/
  )
  t.match((await ada('delete_wiki_page', { ...rocket, slug: 'docs/Launch' })).value, { status: 'success' })
  t.match(
    (await as('margaret')('create_wiki_page', { group_id: 'acme', title: 'home', content: 'Hello' })).value,
    {
      slug: 'home'
    }
  )
  t.match((await ada('list_wiki_pages', { group_id: 'acme/rocket' })).error, /404/, 'a project is no group')
})

story(
  'the wiki of a group takes an edition that is paid for',
  [wiki],
  async (t, as) => {
    t.match((await as('ada')('list_wiki_pages', { group_id: 'acme' })).error, /needs the Premium edition/)
    t.same((await as('ada')('list_wiki_pages', { project_id: 'acme/rocket' })).value, [])
  },
  { edition: 'ce' }
)
