import type { Arguments } from '../../src/engine/checks.ts'

type Notice = (value: unknown, args: Arguments) => string | undefined

/** One notice of several: what each of them says, if any does. */
export const allSaid =
  (...notices: readonly Notice[]): Notice =>
  (value, args) =>
    notices
      .map(notice => notice(value, args))
      .filter(said => said !== undefined)
      .join(' ') || undefined
