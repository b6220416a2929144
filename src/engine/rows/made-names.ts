import type { TSchema } from 'typebox'
import type { Beside } from '../arguments/argument-flags.ts'
import { NAME_CHARS, noWebUrl, ofAtMost, text } from './fields.ts'

/*
 * Arguments for the names of things that a call creates, in addition to fields.ts; engine/arguments/coercion.ts refuses
 * some.
 */

/** A name for something that a change creates: invisible characters are refused. */
export const made = <S extends TSchema>(name: S): S => ({ ...name, made: true })
/** The same, for a call that creates something only if another argument is given, or has one of these values. */
export const madeBeside = <S extends TSchema>(beside: Beside, name: S): S => ({ ...name, made: beside })
/** A new name for something. @param named the argument beside it that has the current name */
export const renaming = <S extends TSchema>(named: string, name: S): S => ({ ...name, renames: named })
/** A new name or title: more than blanks. @param maxLength characters that a forge stores */
export const newName = (maxLength = NAME_CHARS) => ({
  ...made(text()),
  ...ofAtMost(maxLength),
  pattern: `${noWebUrl}\\s*\\S`,
  problem: 'must not be empty, and no address: it is the name itself',
  neverEmpty: true
})
