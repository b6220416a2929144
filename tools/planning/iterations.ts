import { Type } from 'typebox'
import { flag, oneOf, optional, Page, ProjectOrGroup, text } from '../../src/engine/rows/fields.ts'
import { rest } from '../../src/engine/rows/row.ts'
import { recordsIn } from '../../src/results/is-record.ts'

const words: Readonly<Record<number, string>> = { 1: 'upcoming', 2: 'current', 3: 'closed' }

/** Puts the states of iterations into words. The forge returns numbers, but accepts words. */
const inWords = (value: unknown): unknown =>
  Array.isArray(value)
    ? recordsIn(value).map(iteration => ({
        ...iteration,
        state: words[Number(iteration.state)] ?? iteration.state
      }))
    : value

export const iterationRow = rest({
  name: 'list_iterations',
  class: 'read',
  title: 'Iterations',
  summary: 'List iterations, on Premium forges.',
  input: Type.Object({
    ...ProjectOrGroup,
    state: optional(oneOf(['opened', 'upcoming', 'current', 'closed', 'all'])),
    search: optional(text()),
    include_ancestors: optional(flag('Of groups above too')),
    ...Page
  }),
  request: 'GET {PG}/iterations',
  shape: inWords,
  record: 'iteration',
  edition: 'Premium'
})
