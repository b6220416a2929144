import { crc32, deflateRawSync } from 'node:zlib'

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const DEFLATE = 8
const UTF8_NAMES = 0x0800
// 2026-11-20 12:00 in DOS format. A fixed time makes equal archives for equal files.
const DOS_TIME = 12 << 11
const DOS_DATE = ((2026 - 1980) << 9) | (11 << 5) | 20

interface Entry {
  name: Buffer
  plain: Buffer
  packed: Buffer
  offset: number
}

const commonFields = ({ name, plain, packed }: Entry) => {
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE(UTF8_NAMES, 2)
  fields.writeUInt16LE(DEFLATE, 4)
  fields.writeUInt16LE(DOS_TIME, 6)
  fields.writeUInt16LE(DOS_DATE, 8)
  fields.writeUInt32LE(crc32(plain), 10)
  fields.writeUInt32LE(packed.length, 14)
  fields.writeUInt32LE(plain.length, 18)
  fields.writeUInt16LE(name.length, 22)
  return fields
}

const signature = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value, 0)
  return bytes
}

const localPart = (entry: Entry) =>
  Buffer.concat([signature(LOCAL), commonFields(entry), entry.name, entry.packed])

const centralPart = (entry: Entry) => {
  const madeBy = Buffer.from([20, 3])
  const tail = Buffer.alloc(14)
  tail.writeUInt32LE((0o100644 << 16) >>> 0, 6)
  tail.writeUInt32LE(entry.offset, 10)
  return Buffer.concat([signature(CENTRAL), madeBy, commonFields(entry), tail, entry.name])
}

/** Packed once, because test archives often have many empty files. */
const PACKED_NOTHING = deflateRawSync('')

/** Packs files (text, or bytes as "base64:…") into a zip archive. */
export const zipOf = (files: Record<string, string>): Buffer => {
  let offset = 0
  const entries = Object.entries(files).map(([path, content]) => {
    const plain = bytesOf(content)
    const entry = { name: Buffer.from(path), plain, packed: packed(plain), offset }
    offset += localPart(entry).length
    return entry
  })
  const central = Buffer.concat(entries.map(centralPart))
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...entries.map(localPart), central, signature(END), end])
}

const packed = (plain: Buffer): Buffer => (plain.length === 0 ? PACKED_NOTHING : deflateRawSync(plain))

/** The bytes of an artifact file: "base64:…" is decoded, any other text is encoded as it is. */
export const bytesOf = (content: string): Buffer =>
  content.startsWith('base64:')
    ? Buffer.from(content.slice('base64:'.length), 'base64')
    : Buffer.from(content)
