import { Type } from 'typebox'

/** The new weight: an empty text takes it away; clients are shown only the number. */
export const newWeight = (description: string) =>
  Type.Unsafe<number | string>({
    type: ['integer', 'string'],
    minimum: 0,
    pattern: '^\\d{0,9}$',
    none: '""',
    problem: 'must be a number, or empty for none',
    description
  })

/** It as a forge takes it: null is none. */
export const weightOrNone = (weight: unknown): number | null => (weight === '' ? null : Number(weight))
