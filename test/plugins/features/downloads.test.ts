import { mkdir, mkdtemp, open, readdir, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { listen } from '../../support/listen.ts'
import { captureLog } from '../../support/log.ts'
import { call, OTHER_TOKEN, post, TOKEN, testServer } from '../../support/server.ts'

/** How a zip archive begins. */
const beginning = 'PK\u0003\u0004'

t.test('callers and forges have folders of their own for downloads', async t => {
  const downloads = await mkdtemp(join(tmpdir(), 'downloads-'))
  t.teardown(() => rm(downloads, { recursive: true }))
  const [home, other] = await Promise.all(
    ['home', 'other'].map(name =>
      listen(t, (_request, response) => {
        response.setHeader('content-type', 'application/zip')
        response.end(`${beginning}${name}`)
      })
    )
  )
  const server = await testServer(t, {
    FORGE_API_URL: home!,
    ENABLE_DYNAMIC_API_URL: 'true',
    FORGE_TOOLSETS: 'pipelines',
    FORGE_DOWNLOAD_DIR: downloads
  })
  const body = call('download_job_artifacts', { project_id: '1', job_id: '5' })
  const save = async (token: string, headers = {}) => {
    const { result } = (await post(server, { token, headers, body })).json()
    t.notOk(result.isError, result.content[0].text)
    return JSON.parse(result.content[0].text).file_path as string
  }
  const paths = [await save(TOKEN), await save(OTHER_TOKEN), await save(TOKEN, { 'x-forge-api-url': other! })]
  for (const path of paths) t.match(path, /^[0-9a-f]{16}-[0-9a-f]{16}\/artifacts_job_5\.zip$/)
  t.same((await readdir(downloads)).sort(), paths.map(path => path.split('/')[0]).sort())
})

t.test('a forge is the same for downloads in all spellings of FORGE_API_URL', async t => {
  const downloads = await mkdtemp(join(tmpdir(), 'downloads-'))
  t.teardown(() => rm(downloads, { recursive: true }))
  const home = await listen(t, (_request, response) => {
    response.setHeader('content-type', 'application/zip')
    response.end(beginning)
  })
  const body = call('download_job_artifacts', { project_id: '1', job_id: '5' })
  for (const FORGE_API_URL of [home, `${home}/`, `${home}/api/v4`]) {
    const settings = { FORGE_API_URL, FORGE_TOOLSETS: 'pipelines', FORGE_DOWNLOAD_DIR: downloads }
    const server = await testServer(t, settings)
    t.notOk((await post(server, { body })).json().result.isError)
    await server.close()
  }
  t.equal((await readdir(downloads)).length, 1)
})

t.test(
  'a place that cannot be written to is told to the operator, and long names of callers or broken answers are not',
  async t => {
    const downloads = await mkdtemp(join(tmpdir(), 'downloads-'))
    const home = await listen(t, ({ url, socket }, response) => {
      response.writeHead(200, { 'content-type': 'application/zip', 'content-length': '10' })
      if (url!.includes('/5/')) response.end(`${beginning} a zip`)
      else response.write('PK', () => socket.resetAndDestroy())
    })
    const log = captureLog()
    const settings = {
      FORGE_API_URL: home,
      FORGE_TOOLSETS: 'pipelines',
      FORGE_DOWNLOAD_DIR: downloads,
      LOG_LEVEL: 'info'
    }
    const server = await testServer(t, settings, log.stream)
    const save = async (local_path: string, job_id = '5') => {
      const body = call('download_job_artifacts', { project_id: '1', job_id, local_path })
      return (await post(server, { body })).json().result
    }
    t.match(await save('x'.repeat(300)), { isError: true, content: [{ text: /ENAMETOOLONG/ }] })
    t.match(await save('logs', '6'), {
      isError: true,
      content: [{ text: /broke in the middle of its answer/ }]
    })
    t.same(log.lines('archives cannot be saved'), [])
    const counted = async () => {
      const { body } = await server.inject({ url: '/metrics', query: { format: 'prometheus' } })
      return /_archives_not_saved_total (\d+)/.exec(body)?.[1]
    }
    t.equal(await counted(), '0')
    await rm(downloads, { recursive: true })
    t.match(await save('logs'), {
      isError: true,
      content: [{ text: /FORGE_DOWNLOAD_DIR cannot be written/ }]
    })
    t.match(log.lines('archives cannot be saved'), [{ level: 50, errno: 'ENOENT', says: /no such file/ }])
    t.equal(await counted(), '1')
    t.same(
      log.lines('tool call').map(({ reason }) => reason),
      [undefined, undefined, 'the archive cannot be saved (ENOENT)'],
      'the line of the call says so, of no other failure'
    )
  }
)

t.test('downloads that fail leave no folders behind, which nothing counts', async t => {
  const downloads = await folderFor(t)
  const home = await listen(t, ({ url, socket }, response) => {
    response.writeHead(200, { 'content-type': 'application/zip', 'content-length': '10' })
    if (url!.includes('/5/')) response.end(`${beginning} a zip`)
    else response.write('PK', () => socket.resetAndDestroy())
  })
  const server = await testServer(t, {
    FORGE_API_URL: home,
    FORGE_TOOLSETS: 'pipelines',
    FORGE_DOWNLOAD_DIR: downloads
  })
  const save = async (local_path: string, job_id: string) => {
    const body = call('download_job_artifacts', { project_id: '1', job_id, local_path })
    return (await post(server, { body })).json().result.isError === true
  }
  t.ok(await save('a/b/c', '6'))
  t.ok(await save(`a/b/${'x'.repeat(300)}`, '5'), 'a name that no folder can have, below others')
  t.same(await readdir(downloads), [])
  t.notOk(await save('a/b', '5'))
  t.ok(await save('a/b/c', '6'))
  const [owner] = await readdir(downloads)
  t.same(await readdir(join(downloads, owner!, 'a/b')), ['artifacts_job_5.zip'], 'what has a file stays')
})

const MIB = 1024 * 1024

/** What passes for a zip archive, of so many MiB. */
const archiveOf = (mib: number) => Buffer.concat([Buffer.from(beginning)], mib * MIB)

const folderFor = async (t: Test) => {
  const folder = await mkdtemp(join(tmpdir(), 'downloads-'))
  t.teardown(() => rm(folder, { recursive: true }))
  return folder
}

/** Bytes and names of all files below a folder. */
const contentOf = async (folder: string) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile())
  const sizes = await Promise.all(
    files.map(async ({ name, parentPath }) => (await stat(join(parentPath, name))).size)
  )
  return { names: files.map(({ name }) => name).sort(), bytes: sizes.reduce((sum, size) => sum + size, 0) }
}

/** A forge whose archives are small on the wire: the job's id is how many MiB there are of it. */
const bombForge = (t: Test) =>
  listen(t, (request, response) => {
    const size = Number(/jobs\/(\d+)/.exec(request.url ?? '')?.[1]) % 100
    response.writeHead(200, { 'content-type': 'application/zip', 'content-encoding': 'gzip' })
    response.end(gzipSync(archiveOf(size)))
  })

/** Archives of that forge are saved in a folder, within limits. */
const savingIn = async (t: Test, FORGE_DOWNLOAD_DIR: string, limits: Record<string, string> = {}) => ({
  FORGE_API_URL: await bombForge(t),
  FORGE_TOOLSETS: 'pipelines',
  FORGE_DOWNLOAD_DIR,
  ...limits
})

const download = (job_id: string) => call('download_job_artifacts', { project_id: '1', job_id })

t.test('without a folder for them there are no downloads over HTTP', async t => {
  const server = await testServer(t, { FORGE_TOOLSETS: 'pipelines' })
  const listed = (await post(server, { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })).json().result
  t.notOk(listed.tools.some(({ name }: { name: string }) => name === 'download_job_artifacts'))
  const { result } = (await post(server, { body: download('1') })).json()
  t.equal(
    result.content[0].text,
    'download_job_artifacts is switched off: this server has no folder for downloads (FORGE_DOWNLOAD_DIR).'
  )
})

t.test('nothing is saved where only reading is allowed', async t => {
  const FORGE_DOWNLOAD_DIR = await folderFor(t)
  const settings = await savingIn(t, FORGE_DOWNLOAD_DIR)
  const refusal = 'download_job_artifacts writes a file, and only reading is allowed here.'
  const server = await testServer(t, { ...settings, FORGE_READ_ONLY_MODE: 'true' })
  t.equal((await post(server, { body: download('1') })).json().result.content[0].text, refusal)
  const open = await testServer(t, settings)
  const narrowed = await post(open, { body: download('1'), headers: { 'x-forge-readonly': 'true' } })
  t.equal(
    narrowed.json().result.content[0].text,
    refusal.replace(/\.$/, ' (by X-Forge-Readonly of this request).')
  )
  t.same(await readdir(FORGE_DOWNLOAD_DIR), [])
})

t.test('archives that are small on the wire fill no disk', async t => {
  const FORGE_DOWNLOAD_DIR = await folderFor(t)
  const limits = { FORGE_DOWNLOAD_QUOTA_MB: '8', FORGE_DOWNLOAD_TOTAL_MB: '12' }
  const server = await testServer(t, await savingIn(t, FORGE_DOWNLOAD_DIR, limits))
  const save = async (job: string, token = TOKEN) =>
    (await post(server, { body: download(job), token })).json().result.content[0].text as string
  for (const job of ['103', '203', '303']) t.match(await save(job), '"success":true')
  t.same(
    (await contentOf(FORGE_DOWNLOAD_DIR)).names,
    ['artifacts_job_203.zip', 'artifacts_job_303.zip'],
    'the oldest made room'
  )
  t.equal(
    await save('150'),
    'This server keeps 8 MiB of archives for a caller and 12 MiB in all, and this one does not fit. Nothing was saved.'
  )
  t.ok((await contentOf(FORGE_DOWNLOAD_DIR)).bytes <= 8 * MIB)
  for (const job of ['403', '503']) t.match(await save(job), '"success":true')
  for (const job of ['603', '703', '801']) t.match(await save(job, OTHER_TOKEN), '"success":true')
  const { names, bytes } = await contentOf(FORGE_DOWNLOAD_DIR)
  t.ok(bytes <= 12 * MIB, `${bytes}`)
  t.same(
    names.filter(name => /[678]0/.test(name)),
    ['artifacts_job_603.zip', 'artifacts_job_703.zip', 'artifacts_job_801.zip']
  )
})

t.test('downloads at the same time share one quota', async t => {
  const FORGE_DOWNLOAD_DIR = await folderFor(t)
  const server = await testServer(t, {
    FORGE_API_URL: await bombForge(t),
    FORGE_TOOLSETS: 'pipelines',
    FORGE_DOWNLOAD_DIR,
    FORGE_DOWNLOAD_QUOTA_MB: '8'
  })
  await Promise.all(['105', '205', '305', '405'].map(job => post(server, { body: download(job) })))
  const { names, bytes } = await contentOf(FORGE_DOWNLOAD_DIR)
  t.ok(bytes <= 8 * MIB, `${bytes}`)
  t.notOk(names.some(name => name.endsWith('.part')))
})

t.test('downloads that never end make room for others, and give up their own alone', async t => {
  const FORGE_DOWNLOAD_DIR = await folderFor(t)
  const forge = await listen(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/zip' })
    response.write(archiveOf(3.5))
  })
  const limits = { FORGE_DOWNLOAD_QUOTA_MB: '8', FORGE_DOWNLOAD_TOTAL_MB: '12' }
  const settings = await savingIn(t, FORGE_DOWNLOAD_DIR, limits)
  const server = await testServer(t, { ...settings, ENABLE_DYNAMIC_API_URL: 'true' })
  const save = async (job: string, remoteAddress: string, token = TOKEN, headers = {}) =>
    (await post(server, { body: download(job), remoteAddress, token, headers })).json().result.content[0]
      .text as string
  const arrival = async (name: string, bytes: number) => {
    for (;;) {
      // A folder of one that makes room may go while they are read.
      const paths = await readdir(FORGE_DOWNLOAD_DIR, { recursive: true }).catch(() => [])
      const path = paths.find(path => path.endsWith(name))
      const { size } = await stat(join(FORGE_DOWNLOAD_DIR, path ?? '')).catch(() => ({ size: 0 }))
      if (path !== undefined && size > bytes) return
      await new Promise(resolve => setTimeout(resolve, 5))
    }
  }
  t.match(await save('103', '192.0.2.2'), '"success":true')
  const ends: Promise<string>[] = []
  for (const job of ['204', '304', '404']) {
    const token = `glpat-made-up-made-up-${job}`
    ends.push(save(job, '192.0.2.1', token, { 'x-forge-api-url': forge }))
    await arrival(`artifacts_job_${job}.zip.part`, 3 * MIB)
  }
  t.match(await save('502', '192.0.2.3', OTHER_TOKEN), '"success":true', 'the next caller is not refused')
  t.same((await contentOf(FORGE_DOWNLOAD_DIR)).names, [
    'artifacts_job_103.zip',
    'artifacts_job_404.zip.part',
    'artifacts_job_502.zip'
  ])
  const says =
    'This server keeps 8 MiB of archives for a caller and 12 MiB in all, and this one made room for newer ones. Nothing was saved.'
  t.same(await Promise.all(ends.slice(0, 2)), [says, says])
  t.equal((await readdir(FORGE_DOWNLOAD_DIR)).length, 3, 'and no folder is left of them')
})

t.test('on a disk smaller than the limits an older archive makes room, and the log says so once', async t => {
  const FORGE_DOWNLOAD_DIR = await folderFor(t)
  const log = captureLog()
  const settings = await savingIn(t, FORGE_DOWNLOAD_DIR, { LOG_LEVEL: 'info' })
  const server = await testServer(t, settings, log.stream)
  const save = async (job: string) =>
    (await post(server, { body: download(job) })).json().result.content[0].text as string
  for (const job of ['105', '205']) t.match(await save(job), '"success":true')
  const file = await open(FORGE_DOWNLOAD_DIR)
  const files = Object.getPrototypeOf(file)
  const { write } = files
  await file.close()
  let full = 1
  t.intercept(files, 'write', {
    value(this: unknown, ...given: unknown[]) {
      if (full-- > 0) throw Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'write' })
      return write.apply(this, given)
    }
  })
  t.match(await save('305'), '"success":true')
  t.same((await contentOf(FORGE_DOWNLOAD_DIR)).names, ['artifacts_job_205.zip', 'artifacts_job_305.zip'])
  t.match(log.lines('the disk of the download folder is full, an older archive has made room'), [
    { level: 40, errno: 'ENOSPC', advice: /FORGE_DOWNLOAD_TOTAL_MB/ }
  ])
  t.same(log.lines('archives cannot be saved'), [])
})

const [ada, ben] = ['0123456789abcdef', 'fedcba9876543210'] as const

/** A file that was last written to so many hours ago. */
const placeIn = (folder: string) => async (owner: string, name: string, mib: number, hours: number) => {
  const path = join(folder, owner, name)
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, Buffer.alloc(mib * MIB))
  const time = new Date(Date.now() - hours * 3_600_000)
  await utimes(path, time, time)
}

t.test('a start cleans up what was left behind', async t => {
  const FORGE_DOWNLOAD_DIR = await folderFor(t)
  const place = placeIn(FORGE_DOWNLOAD_DIR)
  await place(ada, 'a/artifacts_job_1.zip', 3, 3)
  await place(ada, 'artifacts_job_2.zip', 3, 2)
  await place(ada, 'artifacts_job_3.zip', 3, 1)
  await place(ada, 'artifacts_job_4.zip.part', 1, 1)
  await place(ada, 'artifacts_job_5.zip.part', 1, 0)
  await place(ben, 'deep/er/artifacts_job_6.zip', 1, 30)
  await place('not-ours', 'x.zip', 20, 1000)
  const log = captureLog()
  const settings = { FORGE_DOWNLOAD_DIR, FORGE_DOWNLOAD_QUOTA_MB: '8', LOG_LEVEL: 'info' }
  await testServer(t, settings, log.stream)
  t.same((await readdir(FORGE_DOWNLOAD_DIR)).sort(), [ada, 'not-ours'], 'too old, and its folders with it')
  t.same((await readdir(join(FORGE_DOWNLOAD_DIR, ada))).sort(), [
    'artifacts_job_2.zip',
    'artifacts_job_3.zip',
    'artifacts_job_5.zip.part'
  ])
  t.match(log.lines('archives removed from the download folder'), [{ level: 30, files: 3 }])
})

t.test('files that the service has not written stay, though they lie where a caller’s would', async t => {
  const FORGE_DOWNLOAD_DIR = await folderFor(t)
  const names = [
    'artifacts_job_1.zip.bak',
    'artifacts_job_x.zip',
    'my_artifacts_job_1.zip',
    'notes.txt',
    'x.part'
  ]
  for (const name of names) await placeIn(FORGE_DOWNLOAD_DIR)(ada, name, 2, 1000)
  const settings = await savingIn(t, FORGE_DOWNLOAD_DIR, { FORGE_DOWNLOAD_TOTAL_MB: '1' })
  const server = await testServer(t, settings)
  for (const body of [download('101'), download('101')]) await post(server, { body })
  t.same((await contentOf(FORGE_DOWNLOAD_DIR)).names, [...names, 'artifacts_job_101.zip'].sort())
  await placeIn(FORGE_DOWNLOAD_DIR)(ben, 'artifacts_job_2-17.zip', 0, 1000)
  await testServer(t, settings)
  t.notOk((await readdir(FORGE_DOWNLOAD_DIR)).includes(ben), 'what it has numbered is its own')
})

t.test('nothing is removed through a link that leads out of the folder', async t => {
  const [FORGE_DOWNLOAD_DIR, outside] = [await folderFor(t), await folderFor(t)]
  const names = ['artifacts_job_1.zip', 'artifacts_job_2.zip.part']
  for (const name of names) await placeIn(outside)('deep', name, 0, 1000)
  await symlink(join(outside, 'deep'), join(FORGE_DOWNLOAD_DIR, ada))
  await mkdir(join(FORGE_DOWNLOAD_DIR, ben))
  await symlink(join(outside, 'deep'), join(FORGE_DOWNLOAD_DIR, ben, 'deep'))
  await testServer(t, { FORGE_DOWNLOAD_DIR })
  t.same((await contentOf(outside)).names, names)
})

t.test('what makes room is not removed through a link that took its folder’s place', async t => {
  const [folder, outside] = [await folderFor(t), await folderFor(t)]
  const FORGE_DOWNLOAD_DIR = join(folder, ada)
  await placeIn(FORGE_DOWNLOAD_DIR)(ben, 'a/artifacts_job_1.zip', 3, 0)
  const settings = await savingIn(t, FORGE_DOWNLOAD_DIR, { FORGE_DOWNLOAD_TOTAL_MB: '4' })
  const server = await testServer(t, settings)
  await rename(join(FORGE_DOWNLOAD_DIR, ben, 'a'), join(outside, 'a'))
  await symlink(join(outside, 'a'), join(FORGE_DOWNLOAD_DIR, ben, 'a'))
  await post(server, { body: download('103') })
  t.same((await contentOf(outside)).names, ['artifacts_job_1.zip'])
  t.match((await contentOf(FORGE_DOWNLOAD_DIR)).names, ['artifacts_job_103.zip'])
})

t.test('the folder of all callers stays when its last file goes, wherever it lies', async t => {
  const FORGE_DOWNLOAD_DIR = join(await folderFor(t), ada, 'downloads')
  await placeIn(FORGE_DOWNLOAD_DIR)(ben, 'artifacts_job_1.zip', 0, 1000)
  await testServer(t, { FORGE_DOWNLOAD_DIR })
  t.same(await readdir(FORGE_DOWNLOAD_DIR), [])
})
