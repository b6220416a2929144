import fs, { mkdir, mkdtemp, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { DownloadStore } from '../../src/engine/downloads/store.ts'

const MIB = 1024 * 1024
const limits = { caller: 3 * MIB, all: 6 * MIB, keepMs: 3_600_000 }

async function* archive(mib: number) {
  yield Buffer.alloc(mib * MIB)
}

t.test('after a restart an address still makes room for itself, as however many callers', async t => {
  const root = await mkdtemp(join(tmpdir(), 'downloads-'))
  t.teardown(() => rm(root, { recursive: true }))
  const save = (store: DownloadStore, caller: string, from: string, mib: number) =>
    store.of(caller, from).save([], 'artifacts_job_1.zip', archive(mib))
  const place = { root, limits, now: Date.now }
  const before = new DownloadStore(place)
  const { path } = await save(before, 'ada', '192.0.2.2', 2)
  for (let at = 0; at < 4; at++) await save(before, `made up ${at}`, '192.0.2.1', 1)
  const after = new DownloadStore(place)
  await after.sweep()
  await save(after, 'made up later', '192.0.2.1', 1)
  t.ok(await stat(join(root, path)).catch(() => undefined))
})

t.test('what a process has left in the middle takes room of its caller until it is removed', async t => {
  const root = await mkdtemp(join(tmpdir(), 'downloads-'))
  t.teardown(() => rm(root, { recursive: true }))
  const own = join(root, DownloadStore.nameFor('ada'))
  await mkdir(own)
  await writeFile(join(own, 'artifacts_job_1.zip.part'), Buffer.alloc(2 * MIB))
  const store = new DownloadStore({ root, limits, now: () => Date.now() + 1000 })
  await store.sweep()
  await store.of('ada').save([], 'artifacts_job_2.zip', archive(2))
  t.same(await readdir(own), ['artifacts_job_2.zip'])
})

t.test('a download that has not begun to arrive holds no folder', async t => {
  const root = await mkdtemp(join(tmpdir(), 'downloads-'))
  t.teardown(() => rm(root, { recursive: true }))
  let begin = () => {}
  const saved = new DownloadStore({ root, limits, now: Date.now })
    .of('ada')
    .save(['a', 'b'], 'artifacts_job_1.zip', late(new Promise(resolve => (begin = resolve))))
  await new Promise(resolve => setTimeout(resolve, 5))
  t.same(await readdir(root), [])
  begin()
  t.match(await saved, { size: MIB })
})

t.test('where the folder is away, and what has to make room with it, the operator is named', async t => {
  const root = await mkdtemp(join(tmpdir(), 'downloads-'))
  t.teardown(() => rm(`${root}-away`, { recursive: true }))
  const ada = new DownloadStore({ root, limits, now: Date.now }).of('ada')
  await ada.save([], 'artifacts_job_1.zip', archive(2))
  await rename(root, `${root}-away`)
  await t.rejects(ada.save([], 'artifacts_job_2.zip', archive(2)), {
    message: "FORGE_DOWNLOAD_DIR cannot be written (ENOENT): the server's operator can change that."
  })
})

async function* late(begun: Promise<void>) {
  await begun
  yield Buffer.alloc(MIB)
}

/** Puts something else in the place of a function of the file system. */
function replace(t: Test, name: 'mkdir' | 'open' | 'statfs', by: (...given: unknown[]) => Promise<unknown>) {
  const real = fs[name]
  Object.assign(fs, { [name]: by })
  syncBuiltinESMExports()
  t.teardown(() => {
    Object.assign(fs, { [name]: real })
    syncBuiltinESMExports()
  })
}

/** Has the disk be full for a function of the file system. */
function failWhile(t: Test, name: 'mkdir' | 'open', isFull: () => Promise<boolean>) {
  const real = fs[name] as (...given: unknown[]) => Promise<unknown>
  replace(t, name, async (...given) => {
    if (await isFull()) throw Object.assign(new Error('full'), { code: 'ENOSPC', syscall: name })
    return real(...given)
  })
}

for (const name of ['mkdir', 'open'] as const)
  t.test(
    `an older archive makes room on a full disk for ${name === 'open' ? 'a file' : 'a folder'}`,
    async t => {
      const root = await mkdtemp(join(tmpdir(), 'downloads-'))
      t.teardown(() => rm(root, { recursive: true }))
      const full: unknown[] = []
      const onFull = ({ code }: NodeJS.ErrnoException) => full.push(code)
      const store = new DownloadStore({ root, limits, now: Date.now, onFull })
      await store.of('ada').save([], 'artifacts_job_1.zip', archive(1))
      failWhile(t, name, async () => (await readdir(root)).includes(DownloadStore.nameFor('ada')))
      t.match(await store.of('ben').save([], 'artifacts_job_2.zip', archive(1)), { size: MIB })
      t.same(full, ['ENOSPC'])
    }
  )

for (const [lacking, files] of [
  ['inodes', 1000],
  ['bytes', 0]
] as const)
  t.test(`on a disk without ${lacking} room is made by whoever has most of them`, async t => {
    const root = await mkdtemp(join(tmpdir(), 'downloads-'))
    t.teardown(() => rm(root, { recursive: true }))
    const store = new DownloadStore({ root, limits, now: Date.now })
    await store.of('ada').save([], 'artifacts_job_1.zip', archive(3))
    await store.of('ben').save(['a', 'b'], 'artifacts_job_1.zip', archive(1))
    const names = { inodes: DownloadStore.nameFor('ben'), bytes: DownloadStore.nameFor('ada') }
    replace(t, 'statfs', async () => ({ files, ffree: 0 }))
    failWhile(t, 'mkdir', async () => (await readdir(root)).length === 2)
    await store.of('cleo').save([], 'artifacts_job_1.zip', archive(1))
    t.notOk((await readdir(root)).includes(names[lacking]))
  })

t.test('folders that come and go during a search hide no archive from the limits', async t => {
  const root = await mkdtemp(join(tmpdir(), 'downloads-'))
  t.teardown(() => rm(root, { recursive: true }))
  const store = new DownloadStore({ root, limits, now: Date.now })
  const folder = store.of('ada')
  const save = (name: string, at: string) => folder.save([at], name, archive(1))
  for (const job of [1, 2, 3]) await save(`artifacts_job_${job}.zip`, 'kept')
  await new Promise(resolve => setTimeout(resolve, 5))
  const own = join(root, DownloadStore.nameFor('ada'))
  let isOver = false
  const churn = async (name: string) => {
    while (!isOver) {
      await mkdir(join(own, name, 'a', 'b'), { recursive: true })
      await rm(join(own, name), { recursive: true })
    }
  }
  const churns = ['w', 'x', 'y', 'z'].map(churn)
  for (let at = 0; at < 100; at++) await store.sweep()
  isOver = true
  await Promise.all(churns)
  await save('artifacts_job_4.zip', 'kept')
  t.same(
    await readdir(join(own, 'kept')),
    [2, 3, 4].map(job => `artifacts_job_${job}.zip`)
  )
})

/** Bytes as they are written to all files, at most one chunk each: how many writes there were at once, and in which order. */
async function watchWrites(t: Test) {
  const seen = { most: 0, order: [] as number[] }
  let now = 0
  const file = await open(import.meta.filename)
  const files = Object.getPrototypeOf(file)
  await file.close()
  const { write } = files
  t.intercept(files, 'write', {
    async value(this: unknown, chunk: Uint8Array, ...given: unknown[]) {
      seen.order.push(chunk[0]!)
      seen.most = Math.max(seen.most, ++now)
      await new Promise(resolve => setTimeout(resolve, 2))
      now--
      return write.call(this, chunk, ...given)
    }
  })
  return seen
}

async function* chunkOf(byte: number) {
  yield Buffer.of(byte)
}

/** Saves six archives of one address at once, and then one of another. */
async function saveSeven(t: Test) {
  const root = await mkdtemp(join(tmpdir(), 'downloads-'))
  t.teardown(() => rm(root, { recursive: true }))
  const store = new DownloadStore({ root, limits: { ...limits, all: 100 * MIB }, now: Date.now })
  const seen = await watchWrites(t)
  const save = (owner: number, from: string) =>
    store.of(`${owner}`, from).save([], 'artifacts_job_1.zip', chunkOf(owner))
  const many = [1, 2, 3, 4, 5, 6].map(owner => save(owner, '192.0.2.1'))
  await Promise.all([...many, save(7, '192.0.2.2')])
  return seen
}

t.test('archives are written one piece at a time, as others need the threads, too', async t => {
  t.equal((await saveSeven(t)).most, 1)
})

t.test('addresses take turns at the disk, however many archives one of them saves', async t => {
  t.equal((await saveSeven(t)).order[0], 7, 'whose folders were made in every other turn')
})
