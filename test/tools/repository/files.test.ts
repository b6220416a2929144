import { repository } from '../../../tools/repository/index.ts'
import { type Case, runTable } from '../../support/tool-table.ts'

const path = 'src/launch.ts'
const raw = 'GET /projects/acme%2Frocket/repository/files/src%2Flaunch%2Ets/raw'
const P = { project_id: 'acme/rocket' }
const file = { ...P, path }

const headers = {
  'content-type': 'text/plain',
  'x-gitlab-blob-id': 'b10b',
  'x-gitlab-commit-id': 'c0ffee',
  'x-gitlab-content-sha256': 'aa55',
  'x-gitlab-execute-filemode': 'false',
  'x-gitlab-last-commit-id': '1a57',
  'x-gitlab-ref': 'HEAD'
}

/** The answer to a request for a file, with the headers that go with it. */
const sent = (body: string | Buffer, more: Record<string, string> = {}) => ({
  body,
  headers: { ...headers, 'x-gitlab-size': String(Buffer.byteLength(body)), ...more }
})

const facts = (size: number, more: Record<string, unknown> = {}) => ({
  path,
  ref: 'HEAD',
  blob_id: 'b10b',
  commit_id: 'c0ffee',
  last_commit_id: '1a57',
  content_sha256: 'aa55',
  executable: false,
  size,
  ...more
})

const text = 'one\ntwo\nthree\nfour\n'
const lineCase = (
  title: string,
  args: Record<string, unknown>,
  shown: string,
  window: Record<string, unknown>,
  body = text
): Case => ({
  title,
  tool: 'get_file_contents',
  args: { ...file, ...args },
  exchanges: [{ request: `${raw}?ref=HEAD`, reply: sent(body) }],
  text: shown,
  notices: [facts(Buffer.byteLength(body), window)]
})

/** A header with a character for each of its bytes. */
const bytesOf = (header: string): string => Buffer.from(header).toString('latin1')

const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'ab'.repeat(32)}\nsize 12345\n`
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const reply404 = (message: string) => ({ status: 404, body: { message } })
const head = 'GET /projects/acme%2Frocket/repository/commits/HEAD'
const FORGE = 'https://forge.example'
const blob = (place: string) => `${FORGE}/acme/rocket/-/blob/${place}`
const atCommit = (name: string) => `GET /projects/acme%2Frocket/repository/files/${name}/raw?ref=c0ffee`

const login = {
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!DOCTYPE html><html><title>Sign in</title></html>'
}
const noFile = /^The forge answered with a web page instead of what was asked for: .* not a login page/

runTable(repository, [
  {
    title: 'a login page is no file',
    tool: 'get_file_contents',
    args: file,
    exchanges: [{ request: `${raw}?ref=HEAD`, reply: login }],
    error: noFile
  },
  {
    title: 'lines that end with CR alone are shown as lines',
    tool: 'get_file_contents',
    args: file,
    exchanges: [{ request: `${raw}?ref=HEAD`, reply: sent('id,n\r1,a\r2,b\r') }],
    text: 'id,n\n1,a\n2,b\n',
    notices: [
      facts(13, { total_lines: 1 }),
      'Where the file has CR alone, a line break is shown: for line numbers that is no end of a line, and an edit finds it as \\r.'
    ]
  },
  {
    title: 'also among others',
    tool: 'get_files',
    args: { ...P, paths: [path] },
    exchanges: [
      { request: head, reply: { body: { id: 'c0ffee' } } },
      { request: atCommit('src%2Flaunch%2Ets'), reply: sent('id,n\r1,a\r') }
    ],
    result: {
      commit: 'c0ffee',
      files: [{ path, size: 9, last_commit_id: '1a57', text: 'id,n\n1,a\n' }]
    },
    notices: [
      'Where the file has CR alone, a line break is shown: for line numbers that is no end of a line, and an edit finds it as \\r.'
    ]
  },
  {
    title: 'nor is a login page one of several',
    tool: 'get_files',
    args: { ...P, paths: [path] },
    exchanges: [
      { request: head, reply: { body: { id: 'c0ffee' } } },
      { request: atCommit('src%2Flaunch%2Ets'), reply: login }
    ],
    error: noFile
  },
  {
    title: 'nor is it edited',
    tool: 'commit_files',
    args: {
      ...P,
      branch: 'main',
      commit_message: 'Edit',
      actions: [{ action: 'edit', file_path: path, edits: [{ find: 'Sign in', replace: 'x' }] }]
    },
    exchanges: [{ request: `${raw}?ref=main`, reply: login }],
    error: noFile
  },
  {
    title: 'several paths are told the tool that takes several',
    tool: 'get_file_contents',
    args: { ...P, path: ['README.md', 'package.json'] },
    error:
      'Invalid arguments: path must be a string, not an array: call once for each; get_files takes several.'
  },
  {
    title: 'so is their number in the name of the argument',
    tool: 'get_file_contents',
    args: { ...P, paths: ['README.md', 'package.json'] },
    error: /unknown argument "paths", path names one: call once for each; get_files takes several/
  },
  lineCase('a file is its text, with what the forge says of it', {}, text, { total_lines: 4 }),
  ...(
    [
      ['encoded', 'a b.ts', 'a%20b.ts', 'v1%2Fx', 'v1/x'],
      ['as they are', 'a%20b.ts', 'a%20b.ts', '100%', '100%'],
      ['as they are in UTF-8', 'größe.ts', bytesOf('größe.ts'), bytesOf('100% größer'), '100% größer'],
      ['as they are in UTF-8, of another name', 'a.ts', 'a.ts', bytesOf('größe'), 'größe']
    ] as const
  ).map(
    ([how, asked, saidPath, saidRef, ref]): Case => ({
      title: `path and ref of a file are those that the forge says, ${how}`,
      tool: 'get_file_contents',
      args: { ...P, path: asked, ref: 'v1' },
      exchanges: [
        {
          request: `${raw.replace('src%2Flaunch%2Ets', encodeURIComponent(asked).replace('.', '%2E'))}?ref=v1`,
          reply: sent(text, { 'x-gitlab-file-path': saidPath, 'x-gitlab-ref': saidRef })
        }
      ],
      text,
      notices: [facts(19, { path: asked, ref, total_lines: 4 })]
    })
  ),
  lineCase(
    'some lines are as they are, and say where they are',
    { start_line: 2, end_line: 3 },
    'two\nthree',
    {
      total_lines: 4,
      window: { start_line: 2, end_line: 3, total_lines: 4 }
    }
  ),
  lineCase('an end beyond the last line is the last line', { start_line: 4, end_line: 9 }, 'four', {
    total_lines: 4,
    window: { start_line: 4, end_line: 4, total_lines: 4 }
  }),
  lineCase(
    'lines have their numbers on request',
    { start_line: 3, line_numbers: true },
    '3\tthree\n4\tfour',
    {
      total_lines: 4,
      window: { start_line: 3, end_line: 4, total_lines: 4 }
    }
  ),
  lineCase('a last line without a newline is a line', {}, 'one\ntwo', { total_lines: 2 }, 'one\ntwo'),
  lineCase('lines that end with CR LF stay so', {}, 'a\r\nb\r\n', { total_lines: 2 }, 'a\r\nb\r\n'),
  lineCase(
    'a line that ends with CR LF is one line',
    { start_line: 2, end_line: 2 },
    'b',
    { total_lines: 3, window: { start_line: 2, end_line: 2, total_lines: 3 } },
    'a\r\nb\r\nc\r\n'
  ),
  lineCase(
    'several of them keep their ends, but for the last',
    { end_line: 2 },
    'a\r\nb',
    { total_lines: 3, window: { start_line: 1, end_line: 2, total_lines: 3 } },
    'a\r\nb\r\nc\r\n'
  ),
  lineCase('an empty file is an empty text of no lines', {}, '', { total_lines: 0 }, ''),
  lineCase(
    'an empty file has no lines, whichever are asked for',
    { start_line: 5 },
    '',
    { total_lines: 0 },
    ''
  ),
  lineCase('text in every script is text', {}, 'größe 高さ 🚀\n', { total_lines: 1 }, 'größe 高さ 🚀\n'),
  {
    title: 'what does not fit is cut at the end of a line, and the next line named',
    tool: 'get_file_contents',
    args: file,
    settings: { maxChars: 10 },
    exchanges: [{ request: `${raw}?ref=HEAD`, reply: sent(text) }],
    text: 'one\ntwo',
    notices: [
      facts(19, { total_lines: 4, window: { start_line: 1, end_line: 2, total_lines: 4 } }),
      'Cut after line 2, at the size of a result. Go on with start_line 3.'
    ]
  },
  {
    title: 'a line that does not fit by itself is shown as far as it does',
    tool: 'get_file_contents',
    args: file,
    settings: { maxChars: 5 },
    exchanges: [{ request: `${raw}?ref=HEAD`, reply: sent('123456789\nx\n') }],
    text: '12345',
    notices: [
      facts(12, { total_lines: 2, window: { start_line: 1, end_line: 1, total_lines: 2 } }),
      'Line 1 is longer than a result may be; its beginning is shown. The next line is start_line 2.'
    ]
  },
  {
    title: 'a first line past the end is refused with how many there are',
    tool: 'get_file_contents',
    args: { ...file, start_line: 5 },
    exchanges: [{ request: `${raw}?ref=HEAD`, reply: sent(text) }],
    error: 'start_line 5 is past the end of the file: its last line is 4 (total_lines: 4).'
  },
  {
    title: 'an end before the start is refused before anything is asked',
    tool: 'get_file_contents',
    args: { ...file, start_line: 5, end_line: 4 },
    error: 'end_line 4 is before start_line 5.'
  },
  {
    title: 'a file with a NUL byte is not shown',
    tool: 'get_file_contents',
    args: file,
    exchanges: [{ request: `${raw}?ref=HEAD`, reply: sent(Buffer.from('%PDF-1.7\n\0\0')) }],
    result: facts(11, { media_type: 'application/pdf' }),
    notices: ['This file is not text, so its content is not shown.']
  },
  {
    title: 'a file that is not UTF-8 is not shown',
    tool: 'get_file_contents',
    args: file,
    exchanges: [{ request: `${raw}?ref=HEAD`, reply: sent(Buffer.from([0x67, 0x72, 0xf6, 0xdf, 0x65])) }],
    result: facts(5, { media_type: 'application/octet-stream' }),
    notices: [
      'This file is not UTF-8 text (perhaps Latin-1, Shift-JIS, GBK or another encoding), so its content is not shown.'
    ]
  },
  {
    title: 'a file in UTF-16 is said to be text in that',
    tool: 'get_file_contents',
    args: file,
    exchanges: [{ request: `${raw}?ref=HEAD`, reply: sent(Buffer.from('\ufeffab', 'utf16le')) }],
    result: facts(6, { media_type: 'application/octet-stream' }),
    notices: [
      'This file is not UTF-8 text (perhaps UTF-16, as its first bytes say), so its content is not shown.'
    ]
  },
  {
    title: 'a file with bytes that no text has is not taken for one',
    tool: 'get_file_contents',
    args: file,
    exchanges: [{ request: `${raw}?ref=HEAD`, reply: sent(Buffer.from([0x67, 0x02, 0xf6, 0xdf])) }],
    result: facts(4, { media_type: 'application/octet-stream' }),
    notices: ['This file is not text, so its content is not shown.']
  },
  {
    title: 'half a character at the end of a file is no text',
    tool: 'get_file_contents',
    args: file,
    exchanges: [{ request: `${raw}?ref=HEAD`, reply: sent(Buffer.from([0x61, 0xc3])) }],
    result: facts(2, { media_type: 'application/octet-stream' })
  },
  {
    title: 'an image is shown, with what the forge says of it',
    tool: 'get_file_contents',
    args: file,
    exchanges: [{ request: `${raw}?ref=HEAD`, reply: sent(png) }],
    result: facts(16, { media_type: 'image/png' }),
    blocks: [{ type: 'image', data: png.toString('base64'), mimeType: 'image/png' }],
    notices: []
  },
  {
    title: 'an image that is larger than a result may be is not shown',
    tool: 'get_file_contents',
    args: file,
    exchanges: [{ request: `${raw}?ref=HEAD`, reply: sent(Buffer.concat([png, Buffer.alloc(700_000)])) }],
    result: facts(700_016, { media_type: 'image/png' }),
    blocks: [],
    notices: ['This image is larger than 700000 bytes, so it is not shown.']
  },
  {
    title: 'an image as SVG is text',
    tool: 'get_file_contents',
    args: file,
    exchanges: [{ request: `${raw}?ref=HEAD`, reply: sent('<svg xmlns="http://www.w3.org/2000/svg"/>') }],
    text: '<svg xmlns="http://www.w3.org/2000/svg"/>',
    blocks: []
  },
  {
    title: 'an LFS pointer is told from the file it stands for',
    tool: 'get_file_contents',
    args: file,
    exchanges: [{ request: `${raw}?ref=HEAD`, reply: sent(pointer) }],
    text: pointer,
    notices: [
      facts(pointer.length, { lfs: { oid: 'ab'.repeat(32), size: 12345 }, total_lines: 3 }),
      'This is a Git LFS pointer: call again with lfs=true for the file itself.'
    ]
  },
  {
    title: 'what an LFS pointer stands for comes without the headers of a file',
    tool: 'get_file_contents',
    args: { ...file, ref: 'main', lfs: true },
    exchanges: [{ request: `${raw}?ref=main&lfs=true`, reply: { body: 'big', headers: {} } }],
    text: 'big',
    notices: [{ path, ref: 'main', size: 3, total_lines: 1 }]
  },
  {
    title: 'a path is one segment: blanks, scripts, dots and escapes are text in it',
    tool: 'get_file_contents',
    args: { ...P, path: 'größe/a b%2Fc.d.md', ref: 'feature/ü' },
    exchanges: [
      {
        request:
          'GET /projects/acme%2Frocket/repository/files/gr%C3%B6%C3%9Fe%2Fa%20b%252Fc%2Ed%2Emd/raw?ref=feature%2F%C3%BC',
        reply: sent('x')
      }
    ],
    text: 'x'
  },
  {
    title: 'a path of a thousand characters is sent as it is',
    tool: 'get_file_contents',
    args: { ...P, path: `${'d/'.repeat(499)}ab` },
    exchanges: [
      {
        request: `GET /projects/acme%2Frocket/repository/files/${'d%2F'.repeat(499)}ab/raw?ref=HEAD`,
        reply: sent('x')
      }
    ],
    text: 'x'
  },
  ...['../secret', 'a/../../b', 'a%2F..%2Fb', '/etc/passwd', 'a//b', './a', ''].map(
    (bad): Case => ({
      title: `the path ${JSON.stringify(bad)} goes nowhere`,
      tool: 'get_file_contents',
      args: { ...P, path: bad },
      error: bad === '' ? 'path is empty.' : /^path has an empty, "\." or "\.\." segment/
    })
  ),
  ...['-x', '--all'].map(
    (ref): Case => ({
      title: `the ref ${JSON.stringify(ref)} is none`,
      tool: 'get_file_contents',
      args: { ...file, ref },
      error: 'Invalid arguments: ref is no branch, tag or commit: it is empty or begins with a hyphen.'
    })
  ),
  {
    title: 'a directory is said to be read otherwise',
    tool: 'get_file_contents',
    args: file,
    exchanges: [
      { request: `${raw}?ref=HEAD`, reply: reply404('404 File Not Found') },
      {
        request: 'GET /projects/acme%2Frocket/repository/tree?per_page=100&path=src',
        reply: { body: [{ path: 'src/launch.ts', type: 'tree' }] }
      }
    ],
    error:
      'The forge answered 404 Not Found: "404 File Not Found". "src/launch.ts" is a directory. Check ref and path. A directory is read with get_repository_tree, and an empty repository has no files.'
  },
  {
    title: 'no file is asked for at a commit that the forge does not tell',
    tool: 'get_files',
    args: { ...P, paths: ['a.md'] },
    exchanges: [{ request: head, reply: { body: { id: 5 } } }],
    error: "The forge's answer lacks id."
  },
  {
    title: 'says of a path that is not there and looks like several how these are asked for',
    tool: 'get_files',
    args: { ...P, paths: 'a.md,b.md' },
    exchanges: [
      { request: head, reply: { body: { id: 'c0ffee' } } },
      { request: atCommit('a%2Emd%2Cb%2Emd'), reply: reply404('404 File Not Found') }
    ],
    result: { commit: 'c0ffee', files: [{ path: 'a.md,b.md', skipped: 'not found' }] },
    notices: ['A path with a comma is read as one path: give each file as an item of its own.']
  },
  {
    title: 'nor at one whose name is longer than any: each file asked for would have a copy of it',
    tool: 'get_files',
    args: { ...P, paths: ['a.md', 'b.md'] },
    exchanges: [{ request: head, reply: { body: { id: 'a'.repeat(4_097) } } }],
    error: "The forge's answer has more than 4096 characters for id."
  },
  {
    title: 'reads the whole of files that are named with lines, and says so',
    tool: 'get_files',
    args: { ...P, paths: ['a.md#L2-3', 'https://forge.example/acme/rocket/-/blob/main/b.md#L2', 'c.md:4-5'] },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/repository/commits/main',
        reply: { body: { id: 'c0ffee' } }
      },
      ...['a', 'b', 'c'].map(name => ({ request: atCommit(`${name}%2Emd`), reply: sent('x\n') }))
    ],
    result: {
      commit: 'c0ffee',
      files: ['a.md', 'b.md', 'c.md'].map(path => ({ path, size: 2, last_commit_id: '1a57', text: 'x\n' }))
    },
    notices: ['The lines after a path in paths are not looked at: each file is taken as a whole.']
  },
  {
    title: 'several files are read at the commit that the ref is now, and each says what it is',
    tool: 'get_files',
    args: { ...P, paths: ['a.md', 'gone', 'p.png', 'big', 'lfs'] },
    exchanges: [
      { request: head, reply: { body: { id: 'c0ffee' } } },
      { request: atCommit('a%2Emd'), reply: sent('# A\n') },
      { request: atCommit('gone'), reply: reply404('404 File Not Found') },
      { request: atCommit('p%2Epng'), reply: sent(png) },
      { request: atCommit('big'), reply: sent('x', { 'x-gitlab-size': String(11 * 1024 * 1024) }) },
      { request: atCommit('lfs'), reply: sent(pointer) },
      {
        request: 'GET /projects/acme%2Frocket/repository/tree?per_page=100&ref=c0ffee',
        reply: { body: [{ path: 'gona', type: 'blob' }] }
      }
    ],
    notices: [
      '"lfs" is kept in LFS: get_file_contents with lfs=true reads it.',
      'Of "gone": Did you mean "gona"?'
    ],
    result: {
      commit: 'c0ffee',
      files: [
        { path: 'a.md', size: 4, last_commit_id: '1a57', text: '# A\n' },
        { path: 'gone', skipped: 'not found' },
        { path: 'p.png', size: 16, skipped: 'binary' },
        { path: 'big', size: 11 * 1024 * 1024, skipped: 'too large' },
        { path: 'lfs', size: pointer.length, skipped: 'lfs' }
      ]
    }
  },
  {
    title: 'files share the room of a result: what a short one leaves goes to the long one',
    tool: 'get_files',
    args: { ...P, paths: ['short', 'long'] },
    settings: { maxChars: 850 },
    exchanges: [
      { request: head, reply: { body: { id: 'c0ffee' } } },
      { request: atCommit('short'), reply: sent('x\n') },
      { request: atCommit('long'), reply: sent('1234567\n'.repeat(100)) }
    ],
    result: {
      commit: 'c0ffee',
      files: [
        { path: 'short', size: 2, last_commit_id: '1a57', text: 'x\n' },
        {
          path: 'long',
          size: 800,
          last_commit_id: '1a57',
          total_lines: 100,
          cut_at: 10,
          text: '1234567\n'.repeat(10)
        }
      ]
    },
    notices: ['Texts with cut_at end at that line: get_file_contents goes on from there with start_line.']
  },
  {
    title: 'of an unknown ref no file is read',
    tool: 'get_files',
    args: { ...P, paths: ['a'], ref: 'v1.0' },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/repository/commits/v1%2E0',
        reply: reply404('404 Commit Not Found')
      },
      {
        request: 'GET /projects/acme%2Frocket/repository/commits/v1%2E0',
        reply: reply404('404 Commit Not Found')
      },
      {
        request: 'GET /projects/acme%2Frocket/repository/branches?per_page=100',
        reply: { body: [{ name: 'main', default: true }] }
      },
      {
        request: 'GET /projects/acme%2Frocket/repository/tags?per_page=100',
        reply: { body: [{ name: 'nightly' }] }
      },
      {
        request: 'GET /projects/acme%2Frocket/merge_requests?source_branch=v1.0&state=opened&per_page=100',
        reply: { body: [] }
      }
    ],
    error:
      /"404 Commit Not Found"\. There is no "v1\.0"; the default branch is "main"; list_tags has the tags\. Check project_id and ref/
  },
  {
    title: 'a path that climbs is refused before anything is asked',
    tool: 'get_files',
    args: { ...P, paths: ['a', 'b/../../c'] },
    error: /^path has an empty, "\." or "\.\." segment: "b/
  },
  {
    title: 'files are also named by their addresses, whose ref is that of all',
    tool: 'get_files',
    args: { ...P, paths: [blob('v1.0/a.md'), 'b.md', blob('v1.0/c.md#L3')] },
    exchanges: [
      { request: 'GET /projects/acme%2Frocket/repository/commits/v1%2E0', reply: { body: { id: 'c0ffee' } } },
      { request: atCommit('a%2Emd'), reply: sent('# A\n') },
      { request: atCommit('b%2Emd'), reply: sent('# B\n') },
      { request: atCommit('c%2Emd'), reply: sent('# C\n') }
    ],
    result: {
      commit: 'c0ffee',
      files: ['a', 'b', 'c'].map(name => ({
        path: `${name}.md`,
        size: 4,
        last_commit_id: '1a57',
        text: `# ${name.toUpperCase()}\n`
      }))
    }
  },
  {
    title: 'a ref that is given says where the path of an address begins',
    tool: 'get_files',
    args: { ...P, paths: [blob('fix/engine/a.md')], ref: 'fix/engine' },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/repository/commits/fix%2Fengine',
        reply: { body: { id: 'c0ffee' } }
      },
      { request: atCommit('a%2Emd'), reply: sent('# A\n') }
    ],
    result: {
      commit: 'c0ffee',
      files: [{ path: 'a.md', size: 4, last_commit_id: '1a57', text: '# A\n' }]
    }
  },
  {
    title: 'files at addresses of different refs are of no commit',
    tool: 'get_files',
    args: { ...P, paths: [blob('main/a.md'), blob('v1.0/b.md')] },
    error: /^paths\.1 is at "v1\.0", and one before it at "main": give those of one ref/
  },
  {
    title: 'a file of another project is none of these',
    tool: 'get_files',
    args: { ...P, paths: ['a.md', `${FORGE}/acme/shuttle/-/blob/main/b.md`] },
    error: /^path is of "acme\/shuttle": give that/
  },
  {
    title: 'the address of another thing is none of a file',
    tool: 'get_files',
    args: { ...P, paths: [`${FORGE}/acme/rocket/-/issues/7`] },
    error: /^path is the address of an issue/
  },
  {
    title: 'not more than twenty at once',
    tool: 'get_files',
    args: { ...P, paths: Array.from({ length: 21 }, (_, at) => `f${at}`) },
    error: /paths has 21 items, and may have 20/
  },
  {
    title: 'what may not be read fails the call',
    tool: 'get_files',
    args: { ...P, paths: ['a'] },
    exchanges: [
      { request: head, reply: { body: { id: 'c0ffee' } } },
      { request: atCommit('a'), reply: { status: 403, body: { message: '403 Forbidden' } } }
    ],
    error: /^The forge answered 403 Forbidden/
  },
  ...['.', '/', './', ''].map(path => ({
    title: `"${path}" is the root`,
    tool: 'get_repository_tree',
    args: { project_id: 'acme/rocket', path },
    exchanges: [
      { request: 'GET /projects/acme%2Frocket/repository/tree?pagination=keyset', reply: { body: [] } }
    ]
  })),
  {
    title: 'a slash at the end of a directory is none of its name',
    tool: 'get_repository_tree',
    args: { project_id: 'acme/rocket', path: 'docs/' },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/repository/tree?pagination=keyset&path=docs',
        reply: { body: [] }
      }
    ]
  },
  ...['../secrets', '/etc', 'a//b', 'a/%2e%2e/b'].map(path => ({
    title: `${path} is no directory`,
    tool: 'get_repository_tree',
    args: { project_id: 'acme/rocket', path },
    error: /^path has an empty, "\." or "\.\." segment/
  })),
  {
    title: 'a directory is listed by key, and what names say already is left out',
    tool: 'get_repository_tree',
    args: { ...P, path: 'src', ref: 'main', recursive: true, per_page: 3 },
    exchanges: [
      {
        request:
          'GET /projects/acme%2Frocket/repository/tree?pagination=keyset&path=src&ref=main&recursive=true&per_page=3',
        reply: {
          body: [
            { id: 't1', name: 'lib', type: 'tree', path: 'src/lib', mode: '040000' },
            { id: 'b1', name: 'a.ts', type: 'blob', path: 'src/a.ts', mode: '100644' },
            { id: 'b2', name: 'link', type: 'blob', path: 'src/link', mode: '120000' },
            { id: 'c1', name: 'sub', type: 'commit', path: 'src/sub', mode: '160000' }
          ],
          headers: { link: '<https://forge.example/x?page_token=abc&per_page=3>; rel="next"' }
        }
      }
    ],
    result: [
      { path: 'src/lib', type: 'tree' },
      { path: 'src/a.ts', type: 'blob', id: 'b1' },
      { path: 'src/link', type: 'blob', id: 'b2', mode: '120000' },
      { path: 'src/sub', type: 'commit', mode: '160000' }
    ],
    notices: [{ pagination: { next_page_token: 'abc' } }]
  },
  {
    title: 'the next page goes on at its token',
    tool: 'get_repository_tree',
    args: { ...P, page_token: 'abc' },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/repository/tree?pagination=keyset&page_token=abc',
        reply: { body: [] }
      }
    ],
    result: []
  },
  {
    title: 'each line has the commit that changed it last, named in full once',
    tool: 'get_file_blame',
    args: { ...file, start_line: 3, end_line: 6 },
    exchanges: [
      {
        request:
          'GET /projects/acme%2Frocket/repository/files/src%2Flaunch%2Ets/blame?ref=HEAD&range%5Bstart%5D=3&range%5Bend%5D=6',
        reply: {
          body: [
            {
              commit: {
                id: 'aaaaaaaaaa',
                message: 'First\n\nmore',
                author_name: 'Ada',
                authored_date: '2026-01-01',
                author_email: 'ada@acme.example'
              },
              lines: ['a', 'b']
            },
            { commit: { id: 'bbbbbbbbbb', message: 'Second', author_name: 'Linus' }, lines: ['c'] },
            { commit: { id: 'aaaaaaaaaa', message: 'First' }, lines: ['d'] }
          ]
        }
      }
    ],
    result: [
      {
        start_line: 3,
        end_line: 4,
        commit: 'aaaaaaaa',
        author_name: 'Ada',
        authored_date: '2026-01-01',
        title: 'First',
        lines: ['a', 'b']
      },
      {
        start_line: 5,
        end_line: 5,
        commit: 'bbbbbbbb',
        author_name: 'Linus',
        title: 'Second',
        lines: ['c']
      },
      { start_line: 6, end_line: 6, commit: 'aaaaaaaa', lines: ['d'] }
    ]
  },
  {
    title: 'lines are given with both ends or not at all',
    tool: 'get_file_blame',
    args: { ...file, start_line: 3 },
    error: "Give 'start_line' and 'end_line' together, or leave both out."
  },
  {
    title: 'an answer in another shape is no fault',
    tool: 'get_file_blame',
    args: { ...file, start_line: 1, end_line: 2 },
    exchanges: [
      {
        request:
          'GET /projects/acme%2Frocket/repository/files/src%2Flaunch%2Ets/blame?ref=HEAD&range%5Bstart%5D=1&range%5Bend%5D=2',
        reply: {
          body: [
            { commit: 'x', lines: 'y' },
            { commit: { id: 5, message: null }, lines: [1, null] }
          ]
        }
      }
    ],
    result: [
      { start_line: 1, end_line: 0, commit: '', title: '', lines: [] },
      { start_line: 1, end_line: 2, commit: '5', title: '', lines: ['1', 'null'] }
    ]
  },
  {
    title: 'a file of more lines than are read at once is to be asked for by lines',
    tool: 'get_file_blame',
    args: file,
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/repository/files/src%2Flaunch%2Ets/blame?ref=HEAD',
        reply: { body: [{ commit: { id: 'a' }, lines: ['x'.repeat(10_000_001)] }] }
      }
    ],
    error: /^The forge's answer is larger than 10 MiB\. Ask for less of it\. Give start_line and end_line\.$/
  },
  {
    title: 'what is not text has no lines',
    tool: 'get_file_blame',
    args: { ...file, ref: 'main' },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/repository/files/src%2Flaunch%2Ets/blame?ref=main',
        reply: { body: [{ commit: { id: 'a' }, lines: ['PK\0\0'] }] }
      }
    ],
    error: '"src/launch.ts" is not text, so it has no lines to blame.'
  },
  {
    title: 'a whole file that is too much is cut at a hunk',
    tool: 'get_file_blame',
    args: file,
    settings: { maxChars: 200 },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/repository/files/src%2Flaunch%2Ets/blame?ref=HEAD',
        reply: {
          body: ['a', 'b'].map(id => ({ commit: { id, message: id }, lines: ['x'.repeat(100)] }))
        }
      }
    ],
    result: [{ start_line: 1, end_line: 1, commit: 'a', title: 'a', lines: ['x'.repeat(100)] }],
    notices: [
      'Result cut at 200 characters: 1 of 2 records are shown. Ask for fewer lines with start_line and end_line.'
    ]
  },
  {
    title: 'a file that one commit wrote is shown up to where there is room',
    tool: 'get_file_blame',
    args: file,
    settings: { maxChars: 1000 },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/repository/files/src%2Flaunch%2Ets/blame?ref=HEAD',
        reply: { body: [{ commit: { id: 'a', message: 'All' }, lines: Array(500).fill('') }] }
      }
    ],
    result: [{ start_line: 1, end_line: 200, commit: 'a', title: 'All', lines: Array(200).fill('') }],
    notices: [
      'Result cut at 1000 characters: 1 of 3 records are shown. Ask for fewer lines with start_line and end_line.'
    ]
  },
  {
    title: 'who gets less than a hunk is told to ask for fewer lines',
    tool: 'get_file_blame',
    args: file,
    settings: { maxChars: 1000 },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/repository/files/src%2Flaunch%2Ets/blame?ref=HEAD',
        reply: { body: [{ commit: { id: 'a' }, lines: Array(150).fill('const x') }] }
      }
    ],
    result: [{ start_line: 1, end_line: 150, commit: 'a', title: '' }],
    notices: [
      'Result cut at 1000 characters: only a part of the record is shown, without "lines". Ask for fewer lines with start_line and end_line.'
    ]
  }
])
