import { Stats } from 'node:fs'
import { mkdir, mkdtemp, readdir, realpath, rename, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { DownloadFolder } from '../../../src/engine/downloads/folder.ts'
import type { OnDisk } from '../../../src/engine/downloads/full-disk.ts'

async function* bytes() {
  yield Buffer.from('zip')
}

async function places(t: Test) {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'folder-')))
  t.teardown(() => rm(base, { recursive: true }))
  const [root, outside] = [join(base, 'root'), join(base, 'outside')]
  await mkdir(root)
  await mkdir(outside)
  return { root, outside }
}

const folderOf = (root: string, turn: OnDisk) =>
  new DownloadFolder({ root, now: Date.now, onTrouble: undefined, onFull: undefined, turn })

t.test('nobody else on the machine can look into the folders that a download makes', async t => {
  const { root } = await places(t)
  await folderOf(root, work => work()).save(['a', 'b'], 'x.zip', bytes())
  for (const folder of ['a', 'a/b']) t.equal((await stat(join(root, folder))).mode & 0o777, 0o700, folder)
})

t.test('nothing is kept outside where a folder becomes a link once it was looked at', async t => {
  const { root, outside } = await places(t)
  const swapping: OnDisk = async work => {
    const done = await work()
    if (done instanceof Stats) {
      await rename(join(root, 'a'), join(root, 'was'))
      await symlink(outside, join(root, 'a'))
    }
    return done
  }
  await t.rejects(folderOf(root, swapping).save(['a'], 'x.zip', bytes()), {
    name: 'CallProblem',
    message: /x\.zip is reached through a link\.$/
  })
  t.same(await readdir(outside), [])
})
