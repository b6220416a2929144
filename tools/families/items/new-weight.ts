import { Type } from 'typebox'

/** The argument for a new weight. An empty text removes the weight; clients see only the number in the listing. */
export const newWeight = (description: string) =>
  Type.Unsafe<number | string>({
    type: ['integer', 'string'],
    minimum: 0,
    pattern: '^\\d{0,9}$',
    none: '""',
    problem: 'must be a number, or empty for none',
    description
  })

/** A new weight as the forge accepts it: null removes it. */
export const weightOrNone = (weight: unknown): number | null => (weight === '' ? null : Number(weight))
