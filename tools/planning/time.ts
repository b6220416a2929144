import { Type } from 'typebox'
import type { Arguments } from '../../src/engine/arguments/values.ts'
import { exactlyOne } from '../../src/engine/rows/checks.ts'
import {
  duration,
  durationOrLess,
  flag,
  IssueIid,
  optional,
  ProjectId,
  text
} from '../../src/engine/rows/fields.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { CallProblem } from '../../src/results/problem.ts'

/** Issues and merge requests track time in the same way. */
const tracked = {
  project_id: ProjectId,
  issue_iid: optional(IssueIid),
  merge_request_iid: optional(text('Or issue_iid')),
  duration: optional(duration('Such as 3h30m or 1d')),
  reset: optional(flag('Or duration: back to none'))
}

const issue = '/projects/{project_id}/issues/{issue_iid}'
const mergeRequest = '/projects/{project_id}/merge_requests/{merge_request_iid}'

const onDay = 'a comment with the line "/spend 1h 2026-11-20" takes a day, where quick actions are allowed'

const durationOrReset = ({ duration, reset }: Arguments): void => {
  if ((duration !== undefined) === (reset === true))
    throw new CallProblem("Give 'duration', or 'reset': true alone.")
}

/**
 * Refuses a duration of zero. A forge refuses it as more than was spent. Models mean by it that all time is taken back,
 * or nothing.
 */
const someTime = ({ duration }: Arguments): void => {
  if (duration !== undefined && noTime.test(String(duration)))
    throw new CallProblem(
      `duration ${JSON.stringify(duration)} adds nothing: give what is added (30m) or taken off (-30m), or 'reset': true alone, which takes all of it back.`
    )
}
const noTime = /^[\s+-]*0[0a-z\s.,]*$/i

const noSummaryOfReset = ({ summary, reset }: Arguments): void => {
  if (summary !== undefined && reset === true) throw new CallProblem("'summary' goes with 'duration'.")
}

/** The notice for a duration that the forge could not read. It counts such a duration as none, without an error. */
const unread = (value: unknown, { duration }: Arguments): string | undefined => {
  const { time_estimate: seconds } = (value ?? {}) as { time_estimate?: unknown }
  if (duration === undefined || seconds !== 0 || /^[+-]?0/.test(String(duration).trim())) return undefined
  return `The estimate is 0 now: the forge could not read ${JSON.stringify(duration)}. Write it like 3h30m or 1d.`
}

export const timeRows: readonly ToolRow[] = [
  rest({
    name: 'add_spent_time',
    class: 'write',
    title: 'Add spent time',
    summary: 'Add time spent on an issue or merge request, or take all of it back.',
    input: Type.Object(
      {
        ...tracked,
        duration: optional(durationOrLess('Such as 3h30m or 1d; -1h takes off')),
        summary: optional(text('What it was spent on'))
      },
      { instead: { spent_at: onDay, date: onDay } }
    ),
    check: [exactlyOne('issue_iid', 'merge_request_iid'), durationOrReset, noSummaryOfReset, someTime],
    request: [
      `POST ${issue}/add_spent_time`,
      `POST ${issue}/reset_spent_time`,
      `POST ${mergeRequest}/add_spent_time`,
      `POST ${mergeRequest}/reset_spent_time`
    ],
    choose: ({ issue_iid, reset }) => {
      if (issue_iid !== undefined)
        return reset === true ? `POST ${issue}/reset_spent_time` : `POST ${issue}/add_spent_time`
      return reset === true ? `POST ${mergeRequest}/reset_spent_time` : `POST ${mergeRequest}/add_spent_time`
    },
    local: ['reset'],
    record: 'time',
    advice: { 400: 'Write duration like 3h30m or 1d; -1h takes off, and no more than was spent.' }
  }),
  rest({
    name: 'set_time_estimate',
    class: 'write',
    title: 'Set time estimate',
    summary: 'Set how long an issue or merge request will take.',
    input: Type.Object(tracked),
    check: [exactlyOne('issue_iid', 'merge_request_iid'), durationOrReset],
    request: [
      `POST ${issue}/time_estimate`,
      `POST ${issue}/reset_time_estimate`,
      `POST ${mergeRequest}/time_estimate`,
      `POST ${mergeRequest}/reset_time_estimate`
    ],
    choose: ({ issue_iid, reset }) => {
      if (issue_iid !== undefined)
        return reset === true ? `POST ${issue}/reset_time_estimate` : `POST ${issue}/time_estimate`
      return reset === true
        ? `POST ${mergeRequest}/reset_time_estimate`
        : `POST ${mergeRequest}/time_estimate`
    },
    local: ['reset'],
    notice: unread,
    record: 'time'
  })
]
