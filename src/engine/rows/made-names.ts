import type { TSchema } from 'typebox'
import type { Beside } from '../arguments/argument-flags.ts'
import { NAME_CHARS, noWebUrl, ofAtMost, text } from './fields.ts'

/* Arguments that are the names of what a call makes, as those of fields.ts; engine/arguments/coercion.ts refuses some. */

/** A name that a change gives to what it makes: characters that nobody sees are refused. */
export const made = <S extends TSchema>(name: S): S => ({ ...name, made: true })
/** The same where it makes something only beside another argument that is given, or has one of these values. */
export const madeBeside = <S extends TSchema>(beside: Beside, name: S): S => ({ ...name, made: beside })
/** Such a name that is given instead of another. @param named the argument beside it that has that one */
export const renaming = <S extends TSchema>(named: string, name: S): S => ({ ...name, renames: named })
/** A name or title to be given: more than blanks. @param maxLength characters that a forge stores of it */
export const newName = (maxLength = NAME_CHARS) => ({
  ...made(text()),
  ...ofAtMost(maxLength),
  pattern: `${noWebUrl}\\s*\\S`,
  problem: 'must not be empty, and no address: it is the name itself',
  neverEmpty: true
})
