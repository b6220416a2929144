import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
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
