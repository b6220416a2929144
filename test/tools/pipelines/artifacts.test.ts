import { randomBytes } from 'node:crypto'
import { lstat, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import type { ToolContext } from '../../../src/engine/context.ts'
import { DownloadStore } from '../../../src/engine/downloads/store.ts'
import { CallProblem } from '../../../src/results/problem.ts'
import { writeResult } from '../../../src/results/result.ts'
import { listArchive } from '../../../tools/pipelines/archives/archive-listing.ts'
import { readArtifactFile } from '../../../tools/pipelines/archives/artifact-file.ts'
import { ByteTail } from '../../../tools/pipelines/archives/byte-tail.ts'
import { zipEntries } from '../../../tools/pipelines/archives/zip-entries.ts'
import { pipelines } from '../../../tools/pipelines/index.ts'
import { zipOf } from '../../forge/model/zip.ts'
import { inTurns } from '../../support/in-turns.ts'
import { textsOf } from '../../support/texts.ts'
import { type Case, type Exchange, runTable } from '../../support/tool-table.ts'

const args = { project_id: '1', job_id: '7' }
const binary = { 'content-type': 'application/octet-stream' }
const file = (name: string) => ({ name, path: name, type: 'file', size: 1, mode: '100644' })
const missing = { status: 404, body: { message: '404 Not Found' } }

const tree = (query: string, reply: Exchange['reply'] = missing): Exchange => ({
  request: `GET /projects/1/jobs/7/artifacts/tree?${query}per_page=100&page=1`,
  ...(reply !== undefined && { reply })
})
const archived = (body: Buffer | string, headers: object = {}, status = 200): Exchange => ({
  request: 'GET /projects/1/jobs/7/artifacts',
  reply: { status, headers: { ...binary, ...headers }, body }
})

const zip = zipOf({
  'index.html': '<html>',
  'report/junit.xml': '<x/>',
  'report/coverage/lcov.info': 'TN:',
  'reports.txt': 'no'
})
/** Larger than the part of it that is sent. */
const large = zipOf({ 'big.bin': `base64:${randomBytes(200_000).toString('base64')}`, 'small.txt': 'x' })
const crowded = zipOf(Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`file-${at}.txt`, ''])))
/** 250 entries, 25,000 directories. */
const manyDirectories = zipOf(
  Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`${at}${'/a'.repeat(99)}`, '']))
)
const partOf = (archive: Buffer, bytes: number): Exchange => {
  const range = `bytes ${archive.length - bytes}-${archive.length - 1}/${archive.length}`
  return archived(archive.subarray(-bytes), { 'content-range': range }, 206)
}

const inZip = (path: string, size: number) => ({
  name: path.split('/').at(-1),
  path,
  mode: '100644',
  type: 'file',
  size
})
const folder = (path: string) => ({ name: path.split('/').at(-2), path, type: 'directory' })

const list = (title: string, more: Partial<Case>): Case => ({
  title,
  tool: 'list_job_artifacts',
  args,
  ...more
})
const get = (title: string, reply: Exchange['reply'], more: Partial<Case>): Case => ({
  title,
  tool: 'get_job_artifact_file',
  args: { ...args, artifact_path: 'a/b.txt' },
  exchanges: [{ request: 'GET /projects/1/jobs/7/artifacts/a/b.txt', reply: reply! }],
  ...more
})

runTable(pipelines, [
  list('reads the forge’s own listing to its end', {
    args: { ...args, path: '/dist/', recursive: true },
    exchanges: [
      {
        request: 'GET /projects/1/jobs/7/artifacts/tree?recursive=true&path=dist&per_page=100&page=1',
        reply: { body: [file('a')], headers: { 'x-next-page': '2' } }
      },
      {
        request: 'GET /projects/1/jobs/7/artifacts/tree?recursive=true&path=dist&per_page=100&page=2',
        reply: { body: [{ ...file('b'), size: null, mode: null }] }
      }
    ],
    result: [file('a'), { name: 'b', path: 'b', type: 'file' }]
  }),
  list('lists the root of the archive itself on a forge that has no listing', {
    exchanges: [tree(''), archived(zip)],
    result: [inZip('index.html', 6), folder('report/'), inZip('reports.txt', 2)]
  }),
  list('does so too when a file called tree stands in for the listing', {
    exchanges: [tree('', { headers: binary, body: 'a file that is called tree' }), archived(zip)],
    result: [inZip('index.html', 6), folder('report/'), inZip('reports.txt', 2)]
  }),
  list('does so too when that file holds JSON, or nothing', {
    exchanges: [tree('', { body: '{"a":1}' }), archived(zip)],
    result: [inZip('index.html', 6), folder('report/'), inZip('reports.txt', 2)]
  }),
  list('lists one directory of the archive', {
    args: { ...args, path: './report/' },
    exchanges: [tree('path=report&'), archived(zip)],
    result: [inZip('report/junit.xml', 4), folder('report/coverage/')]
  }),
  list('lists the archive with everything below a directory', {
    args: { ...args, path: 'report', recursive: true },
    exchanges: [tree('recursive=true&path=report&'), archived(zip)],
    result: [inZip('report/junit.xml', 4), folder('report/coverage/'), inZip('report/coverage/lcov.info', 3)]
  }),
  list('tells of entries whose paths are too long or too deep', {
    exchanges: [
      tree(''),
      archived(zipOf({ [`${'a/'.repeat(32_000)}b`]: '', [`${'a/'.repeat(100)}b`]: '', c: '' }))
    ],
    result: [inZip('c', 0)],
    notices: ['Entries left out, as their paths are longer than 4096 characters or deeper than 100: 2.']
  }),
  list('shows only the directory on the way to a deep entry', {
    exchanges: [tree(''), archived(zipOf({ [`${'a/'.repeat(99)}b`]: '' }))],
    result: [folder('a/')],
    notices: []
  }),
  list('shows each directory on the way once, and one with an entry of its own as that', {
    args: { ...args, recursive: true },
    exchanges: [
      tree('recursive=true&'),
      archived(zipOf({ 'a/b/c': '', 'a/b/': '', 'a/d/': '', 'a/d/e': '' }))
    ],
    result: [
      folder('a/'),
      { ...folder('a/b/'), mode: '100644' },
      inZip('a/b/c', 0),
      { ...folder('a/d/'), mode: '100644' },
      inZip('a/d/e', 0)
    ]
  }),
  list('does not make up directories without end', {
    args: { ...args, recursive: true },
    exchanges: [tree('recursive=true&'), archived(manyDirectories)],
    settings: { maxChars: 10_000_000 },
    notices: ['Only 20000 entries are listed; the archive has more. List one directory.']
  }),
  list('takes the end of the archive where storage gives parts', {
    exchanges: [tree(''), partOf(large, 100_000)],
    result: [inZip('big.bin', 200_000), inZip('small.txt', 1)]
  }),
  list('says that a part without the size of the whole cannot be listed', {
    exchanges: [tree(''), archived(zip.subarray(-400), { 'content-range': 'bytes 0-399/*' }, 206)],
    error: 'The archive cannot be listed: the forge sent no size with it.'
  }),
  list('says so when the archive’s directory is larger than what was read', {
    exchanges: [tree(''), partOf(crowded, 70_000)],
    error: 'The archive cannot be listed: it has too many files, or is damaged.'
  }),
  list('gives an empty list for an empty archive', {
    exchanges: [tree(''), archived(zipOf({}))],
    result: []
  }),
  list('names a directory that neither the forge nor the archive has', {
    args: { ...args, path: 'nowhere' },
    exchanges: [tree('path=nowhere&'), archived(zip)],
    error: 'The archive has no directory "nowhere".'
  }),
  list('says that what it got is no archive', {
    exchanges: [tree(''), archived('this is no zip archive at all')],
    error: /^The archive cannot be listed: "End of central directory record signature not found/
  }),
  list('says why there may be no artifacts', {
    exchanges: [tree(''), { request: 'GET /projects/1/jobs/7/artifacts', reply: missing }],
    error:
      'The forge answered 404 Not Found. Check the path, as list_job_artifacts has it, and job_id, as list_pipeline_jobs does. The job may have no artifacts, or they have expired.'
  }),
  list('does not look into the archive when the forge refuses the listing', {
    exchanges: [tree('', { status: 403, body: { message: '403 Forbidden' } })],
    error: /^The forge answered 403 Forbidden/
  }),
  list('refuses a directory that climbs out of the archive', {
    args: { ...args, path: 'report/../..' },
    error: 'path must not contain "..".'
  }),
  get('gives text as text', { headers: binary, body: 'héllo\n' }, { text: 'héllo\n' }),
  {
    title: 'gives a web page as text where it is what was asked for',
    tool: 'get_job_artifact_file',
    args: { ...args, artifact_path: 'a/index.html' },
    exchanges: [
      {
        request: 'GET /projects/1/jobs/7/artifacts/a/index.html',
        reply: { headers: { 'content-type': 'text/html' }, body: '<html>' }
      }
    ],
    text: '<html>'
  },
  get(
    'does not take a login page for a file that is none',
    { headers: { 'content-type': 'text/html' }, body: '<!doctype html>\n<title>Sign in</title>' },
    { error: /^The forge answered with a web page instead of what was asked for: / }
  ),
  get('gives JSON as it stands in the file', { body: '{ "a": null }' }, { text: '{ "a": null }' }),
  get(
    'gives what is no UTF-8 as base64 with its type and size',
    {
      headers: { 'content-type': 'image/PNG; charset=binary' },
      body: Buffer.from([0x89, 0x50, 0x4e, 0x47])
    },
    {
      result: { path: 'a/b.txt', size: 4, mime_type: 'image/png', base64: 'iVBORw==' }
    }
  ),
  get(
    'takes text with a NUL for binary, and a type that is none for no type',
    {
      headers: { 'content-type': '???' },
      body: Buffer.from('a\0b')
    },
    {
      result: { path: 'a/b.txt', size: 3, mime_type: 'application/octet-stream', base64: 'YQBi' }
    }
  ),
  get('gives an empty file as empty text', { headers: binary, body: '' }, { text: '' }),
  get(
    'cuts long text and says so',
    { headers: binary, body: 'x'.repeat(1500) },
    {
      settings: { maxChars: 1000 },
      text: 'x'.repeat(1000),
      notices: ['Result cut at 1000 of 1500 characters. The rest cannot be had through this tool.']
    }
  ),
  get(
    'tells how long a text is of which much is not kept',
    { headers: binary, body: '\u00e9'.repeat(300_000) },
    {
      settings: { maxChars: 1000 },
      text: 'é'.repeat(1000),
      notices: ['Result cut at 1000 of 300000 characters. The rest cannot be had through this tool.']
    }
  ),
  get(
    'shows as much base64 as there is room for',
    { headers: binary, body: Buffer.alloc(1200) },
    {
      settings: { maxChars: 2000 },
      result: {
        path: 'a/b.txt',
        size: 1200,
        mime_type: 'application/octet-stream',
        base64: Buffer.alloc(1200).toString('base64')
      }
    }
  ),
  ...[1201, 300_000].map(size =>
    get(
      `shows nothing of ${size} bytes that turn out at their end to be no text`,
      { headers: binary, body: Buffer.concat([Buffer.alloc(size - 1, 97), Buffer.from([0xc3])]) },
      {
        settings: { maxChars: 2000 },
        error: `The file has ${size} bytes, too many for a result. Save the archive with download_job_artifacts instead.`
      }
    )
  ),
  get(
    'does not cut base64, which would be of no use',
    { headers: binary, body: Buffer.alloc(2000) },
    {
      settings: { maxChars: 2000 },
      error:
        'The file has 2000 bytes, too many for a result. Save the archive with download_job_artifacts instead.'
    }
  ),
  get(
    'does not read a file of any size',
    { headers: binary, body: Buffer.alloc(10 * 1024 ** 2 + 1, 97) },
    {
      error: /^The file has more than 10485760 bytes, too many for a result/
    }
  ),
  get(
    'encodes every part of the path once',
    { headers: binary, body: 'x' },
    {
      args: { ...args, artifact_path: 'a b/ü?#%41.txt' },
      exchanges: [
        {
          request: 'GET /projects/1/jobs/7/artifacts/a%20b/%C3%BC%3F%23%2541.txt',
          reply: { headers: binary, body: 'x' }
        }
      ],
      text: 'x'
    }
  ),
  ...['../secret', 'a/../../b', 'a/%2e%2e/b', '/etc/passwd', 'a//b', './a', 'a\\..\\b'].map(
    (artifact_path): Case => ({
      title: `refuses to climb with ${artifact_path}`,
      tool: 'get_job_artifact_file',
      args: { ...args, artifact_path },
      error: /^artifact_path has /
    })
  ),
  {
    title: 'needs a path',
    tool: 'get_job_artifact_file',
    args,
    error: 'Invalid arguments: artifact_path is required.'
  },
  ...[
    '/etc',
    '../x',
    'a/../b',
    'a\\b',
    '~/x',
    'C:x',
    'a\u0000b',
    'a\u200bb',
    'a\ud800b',
    'd/'.repeat(11)
  ].map(
    (local_path): Case => ({
      title: `refuses to save in ${JSON.stringify(local_path)} before anything is asked for`,
      tool: 'download_job_artifacts',
      args: { ...args, local_path },
      error: /^local_path /
    })
  )
])

const downloadDir = await mkdtemp(join(tmpdir(), 'artifacts-'))
t.teardown(() => rm(downloadDir, { recursive: true }))
const ada = DownloadStore.nameFor('ada')
const own = join(downloadDir, ada)
await mkdir(join(own, 'taken'), { recursive: true })
await symlink(tmpdir(), join(own, 'link'))
await writeFile(join(own, 'file'), '')
await symlink('/nonexistent/x', join(own, 'taken', 'artifacts_job_7.zip'))
const save = (title: string, local_path: string | undefined, exchanges: Exchange[], more: Partial<Case>) => ({
  title,
  tool: 'download_job_artifacts',
  args: { ...args, ...(local_path !== undefined && { local_path }) },
  exchanges,
  settings: { downloadDir },
  ...more
})
const saved = (path: string, folder = ada) => ({
  success: true,
  file_path: `${folder}/${path}`,
  size: zip.length
})
runTable(pipelines, [
  save('saves the archive in the download folder', undefined, [archived(zip)], {
    result: saved('artifacts_job_7.zip')
  }),
  save('saves it in folders below, which it makes', './new/deep/', [archived(zip)], {
    result: saved('new/deep/artifacts_job_7.zip')
  }),
  save('keeps the files of callers apart', undefined, [archived(zip)], {
    settings: { downloadDir, caller: 'ben' },
    result: saved('artifacts_job_7.zip', DownloadStore.nameFor('ben'))
  }),
  save('does not overwrite: what is saved again gets a name of its own', undefined, [archived(zip)], {
    result: saved('artifacts_job_7-2.zip')
  }),
  save('does not write through a link to a folder', 'link', [archived(zip)], {
    error: `${ada}/link is not a folder, or is a link. Choose another.`
  }),
  save('does not write through a link to a file', 'taken', [archived(zip)], {
    result: saved('taken/artifacts_job_7-2.zip')
  }),
  save('does not take a file for a folder', 'file/deep', [archived(zip)], {
    error: `${ada}/file is not a folder, or is a link. Choose another.`
  }),
  save(
    'makes nothing when there are no artifacts',
    'none',
    [{ request: 'GET /projects/1/jobs/7/artifacts', reply: missing }],
    {
      error: /The job may have no artifacts, or they have expired\.$/
    }
  ),
  save('keeps nothing of an empty answer', 'empty', [archived('')], {
    error: 'The forge sent an empty archive. Nothing was saved.'
  }),
  save(
    'keeps nothing of an archive that arrives damaged',
    'damaged',
    [archived('x', { 'content-encoding': 'gzip' })],
    {
      error: 'The forge sent a damaged gzip body.'
    }
  ),
  ...['{"message":"soon"}', 'P', 'PK'].map(body =>
    save(`keeps nothing of what is no archive: ${body}`, 'other', [archived(body)], {
      error: 'The forge sent something else than a zip archive. Nothing was saved.'
    })
  ),
  save('saves an archive without files', 'bare', [archived(zipOf({}))], {
    result: { ...saved('bare/artifacts_job_7.zip'), size: zipOf({}).length }
  }),
  save('does not save a login page', 'page', [archived('<html>', { 'content-type': 'text/html' })], {
    error: /web page/
  }),
  save('says whose the trouble is when there is no download folder', undefined, [archived(zip)], {
    settings: {},
    error: /^FORGE_DOWNLOAD_DIR cannot be written \(ENOTDIR\)/
  })
])
t.test('what lies in the download folder afterwards', async t => {
  t.same(await readFile(join(own, 'artifacts_job_7.zip')), zip)
  t.equal((await lstat(join(own, 'artifacts_job_7.zip'))).mode & 0o777, 0o600)
  t.same((await readdir(own)).sort(), [
    'artifacts_job_7-2.zip',
    'artifacts_job_7.zip',
    'bare',
    'file',
    'link',
    'new',
    'taken'
  ])
})

t.test('a download that fails midway leaves nothing behind', async t => {
  const root = await mkdtemp(join(tmpdir(), 'artifacts-'))
  t.teardown(() => rm(root, { recursive: true }))
  const folder = new DownloadStore({ root, limits: undefined, now: Date.now }).of('ada')
  const failing = async function* () {
    yield Buffer.from('part')
    throw new Error('the connection is gone')
  }
  await t.rejects(folder.save(['a'], 'x.zip', failing()), new Error('the connection is gone'))
  t.same(await readdir(join(root, 'a')), [])
})

t.test('a folder that goes with a download that fails is made again for one that begins', async t => {
  const root = await mkdtemp(join(tmpdir(), 'artifacts-'))
  t.teardown(() => rm(root, { recursive: true }))
  const limits = { caller: 2 ** 30, all: 2 ** 30, keepMs: 3_600_000 }
  const folder = new DownloadStore({ root, limits, now: Date.now }).of('ada')
  const fine = async function* () {
    yield Buffer.from('PK')
  }
  for (let at = 0; at < 100; at++) {
    let beginning: Promise<unknown> | undefined
    const failing = async function* () {
      yield Buffer.from('part')
      beginning = folder.save([`${at}`, 'a', 'b'], 'y.zip', fine())
      // Each time one other step of it meets the folders as they go.
      for (let turns = at % 10; turns > 0; turns--) await new Promise(setImmediate)
      throw new Error('the connection is gone')
    }
    await t.rejects(folder.save([`${at}`, 'a', 'b'], 'x.zip', failing()))
    await beginning
  }
})

t.test('one person’s own downloads lie where they say, and their whole path is told', async t => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'artifacts-')))
  t.teardown(() => rm(root, { recursive: true }))
  const folder = new DownloadStore({ root, limits: undefined, now: Date.now }).of('ada')
  const bytes = async function* () {
    yield Buffer.from('PK')
  }
  t.same(await folder.save(['a'], 'x.zip', bytes()), { path: join(root, 'a', 'x.zip'), size: 2 })
})

t.test('the end of an archive counts for the call', async t => {
  const held: number[] = []
  const tail = zipOf({ a: 'x' })
  const answer = {
    status: 200,
    headers: {},
    async *body(reader: { readonly heldBytes: number }) {
      yield tail
      held.push(reader.heldBytes)
    }
  }
  const forge = {
    stream: (_request: unknown, read: (given: typeof answer) => unknown) => read(answer),
    keep: () => {},
    ...inTurns
  }
  await listArchive(forge as never, { path: '/a', template: '/a' }, '', false)
  t.same(held, [64 * 1024])
})

t.test('entries of an archive', async t => {
  const uncounted = { ...inTurns, keep: () => {} }
  await t.test('are read from its end alone, with directories of their own', async t => {
    const archive = zipOf({ 'a/': '', 'a/b': 'x' })
    const { entries, more } = await zipEntries(archive.subarray(-200), archive.length, uncounted)
    t.same(entries, [
      { path: 'a/', size: 0, mode: '100644' },
      { path: 'a/b', size: 1, mode: '100644' }
    ])
    t.equal(more, false)
  })
  await t.test('of which there are too many are counted', async t => {
    const names = Object.fromEntries(Array.from({ length: 20_001 }, (_, at) => [`${at}`, '']))
    const archive = zipOf(names)
    const { entries, more } = await zipEntries(archive, archive.length, uncounted)
    t.equal(entries.length, 20_000)
    t.equal(more, true)
  })
  await t.test('count with their paths as they are read, until there is no room for them', async t => {
    const names = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, at) => [`${'a'.repeat(96)}${at + 1000}`, ''])
    )
    const archive = zipOf(names)
    let kept = 0
    const counted = (keep: (bytes: number) => void) => ({ ...inTurns, keep })
    await zipEntries(
      archive,
      archive.length,
      counted(bytes => {
        kept += bytes
      })
    )
    t.equal(kept, 2_000 * 300)
    kept = 0
    const full = new Error('too much')
    const keep = (bytes: number) => {
      kept += bytes
      if (kept > 200_000) throw full
    }
    await t.rejects(zipEntries(archive, archive.length, counted(keep)), full)
    t.equal(kept, 1_000 * 300, 'nothing was read after that')
  })
  await t.test('that climb make an archive unusable', async t => {
    const archive = zipOf({ '../x': 'x' })
    await t.rejects(
      zipEntries(archive, archive.length, uncounted),
      new CallProblem('The archive cannot be listed: "invalid relative path: ../x".')
    )
  })
})

t.test('the last bytes of a stream are the same however it is divided', async t => {
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251))
  for (const size of [1, 999, 70_000, 300_000]) {
    const tail = new ByteTail(100_000)
    for (let at = 0; at < bytes.length; at += size) tail.push(bytes.subarray(at, at + size))
    t.equal(tail.total, bytes.length)
    t.ok(tail.bytes().equals(bytes.subarray(-100_000)), `in parts of ${size} bytes`)
  }
  const short = new ByteTail(100)
  short.push(Buffer.from('abc'))
  t.equal(short.bytes().toString(), 'abc')
})

t.test('a file of an archive that is cut does not end within credentials in a URL', async t => {
  const file = `git clone https://ada:s3cret@forge.example/x ${'y'.repeat(10_000)}`
  async function* body() {
    yield Buffer.from(file)
  }
  const forge = { stream: (_: unknown, read: (answer: object) => unknown) => read({ headers: {}, body }) }
  for (let maxChars = 10; maxChars < 50; maxChars++) {
    const context = { forge, maxChars } as unknown as ToolContext
    const output = await readArtifactFile(context, { path: '', template: '' }, 'a')
    const tool = { inputs: new Set<string>(), structured: false, class: 'read', record: undefined } as const
    t.notMatch(
      textsOf(writeResult(output, { output: 'compact', maxChars }, tool))[0],
      /ada|s3c/,
      `${maxChars}`
    )
  }
})
