import { crc32, deflateRawSync } from 'node:zlib'

/** Two blocks of deflate (RFC 1951 section 3.2.7) that define codes of their own and contain no data. */
const blocks = Buffer.from('ecdda10000000000207feb4822c1de1d0a0000000000f2b78e2412', 'hex')

/**
 * A text as gzip of about the given number of bytes. Nearly all of them are empty blocks: they take ten times as long
 * to unpack as other bytes, and give no output.
 */
export function amongEmptyBlocks(text: string, bytes: number): Buffer {
  const end = Buffer.alloc(8)
  end.writeUInt32LE(crc32(text))
  end.writeUInt32LE(text.length, 4)
  const empty = Buffer.alloc(bytes - (bytes % blocks.length), blocks)
  return Buffer.concat([Buffer.from('1f8b0800000000000003', 'hex'), empty, deflateRawSync(text), end])
}
