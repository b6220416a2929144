import { createGunzip, type Gunzip, gunzipSync } from 'node:zlib'
import { Cancellation, type CancelSignal, onAbort } from '../../base/cancellation.ts'
import { cancelled, ForgeError } from '../errors.ts'
import type { Whose } from '../guard/whose.ts'
import type { Held } from '../reading/answer-room.ts'
import type { LargeAnswers } from '../reading/large-answers.ts'
import { damagedGzip, tooLarge, tooSlow } from './body.ts'

/*
 * Compressed bodies are decompressed in Node's thread pool, which the whole process shares, and which also looks up
 * names. The sender decides what the bytes cost: ten megabytes of empty blocks keep a thread busy for a second, without
 * any output by which that could be noticed. So they are decompressed in short pieces, each in a turn of its address.
 */

/** Compressed bytes in a piece: about a millisecond of work, whatever they contain. */
const PIECE_BYTES = 16 * 1024

/** Up to this size, decompressing at once takes less time than handing it to a thread. */
const SMALL_BYTES = 4 * 1024
const SMALL_UNPACKED_BYTES = 32 * 1024

/** Decompressed bytes in one piece. */
const BLOCK_BYTES = 64 * 1024

/** Whose body is decompressed, and the turns for it. */
export interface Unpacking extends Whose {
  readonly largeAnswers: LargeAnswers
}

/** Counts the memory of a body from its first byte on, and gives the body up. */
export interface UnpackedInto {
  readonly held: Pick<Held, 'grow'> | undefined
  readonly signal: CancelSignal
}

/** Decompresses a small body of at most `maxBytes` at once; undefined if it is larger or damaged. */
export function unpackSmall(bytes: Buffer, maxBytes: number): Buffer | undefined {
  if (bytes.length === 0 || bytes.length > SMALL_BYTES) return undefined
  try {
    return gunzipSync(bytes, { maxOutputLength: Math.min(SMALL_UNPACKED_BYTES, maxBytes) })
  } catch {
    return undefined
  }
}

/**
 * A stream that decompresses what is written to it, each piece in a turn.
 * @param unpacking without it, pieces do not wait for turns
 */
export function gunzipInTurns(unpacking?: Unpacking): Gunzip {
  const gunzip = createGunzip({ chunkSize: BLOCK_BYTES })
  if (unpacking === undefined) return gunzip
  const { largeAnswers } = unpacking
  const { _transform: transform, push } = gunzip
  const closed = new Cancellation()
  let give: (() => void) | undefined
  const end = (): void => {
    give?.()
    give = undefined
  }
  gunzip._transform = (piece: Buffer, encoding, done) => {
    // The last piece is empty, and takes no time.
    if (piece.length === 0) return transform.call(gunzip, piece, encoding, done)
    largeAnswers.unpacking.piece(unpacking, closed).then(turn => {
      give = turn
      if (gunzip.destroyed) return end()
      transform.call(gunzip, piece, encoding, (...told) => {
        end()
        done(...told)
      })
    }, done)
  }
  // Data that waits for a slow reader must not delay others.
  gunzip.push = (...piece) => {
    const isWanted = push.apply(gunzip, piece)
    if (!isWanted) end()
    return isWanted
  }
  return gunzip.once('close', () => {
    closed.abort()
    end()
  })
}

/**
 * Decompresses a body that has arrived completely. If that fails, its memory is no longer counted.
 * @throws ForgeError too-large beyond `maxBytes`, timeout, cancelled or bad-answer, as a rejection
 */
export function unpack(
  bytes: Buffer,
  maxBytes: number,
  unpacking?: Unpacking,
  into?: UnpackedInto
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const gunzip = gunzipInTurns(unpacking)
    const timer =
      unpacking && setTimeout(() => gunzip.destroy(tooSlow()), unpacking.largeAnswers.collectMs).unref()
    const forget = onAbort(into?.signal, () => gunzip.destroy(cancelled()))
    const pieces: Buffer[] = []
    let size = 0
    gunzip.on('data', (piece: Buffer) => {
      size += piece.length
      into?.held?.grow(piece.length)
      if (size > maxBytes) gunzip.destroy(tooLarge(maxBytes))
      else pieces.push(piece)
    })
    gunzip.once('error', error => {
      into?.held?.grow(-size)
      reject(error instanceof ForgeError ? error : damagedGzip(error))
    })
    gunzip.once('end', () => resolve(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, size)))
    gunzip.once('close', () => {
      clearTimeout(timer)
      forget()
    })
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) gunzip.write(bytes.subarray(at, at + PIECE_BYTES))
    gunzip.end()
  })
}
