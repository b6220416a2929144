import { Type } from 'typebox'
import type { Arguments } from '../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { requestTo } from '../../src/engine/requests/template.ts'
import { flag, oneOf, optional, orNone } from '../../src/engine/rows/fields.ts'
import { rest } from '../../src/engine/rows/row.ts'
import { withConsequence } from '../../src/results/failure.ts'
import { fieldsOf } from '../../src/results/is-record.ts'
import { CallProblem } from '../../src/results/problem.ts'

const kept = ['message', 'emoji', 'availability'] as const
const parts = [...kept, 'clear_after'] as const

/** Checks that a call either clears or sets the status, not both. */
const clearOrSet = (args: Arguments): void => {
  const isSet = parts.some(name => args[name] !== undefined)
  if (isSet === (args.clear === true))
    throw new CallProblem("Give what the status is to be, or 'clear': true alone to remove it.")
}

const notKept =
  'So it is not known what the status is now, and what is not given would be cleared: nothing was changed. Give message, emoji and availability together, each as it is to be: then the status is not read.'

/** Completes a change with the current values, because the forge clears what is not sent. */
const keepTheRest = async (args: Record<string, unknown>, { forge }: ToolContext) => {
  if (args.clear === true) return {}
  const present = kept.every(name => args[name] !== undefined) ? {} : await presentStatus(forge)
  const either = (name: (typeof kept)[number]) => args[name] ?? present[name] ?? undefined
  return {
    message: either('message'),
    emoji: typeof args.emoji === 'string' ? args.emoji.replaceAll(':', '') : either('emoji'),
    availability: either('availability'),
    clear_after: args.clear_after
  }
}

/** @throws what ForgeClient.send throws, with what to do without */
async function presentStatus(forge: ToolContext['forge']): Promise<Record<string, unknown>> {
  try {
    return fieldsOf((await forge.send(requestTo('GET /user/status', {}))).value)
  } catch (error) {
    throw withConsequence(error, notKept)
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
