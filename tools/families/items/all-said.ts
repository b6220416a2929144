import type { Arguments } from '../../../src/engine/arguments/values.ts'

type Notice = (value: unknown, args: Arguments) => string | undefined

/** Combines several notices into one. It gives undefined if none of them says anything. */
export const allSaid =
  (...notices: readonly Notice[]): Notice =>
  (value, args) =>
    notices
      .map(notice => notice(value, args))
      .filter(said => said !== undefined)
      .join(' ') || undefined
