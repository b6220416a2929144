import type { Arguments } from '../../../src/engine/arguments/values.ts'
import type { NoticeContext } from '../../../src/engine/context.ts'

type Notice = (
  value: unknown,
  args: Arguments,
  context: NoticeContext,
  adapted: Arguments
) => string | undefined

/** Combines several notices into one. It gives undefined if none of them says anything. */
export const allSaid =
  (...notices: readonly Notice[]): Notice =>
  (...given) =>
    notices
      .map(notice => notice(...given))
      .filter(said => said !== undefined)
      .join(' ') || undefined
