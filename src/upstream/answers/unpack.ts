import { createGunzip, type Gunzip, gunzipSync } from 'node:zlib'
import { Cancellation } from '../../cancellation.ts'
import { ForgeError } from '../errors.ts'
import type { HeavyAnswers } from '../guard/heavy.ts'
import { damagedGzip, tooLarge, tooSlow } from './body.ts'

/*
 * Compressed bodies are unpacked in the threads that all of this process has for it, and that look up names besides. What
 * the bytes cost is for their sender to say: of blocks that hold nothing ten megabytes keep a thread for a second, and
 * give no byte by which that could be told. So they are unpacked in short pieces, each in a turn of its holder.
 */

/** Of compressed bytes: a millisecond or so, whatever is in them. */
const PIECE_BYTES = 16 * 1024

/** As much is unpacked on the spot, in less time than it takes to have it done elsewhere. */
const SMALL_BYTES = 4 * 1024
const SMALL_UNPACKED_BYTES = 32 * 1024

/** Of what is unpacked, in one piece. */
const BLOCK_BYTES = 64 * 1024

/** Who unpacks, among others. */
export interface Unpacking {
  readonly heavy: HeavyAnswers
  /** As of AnswerRoom. */
  readonly holder: string
  readonly caller: string
  /** The address of the caller, where it is known. */
  readonly from?: string | undefined
}

/** A small body of at most so many bytes, unpacked at once; undefined where it is none, or not sound. */
export function unpackSmall(bytes: Buffer, maxBytes: number): Buffer | undefined {
  if (bytes.length === 0 || bytes.length > SMALL_BYTES) return undefined
  try {
    return gunzipSync(bytes, { maxOutputLength: Math.min(SMALL_UNPACKED_BYTES, maxBytes) })
  } catch {
    return undefined
  }
}

/**
 * Unpacks what is streamed through it, each piece in a turn.
 * @param unpacking without it each at once
 */
export function gunzipInTurns(unpacking?: Unpacking): Gunzip {
  const gunzip = createGunzip({ chunkSize: BLOCK_BYTES })
  if (unpacking === undefined) return gunzip
  const { heavy, holder, caller } = unpacking
  const { _transform: transform, push } = gunzip
  const closed = new Cancellation()
  let give: (() => void) | undefined
  const end = (): void => {
    give?.()
    give = undefined
  }
  gunzip._transform = (piece: Buffer, encoding, done) => {
    // With the last one there is nothing left to do.
    if (piece.length === 0) return transform.call(gunzip, piece, encoding, done)
    heavy.unpacking.piece(holder, caller, closed).then(turn => {
      give = turn
      if (gunzip.destroyed) return end()
      transform.call(gunzip, piece, encoding, (...told) => {
        end()
        done(...told)
      })
    }, done)
  }
  // What a slow reader has not taken holds up nobody else.
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
 * Unpacks a body that is here.
 * @throws ForgeError too-large beyond `maxBytes`, timeout or bad-answer, as a rejection
 */
export function unpack(bytes: Buffer, maxBytes: number, unpacking?: Unpacking): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const gunzip = gunzipInTurns(unpacking)
    const timer = unpacking && setTimeout(() => gunzip.destroy(tooSlow()), unpacking.heavy.collectMs).unref()
    const pieces: Buffer[] = []
    let size = 0
    gunzip.on('data', (piece: Buffer) => {
      size += piece.length
      if (size > maxBytes) gunzip.destroy(tooLarge(maxBytes))
      else pieces.push(piece)
    })
    gunzip.once('error', error => reject(error instanceof ForgeError ? error : damagedGzip(error)))
    gunzip.once('end', () => resolve(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, size)))
    gunzip.once('close', () => clearTimeout(timer))
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) gunzip.write(bytes.subarray(at, at + PIECE_BYTES))
    gunzip.end()
  })
}
