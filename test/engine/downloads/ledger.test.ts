import t from 'tap'
import { DownloadLedger } from '../../../src/engine/downloads/ledger.ts'

const MIB = 1024 * 1024

const ledger = (caller: number, all: number) => {
  const gone: string[] = []
  const room = new DownloadLedger(
    { caller: caller * MIB, all: all * MIB, keepMs: 60_000 },
    async path => void gone.push(path)
  )
  const write = async (name: string, from: string | undefined, mib: number, owner = name, folders = 0) => {
    const writing = room.begin(owner, from, async () => void gone.push(`${name} (written)`), folders)
    await writing.grow(mib * MIB)
    return writing
  }
  const save = async (name: string, from: string | undefined, mib: number, owner = name) =>
    (await write(name, from, mib, owner)).keep({ path: name, size: mib * MIB, since: 1 })
  return { room, gone, write, save }
}

/** Whether a file has gone. */
const hasGone = async () => true
const hasNot = async () => false

t.test('an address fills the folder for itself, as however many callers', async t => {
  const { room, gone, save } = ledger(10, 20)
  await save('neighbour', '192.0.2.2', 5)
  for (let at = 0; at < 30; at++) await save(`made up ${at}`, '192.0.2.1', 0.1)
  t.same(
    gone,
    Array.from({ length: 15 }, (_, at) => `made up ${at}`)
  )
  const made = Array.from({ length: 20 }, (_, at) => `made up ${at + 10}`)
  const found = ['neighbour', ...made].map(path => ({ path, owner: path, size: 1, since: 1 }))
  await room.adopt(found, hasNot, 2, 3)
  t.notOk(gone.includes('neighbour'), 'nor by what is found later')
})

interface Case {
  readonly title: string
  readonly limits: readonly [caller: number, all: number]
  /** In this order. */
  readonly files: readonly { name: string; from: string; mib: number; owner?: string; written?: true }[]
  readonly gone: readonly string[]
}

const own = '192.0.2.1'
const other = '192.0.2.2'

const cases: readonly Case[] = [
  {
    title: 'what is being written goes as what is kept does: of the address that has most, the oldest',
    limits: [10, 10],
    files: [
      { name: 'neighbour', from: other, mib: 2 },
      { name: 'a', from: own, mib: 4, written: true },
      { name: 'b', from: own, mib: 2 },
      { name: 'c', from: own, mib: 4, written: true },
      { name: 'd', from: own, mib: 4 }
    ],
    gone: ['a (written)', 'b']
  },
  {
    title: 'an address that has nothing but what it writes makes room for the next caller',
    limits: [4, 8],
    files: [
      ...['a', 'b'].map(name => ({ name, from: own, mib: 4, written: true as const })),
      { name: 'neighbour', from: other, mib: 4 },
      { name: 'next', from: '192.0.2.3', mib: 2 }
    ],
    gone: ['a (written)', 'neighbour']
  },
  {
    title: 'who asks for more than the others have makes the room',
    limits: [10, 10],
    files: [
      { name: 'neighbour', from: other, mib: 3 },
      { name: 'a', from: own, mib: 4, written: true },
      { name: 'b', from: own, mib: 4, written: true }
    ],
    gone: ['a (written)']
  },
  {
    title: 'a caller over its limit loses its oldest, written or kept, and no other’s',
    limits: [4, 20],
    files: [
      { name: 'neighbour', from: own, mib: 1 },
      { name: 'a', from: own, mib: 2, owner: 'ada', written: true },
      { name: 'b', from: other, mib: 2, owner: 'ada' },
      { name: 'c', from: own, mib: 3, owner: 'ada' }
    ],
    gone: ['a (written)', 'b']
  },
  {
    title: 'a file takes no room before its first byte',
    limits: [4, 4],
    files: [
      { name: 'neighbour', from: other, mib: 4 },
      ...['a', 'b', 'c', 'd', 'e'].map(name => ({ name, from: own, mib: 0, written: true as const }))
    ],
    gone: []
  }
]

for (const { title, limits, files, gone: expected } of cases)
  t.test(title, async t => {
    const { gone, save, write } = ledger(...limits)
    for (const { name, from, mib, owner, written } of files)
      await (written ? write : save)(name, from, mib, owner)
    t.same(gone, expected)
  })

t.test('a file that has made room is refused whatever comes of it, and no longer counts', async t => {
  const { gone, save, write } = ledger(4, 8)
  const lost = await write('a', own, 4)
  await write('b', own, 4)
  await save('neighbour', other, 2)
  const says = /keeps 4 MiB of archives for a caller and 8 MiB in all, and this one made room for newer ones/
  await t.rejects(lost.grow(4 * MIB), says)
  t.throws(() => lost.keep({ path: 'a', size: 4 * MIB, since: 1 }), says)
  lost.leave()
  await save('next', other, 2)
  t.same(gone, ['a (written)'])
})

t.test(
  'a file that makes room for itself alone is told so, and one that never fits costs no others',
  async t => {
    const { gone, save, write } = ledger(8, 8)
    await save('neighbour', other, 3)
    const writing = await write('a', own, 5)
    await t.rejects(writing.grow(6 * MIB), /made room for newer ones/)
    await t.rejects(write('b', own, 9), /does not fit/)
    t.same(gone, ['a (written)'])
  }
)

t.test('who needs room waits until what made it is gone', async t => {
  let remove = () => {}
  const room = new DownloadLedger({ caller: 4 * MIB, all: 4 * MIB, keepMs: 1 }, async () => {})
  const first = room.begin('a', own, () => new Promise(resolve => (remove = resolve)))
  await first.grow(3 * MIB)
  let isThere = false
  const growth = room.begin('b', other, async () => {}).grow(2 * MIB)
  const waits = growth.then(() => {
    isThere = true
  })
  await new Promise(setImmediate)
  t.notOk(isThere)
  remove()
  await waits
})

t.test(
  'what was found counts until it is found no more, and is too old or too large for the limits',
  async t => {
    const { room, gone, save } = ledger(4, 8)
    const found = (path: string, mib: number, since: number) => ({
      path,
      owner: path,
      size: mib * MIB,
      since
    })
    await room.adopt(
      [found('b', 4, 70_001), found('a', 4, 70_000), found('old', 1, 1), found('large', 5, 70_000)],
      hasNot,
      70_002,
      70_002
    )
    t.same(gone, ['old', 'large'])
    await room.adopt([found('b', 4, 70_001)], hasGone, 70_003, 70_003)
    await save('c', own, 4)
    t.same(gone.slice(2), [])
    await save('d', other, 1)
    t.same(gone.slice(2), ['b'])
  }
)

t.test(
  'a file that a search has missed counts until it has gone, and one that has gone does not',
  async t => {
    const { room, gone, save } = ledger(4, 8)
    await save('a', own, 4)
    await room.adopt([], hasNot, 2, 3)
    await room.adopt([{ path: 'b', owner: 'b', size: 4 * MIB, since: 1 }], async path => path === 'b', 2, 3)
    await save('c', other, 4)
    t.same(gone, [])
    await save('d', '192.0.2.3', 4)
    t.same(gone, ['a'])
  }
)

t.test(
  'the folders on the way to files count with them, and an archive as large as a limit fits',
  async t => {
    const { gone, write } = ledger(4, 4)
    await write('deep', own, 4, 'ada', 11)
    t.same(gone, [])
    await write('other', other, 2, 'ben')
    t.same(gone.splice(0), ['deep (written)'])
    await write('a', other, 1, 'ben', 6)
    await write('b', other, 1, 'ben', 6)
    t.same(gone, ['other (written)'])
  }
)

t.test('on a full disk the oldest file goes of the address that has most, before any limit', async t => {
  const { gone, save, write } = ledger(100, 100)
  await save('neighbour', other, 1)
  await save('a', own, 2)
  await save('b', own, 2)
  const writing = await write('c', '192.0.2.3', 1)
  t.ok(await writing.makeRoom('bytes'))
  t.same(gone, ['a'])
})

t.test('a file that is itself what would go on a full disk has no room made', async t => {
  const { gone, save, write } = ledger(100, 100)
  await save('neighbour', other, 1)
  const writing = await write('a', own, 2)
  t.notOk(await writing.makeRoom('bytes'))
  t.same(gone, ['a (written)'])
})

t.test(
  'on a disk without inodes the oldest file goes of the address that has most files and folders',
  async t => {
    const { gone, save, write } = ledger(100, 100)
    await save('neighbour', other, 10)
    const deep = async (name: string) =>
      (await write(name, own, 0.1, own, 10)).keep({ path: name, size: 1, since: 1 })
    await deep('a')
    await deep('b')
    const writing = await write('c', '192.0.2.3', 1)
    t.ok(await writing.makeRoom('inodes'))
    t.same(gone, ['a'])
  }
)
