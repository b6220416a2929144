import type { Arguments } from '../../../src/engine/arguments/values.ts'
import { isEmptyList } from '../../../src/results/is-record.ts'

/** A notice for a search of branches or tags that contains *, which no name contains. */
export const noStars = (value: unknown, { search }: Arguments): string | undefined =>
  isEmptyList(value) && String(search).includes('*')
    ? 'search is part of a name: leave * out; ^ begins the name, $ ends it.'
    : undefined
