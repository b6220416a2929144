import { Type } from 'typebox'
import type { Arguments } from '../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { requestTo } from '../../src/engine/requests/template.ts'
import { flag, oneOf, optional, orNone } from '../../src/engine/rows/fields.ts'
import { rest } from '../../src/engine/rows/row.ts'
import { CallProblem } from '../../src/results/problem.ts'

const parts = ['message', 'emoji', 'availability', 'clear_after'] as const

/** Checks that a call either clears or sets the status, not both. */
const clearOrSet = (args: Arguments): void => {
  const isSet = parts.some(name => args[name] !== undefined)
  if (isSet === (args.clear === true))
    throw new CallProblem("Give what the status is to be, or 'clear': true alone to remove it.")
}

/** Completes a change with the current values, because the forge clears what is not sent. */
const keepTheRest = async (args: Record<string, unknown>, { forge }: ToolContext) => {
  if (args.clear === true) return {}
  const { value } = await forge.send(requestTo('GET /user/status', {}))
  const present = (value ?? {}) as Record<string, unknown>
  const kept = (name: string) => args[name] ?? present[name] ?? undefined
  return {
    message: kept('message'),
    emoji: typeof args.emoji === 'string' ? args.emoji.replaceAll(':', '') : kept('emoji'),
    availability: kept('availability'),
    clear_after: args.clear_after
  }
}

export const statusRow = rest({
  name: 'set_user_status',
  class: 'write',
  title: 'Set your status',
  summary: 'Set your status, or clear it; what is not given stays.',
  input: Type.Object({
    message: optional(orNone(Type.String({ maxLength: 100 }))),
    emoji: optional(orNone(Type.String({ description: 'Such as coffee' }))),
    availability: optional(oneOf(['not_set', 'busy'])),
    clear_after: optional(
      oneOf(
        ['30_minutes', '3_hours', '8_hours', '1_day', '3_days', '7_days', '30_days'],
        'Without it, the status stays until it is changed'
      )
    ),
    clear: optional(flag('Alone: remove it'))
  }),
  check: [clearOrSet],
  request: 'PUT /user/status',
  adapt: keepTheRest,
  rename: { clear_after: 'clear_status_after' },
  record: 'status'
})
