import { FairTurns } from '../../src/fairness/fair-turns.ts'
import { turnShares } from '../../src/fairness/turn-shares.ts'
import { upstreamLimits } from '../../src/upstream/connections/dispatcher.ts'
import { CallerGates } from '../../src/upstream/guard/caller-gates.ts'
import { busy } from '../../src/upstream/guard/gate.ts'
import { Guard } from '../../src/upstream/guard/guard.ts'
import { AnswerRoom } from '../../src/upstream/reading/answer-room.ts'
import { LargeAnswers } from '../../src/upstream/reading/large-answers.ts'
import { LargeRequests } from '../../src/upstream/reading/large-requests.ts'
import type { Reading, Upstream } from '../../src/upstream/upstream.ts'

const turns = { limit: 1_000, queue: 1_000, waitMs: 60_000 }

/** A guard with turns for all, which asks nothing again: no wait is short enough. */
export const openGuard = (): Guard =>
  new Guard({
    limits: turns,
    callers: new CallerGates(turns, busy('of this caller')),
    resumed: new FairTurns(turnShares.resumed),
    random: () => Number.POSITIVE_INFINITY
  })

/** A reading of its own, with the bounds of the service. */
export const ownReading = (): Reading => ({
  largeAnswers: new LargeAnswers(),
  room: new AnswerRoom(),
  leaving: new LargeRequests()
})

/** A forge with an open guard, a reading of its own and the time of the service for a stream, where none is given. */
export const upstreamOf = (
  parts: Omit<Upstream, 'guard' | 'reading' | 'streamMs'> & Partial<Upstream>
): Upstream => ({
  streamMs: upstreamLimits.streamMs,
  guard: openGuard(),
  reading: ownReading(),
  ...parts
})
