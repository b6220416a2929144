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
 * @param word the flag with its dashes, in lower case, and with dashes between its words
 * @param value of the flag; the word true if it has none
 * @returns neither of both if nothing is known that does the same
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
  if (variable !== undefined) return { meant: flagOf(variable), says: valueFor(names.at(-1)!, value) }
  return switchedOff.test(flag)
    ? { meant: turnedOff(flag.replace(switchedOff, '--$1')) }
    : { meant: nearest(flag, ['--help', '--version', ...byFlag.keys()]) }
}

const nameOf = (flag: string): string => flag.slice('--'.length).toUpperCase().replaceAll('-', '_')

/** The variable that a name in capitals means, also without its FORGE_, which other servers have in their variables. */
function variableOf(name: string, value: string): Variable | undefined {
  const meant = variableMeant(name, value)
  return (
    variables.find(variable => variable === meant) ?? ofOthers(`FORGE_${name}`, value) ?? byAbbreviation(name)
  )
}

/** Words by which flags say that something is to be off. */
const switchedOff = /^--(forge-)?(?:no|disable|without)-/

/** Words by which variables say that what they are about is not to be. */
const denies = /(?:^|_)(?:DEN(?:Y|IED)|REJECT)(?:_|$)/

/**
 * The flag with the value by which a thing is off. Where only the variable has a word of denial, that is its true value,
 * and nothing is said of other values: --no-tls is no advice to check no certificates.
 * @param flag of that thing, without the word for it
 */
function turnedOff(flag: string): string | undefined {
  const name = nameOf(flag)
  const named = byFlag.get(flag) ?? byFlag.get(elsewhere.get(flag) ?? '') ?? variableOf(name, '')
  const variable = named ?? byFlag.get(nearest(flag, byFlag.keys()) ?? '')
  if (variable === undefined) return undefined
  if (denies.test(variable) && !denies.test(name))
    return factsOf(variable).enum === undefined ? flagOf(variable) : undefined
  const off = offOf(variable)
  return off === undefined ? undefined : `${flagOf(variable)}=${off}`
}

/** The value by which a variable switches off what it is about; undefined if none does. */
function offOf(variable: Variable): string | undefined {
  const { type, enum: values, minimum } = factsOf(variable)
  if (type === 'boolean') return 'false'
  if (values !== undefined) return values.find(value => /^(?:off|silent|0)$/.test(value))
  // Port 0 is any free one.
  return minimum === 0 && variable !== 'PORT' ? '0' : undefined
}
