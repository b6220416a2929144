import t from 'tap'
import { Handshakes } from '../../../src/upstream/connections/handshakes.ts'

const FORGE = '203.0.113.9'

/** What a handshake takes, and what a piece of an answer does, in milliseconds. */
const HANDSHAKE_MS = 1.5
const PIECE_MS = 0.05

/** A forge at which one caller address has so many handshakes going, each of which begins anew when it is done. */
function besides(count: number) {
  let now = 0
  const timers: { at: number; next: () => void }[] = []
  const after = (ms: number, next: () => void) => void timers.push({ at: now + ms, next })
  const handshakes = new Handshakes(() => now, after)
  const busy = (ms: number, next = () => {}) => {
    now += ms
    after(0, next)
  }
  const again = () => handshakes.handshake(FORGE, () => busy(HANDSHAKE_MS, again))
  const goOn = (isOver: () => boolean) => {
    while (!isOver()) {
      timers.sort((one, other) => one.at - other.at)
      const { at, next } = timers.shift()!
      now = Math.max(now, at)
      next()
    }
  }
  for (let at = 0; at < count; at++) again()
  goOn(() => now > 500)
  return {
    busy,
    handshakes,
    /** @returns milliseconds until what begins now is over */
    time(begin: (end: () => void) => void): number {
      const began = now
      let ended: number | undefined
      begin(() => {
        ended = now
      })
      goOn(() => ended !== undefined)
      return Math.round(ended! - began)
    }
  }
}

for (const count of [25, 64])
  t.test(`an answer over TLS does not wait for ${count} handshakes with its forge`, t => {
    const { busy, handshakes, time } = besides(count)
    const ms = time(end => {
      let left = 30
      const piece = () => handshakes.data(FORGE, () => busy(PIECE_MS, --left === 0 ? end : piece), 3)
      piece()
    })
    t.ok(ms < 30, `${ms} ms`)
    t.end()
  })
