import t from 'tap'
import { makingRoom } from '../../../src/engine/downloads/full-disk.ts'
import { writeAll } from '../../../src/engine/downloads/write-all.ts'

/** A disk with room for so many bytes, and files that can make more of it. */
function diskOf(room: number, files: number[], code = 'ENOSPC') {
  const seen = { written: '', full: 0 }
  const file = {
    async write(chunk: Uint8Array, at: number) {
      const bytes = chunk.subarray(at, at + room)
      if (bytes.length === 0) throw Object.assign(new Error(code), { code, syscall: 'write' })
      room -= bytes.length
      seen.written += Buffer.from(bytes).toString()
      return { bytesWritten: bytes.length, buffer: chunk }
    }
  }
  const writing = {
    async grow() {},
    async makeRoom() {
      const freed = files.shift()
      room += freed ?? 0
      return freed !== undefined
    }
  }
  const save = (...chunks: string[]) =>
    writeAll(
      file as never,
      bytesOf(chunks),
      writing,
      makingRoom(
        writing,
        async () => 'bytes',
        () => void seen.full++
      )
    )
  return { seen, save, files }
}

async function* bytesOf(chunks: string[]) {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

t.test('on a disk that is full older files make room until all is written', async t => {
  for (const code of ['ENOSPC', 'EDQUOT']) {
    const { seen, save, files } = diskOf(3, [1, 4, 9], code)
    t.equal(await save('01234', '567'), 8)
    t.same(seen, { written: '01234567', full: 2 })
    t.same(files, [9], 'and no more go than have to')
  }
})

t.test('room that helps nothing is made once', async t => {
  const { save, files } = diskOf(3, [0, 0, 0])
  await t.rejects(save('01234'), { code: 'ENOSPC' })
  t.same(files, [0, 0])
})

t.test('a disk that fails in another way gets no room', async t => {
  const { seen, save, files } = diskOf(3, [9], 'EIO')
  await t.rejects(save('01234'), { code: 'EIO' })
  t.same([files, seen.full], [[9], 0])
})
