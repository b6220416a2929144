import t from 'tap'
import { connectionLimits } from '../../src/edge/connections/connection-limits.ts'
import { bodyLimits } from '../../src/edge/requests/bodies.ts'
import { allWorkLimits } from '../../src/fairness/at-work.ts'
import { answerRoomLimits } from '../../src/upstream/reading/answer-room.ts'

/** The container that the chart asks for, in bytes. What lives in it without any caller, and its garbage, take a third. */
const CONTAINER = 512 * 1024 * 1024

t.test('whoever fills all rooms, one after another, holds less than two thirds of the container', async t => {
  const { heads, unread } = connectionLimits
  const rooms = [
    heads.all,
    bodyLimits.address.all,
    allWorkLimits.all,
    // The others leave less of what is at work.
    answerRoomLimits.each,
    unread.all
  ]
  const sum = rooms.reduce((all, room) => all + room)
  t.ok(sum < (CONTAINER * 2) / 3, `${sum} bytes`)
})
