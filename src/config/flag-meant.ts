import { nearest } from '../base/nearest.ts'
import { byAbbreviation } from './abbreviations.ts'
import { insteadOf, ofOthers, valueFor } from './meant-variable.ts'
import { variableMeant } from './misspelt.ts'
import { factsOf, type Variable, variables } from './schema.ts'

/** The flag of a variable, with its dashes. */
export const flagOf = (variable: string): string => `--${variable.toLowerCase().replaceAll('_', '-')}`
/** The variables by their flags. */
export const byFlag: ReadonlyMap<string, Variable> = new Map(
  variables.map(variable => [flagOf(variable), variable])
)

/** Flags of other servers of this kind, with the flag that does the same here. */
const elsewhere = new Map([
  ['--stdio', '--streamable-http=false'],
  ['--transport', '--streamable-http, which is false for stdio,'],
  ['--http', '--streamable-http=true, as it is anyway,'],
  ['--bind', '--host'],
  ['--listen', '--host'],
  ['--verbose', '--log-level=debug'],
  ['--debug', '--log-level=debug'],
  ['--api-key', '--forge-personal-access-token'],
  ['--readonly', '--forge-read-only-mode']
])

/** The flag that does here what a flag of another server does there, in words that precede "may be meant". */
export const flagElsewhere = (flag: string): string | undefined => elsewhere.get(flag)

/** What an unknown flag may mean. */
interface FlagMeant {
  /** The known flag, maybe with a value; undefined if none is similar. */
  readonly meant?: string | undefined
  /** The alternative to something that does not exist here, or the value to set, as a sentence. */
  readonly says?: string | undefined
}

/**
 * What an unknown flag was probably meant to be. The same name as a variable means the same: only what is judged to be
 * no variable is compared by its letters, as two flags of almost the same letters may do the opposite of each other.
 * @param word in lower case and with dashes
 * @param value of the flag, true if it has none
 */
export function flagMeant(word: string, value: string): FlagMeant {
  const flag = word.replace(/^--(no-)?gitlab-/, '--$1forge-')
  const known = elsewhere.get(flag)
  if (known !== undefined) return { meant: known }
  const name = nameOf(flag)
  const names = name.startsWith('FORGE_') ? [name] : [name, `FORGE_${name}`]
  const none = names.find(one => insteadOf(one) !== undefined)
  if (none !== undefined) return { says: insteadOf(none) }
  const variable = variableOf(name, value)
  if (variable !== undefined) return { meant: flagOf(variable), says: valueFor(name, value) }
  return switchedOff.test(flag)
    ? { meant: turnedOff(flag.replace(switchedOff, '--$1')) }
    : { meant: nearest(flag, ['--help', '--version', ...byFlag.keys()]) }
}

const nameOf = (flag: string): string => flag.slice('--'.length).toUpperCase().replaceAll('-', '_')

/** The variable that a name in capitals means, also without its FORGE_, which other servers have in their variables. */
const variableOf = (name: string, value: string): Variable | undefined =>
  variables.find(variable => variable === variableMeant(name, value)) ??
  ofOthers(`FORGE_${name}`, value) ??
  byAbbreviation(name)

/** Words by which flags say that something is to be off. */
const switchedOff = /^--(forge-)?(?:no|disable|without)-/

/** The flag with the value by which a thing is off. @param flag of that thing, without the word for it */
function turnedOff(flag: string): string | undefined {
  const named = byFlag.get(flag) ?? byFlag.get(elsewhere.get(flag) ?? '') ?? variableOf(nameOf(flag), '')
  const variable = named ?? byFlag.get(nearest(flag, byFlag.keys()) ?? '')
  const off = variable === undefined ? undefined : offOf(variable)
  return off === undefined ? undefined : `${flagOf(variable!)}=${off}`
}

/** The value by which a variable switches off what it is about; undefined if none does. */
function offOf(variable: Variable): string | undefined {
  const { type, enum: values, minimum } = factsOf(variable)
  if (type === 'boolean') return 'false'
  if (values !== undefined) return values.find(value => /^(?:off|silent|0)$/.test(value))
  // Port 0 is any free one.
  return minimum === 0 && variable !== 'PORT' ? '0' : undefined
}
