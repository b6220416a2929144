import { multipart } from '../../../src/upstream/multipart.ts'
import { repository } from '../../../tools/repository/index.ts'
import { story } from '../../support/sandbox-tools.ts'
import { type Case, runTable } from '../../support/tool-table.ts'

const P = { project_id: 'acme/rocket' }
const secret = 'ab'.repeat(16)
const at = `GET /projects/acme%2Frocket/uploads/${secret}`
const bytes = (body: string | Buffer) => ({ body, headers: { 'content-type': 'application/octet-stream' } })
const form = (name: string, content: string | Buffer) =>
  multipart({ field: 'file', name, bytes: Buffer.from(content) }).body
const png = Buffer.from('89504e470d0a1a0a', 'hex')
const uploaded = {
  id: 1,
  alt: 'log',
  url: `/uploads/${secret}/log.txt`,
  full_path: `/-/project/41/uploads/${secret}/log.txt`,
  markdown: `[log.txt](/uploads/${secret}/log.txt)`
}

runTable(repository, [
  {
    title: 'a text is read by lines, whatever the forge calls it',
    tool: 'get_attachment',
    args: { ...P, secret, filename: 'a log.txt', start_line: 2 },
    exchanges: [{ request: `${at}/a%20log%2Etxt`, reply: bytes('one\ntwo\n') }],
    text: 'two',
    notices: [
      {
        filename: 'a log.txt',
        size: 8,
        total_lines: 2,
        window: { start_line: 2, end_line: 2, total_lines: 2 }
      }
    ]
  },
  {
    title: 'a screenshot is shown',
    tool: 'get_attachment',
    args: { ...P, secret, filename: 'shot.png' },
    exchanges: [{ request: `${at}/shot%2Epng`, reply: bytes(png) }],
    result: { filename: 'shot.png', size: 8, media_type: 'image/png' },
    blocks: [{ type: 'image', data: png.toString('base64'), mimeType: 'image/png' }]
  },
  {
    title: 'what is neither text nor image is told by what it is',
    tool: 'get_attachment',
    args: { ...P, secret, filename: 'a.zip' },
    exchanges: [{ request: `${at}/a%2Ezip`, reply: bytes(Buffer.from('PK\x03\x04\0\0')) }],
    result: { filename: 'a.zip', size: 6, media_type: 'application/zip' }
  },
  {
    title: 'a login page is not what was attached',
    tool: 'get_attachment',
    args: { ...P, secret, filename: 'a.txt' },
    exchanges: [
      {
        request: `${at}/a%2Etxt`,
        reply: { body: '<!DOCTYPE html><title>Sign in</title>', headers: { 'content-type': 'text/html' } }
      }
    ],
    error: /^The forge answered with a web page instead of what was asked for: /
  },
  {
    title: 'says which part of a link is the secret',
    tool: 'get_attachment',
    args: { ...P, secret: `/uploads/${secret}/a.txt`, filename: 'a.txt' },
    error:
      'Invalid arguments: secret must be the part of the link between /uploads/ and the name of the file, without slashes.'
  },
  {
    title: 'a name that climbs is none',
    tool: 'get_attachment',
    args: { ...P, secret, filename: '..' },
    error: /^filename has an empty, "\." or "\.\." segment/
  },
  {
    title: 'an unknown one is looked for in the link again',
    tool: 'get_attachment',
    args: { ...P, secret, filename: 'a.txt' },
    exchanges: [{ request: `${at}/a%2Etxt`, reply: { status: 404, body: { message: '404 Not found' } } }],
    error: /Check secret and filename against the link/
  },
  {
    title: 'a text is uploaded as a form, and the result says what to paste',
    tool: 'upload_attachment',
    args: { ...P, filename: 'größe "1".txt', content: 'héllo\r\n' },
    exchanges: [
      {
        request: 'POST /projects/acme%2Frocket/uploads',
        body: form('größe "1".txt', 'héllo\r\n'),
        reply: { status: 201, body: uploaded }
      }
    ],
    result: uploaded
  },
  {
    title: 'other bytes come as base64',
    tool: 'upload_attachment',
    args: { ...P, filename: 'a.bin', content: 'AAECAw==', encoding: 'base64' },
    exchanges: [
      {
        request: 'POST /projects/acme%2Frocket/uploads',
        body: form('a.bin', Buffer.from([0, 1, 2, 3])),
        reply: { status: 201, body: uploaded }
      }
    ]
  },
  {
    title: 'a name is no path',
    tool: 'upload_attachment',
    args: { ...P, filename: 'a/b', content: '' },
    error: 'filename is a path: give the name alone.'
  },
  {
    title: 'a name breaks out of no header',
    tool: 'upload_attachment',
    args: { ...P, filename: 'a"\r\nX-Evil: 1', content: '' },
    error: 'filename has a control character.'
  },
  {
    title: 'what is not base64 is not sent',
    tool: 'upload_attachment',
    args: { ...P, filename: 'a', content: '###', encoding: 'base64' },
    error: 'content is not base64.'
  },
  {
    title: 'an image in base64 is not sent as text',
    tool: 'upload_attachment',
    args: { ...P, filename: 'shot.png', content: 'iVBORw0KGgoAAAANSUhEUgAA' },
    error: 'content is base64, and would be stored as text: set encoding=base64.'
  },
  ...['/tmp/shot.png', 'https://x.example/p.png', '<screenshot attached>'].map(
    (content): Case => ({
      title: `what only tells of an image is not sent in its place: ${content}`,
      tool: 'upload_attachment',
      args: { ...P, filename: 'shot.png', content },
      error:
        'content is text, which "shot.png" cannot be: give the bytes of the file in base64, with encoding=base64; a path or an address of it is not read here.'
    })
  ),
  {
    title: 'an image as a data URI is not sent as text',
    tool: 'upload_attachment',
    args: { ...P, filename: 'shot.png', content: 'data:image/png;base64,iVBORw0KGgo=' },
    error: 'content is a data URI: give what follows its comma, with encoding=base64.'
  },
  {
    title: 'of a data URI it is told what of it is base64',
    tool: 'upload_attachment',
    args: { ...P, filename: 'shot', content: 'data:image/png;base64,iVBORw0KGgo=', encoding: 'base64' },
    error: 'content is a data URI: give what follows its comma, with encoding=base64.'
  },
  {
    title: 'a text may hold base64',
    tool: 'upload_attachment',
    args: { ...P, filename: 'shot.txt', content: 'iVBORw0KGgo=' },
    exchanges: [
      {
        request: 'POST /projects/acme%2Frocket/uploads',
        body: form('shot.txt', 'iVBORw0KGgo='),
        reply: { status: 201, body: uploaded }
      }
    ]
  },
  {
    title: 'what no call has room for is not sent',
    tool: 'upload_attachment',
    args: { ...P, filename: 'a', content: 'x'.repeat(3 * 1024 * 1024 + 1) },
    error: 'Invalid arguments: content has 3145729 characters, and may have 3145728.'
  },
  {
    title: 'one that is too large for the forge is said not to be there',
    tool: 'upload_attachment',
    args: { ...P, filename: 'a', content: 'x' },
    exchanges: [
      {
        request: 'POST /projects/acme%2Frocket/uploads',
        body: form('a', 'x'),
        reply: { status: 413, body: { message: 'Too large' } }
      }
    ],
    error: /Nothing was uploaded: the file is larger than the forge takes\.$/
  }
])

story('what is uploaded can be read again by its link', [repository], async (t, as) => {
  const zip = Buffer.from('PK\x03\x04\0\xff--\r\n', 'latin1').toString('base64')
  const made = await as('linus')('upload_attachment', {
    ...P,
    filename: 'a "zip".bin',
    content: zip,
    encoding: 'base64'
  })
  const [, , part, filename] = made.value.url.split('/')
  t.match(made.value.markdown, /^\[a__zip_\.bin\]\(\/uploads\//)
  const read = await as('ada')('get_attachment', { ...P, secret: part, filename })
  t.match(read.value, { filename, media_type: 'application/zip' })
  const log = await as('linus')('upload_attachment', { ...P, filename: 'log.txt', content: 'größe\n' })
  const text = await as('ada')('get_attachment', {
    ...P,
    secret: log.value.url.split('/')[2],
    filename: 'log.txt'
  })
  t.equal(text.value, 'größe\n')
  t.match((await as('ada')('get_attachment', { ...P, secret: part, filename: 'log.txt' })).error, /404/)
})

story('of base64 of a text that is stored as it is, it is said', [repository], async (t, as) => {
  const rows = 'name,amount\nAda Lovelace,1\n'.repeat(80)
  const content = Buffer.from(rows).toString('base64')
  const said =
    'The content of "a.csv" is base64 of a text, and was stored as it is: if the text is meant, write it again with encoding=base64.'
  const upload = async (args: object) =>
    (await as('ada')('upload_attachment', { ...P, filename: 'a.csv', ...args })).notices
  t.same(await upload({ content }), [said])
  t.same(await upload({ content, encoding: 'base64' }), [])
  const commit = async (content: string, branch: string) => {
    const actions = [{ action: 'create', file_path: 'a.csv', content }]
    const args = { ...P, branch, start_branch: 'main', commit_message: 'Rows', actions }
    return (await as('ada')('commit_files', args)).notices
  }
  t.same(await commit(content, 'encoded'), [said])
  for (const [at, other] of [rows, 'a'.repeat(64), `${'0123456789abcdef'.repeat(4)}\n`].entries())
    t.same(await commit(other, `other-${at}`), [], 'which is another text')
})
