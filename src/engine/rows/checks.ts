import { DAY_MS } from '../../base/units.ts'
import { isEmptyList } from '../../results/is-record.ts'
import { ArgumentError, CallProblem } from '../../results/problem.ts'
import { quotedName } from '../../results/visible.ts'
import type { ArgumentFlags, ArgumentSchema } from '../arguments/argument-flags.ts'
import type { Arguments, Check } from '../arguments/values.ts'
import { kinds } from '../names/named-kinds.ts'
import { dayPattern, timeOf } from './calendar.ts'

const given = (args: Arguments, names: readonly string[]) => names.filter(name => args[name] !== undefined)
const quoted = (names: readonly string[], joint: string) => names.map(name => `'${name}'`).join(joint)

/** At least one of the named arguments must be given, and not as an empty list. */
export const atLeastOne = (...names: string[]): Check => atLeastOneOf(names, '')

/** The same, with a hint where to find them. */
export const atLeastOneOf =
  (names: readonly string[], where: string): Check =>
  args => {
    if (given(args, names).every(name => isEmptyList(args[name])))
      throw new CallProblem(
        `At least one of ${quoted(names, names.length === 2 ? ' or ' : ', ')} must be provided${where}.`
      )
  }

/** Not more than one of the named arguments may be given. */
export const atMostOne = (...names: string[]): Check => atMostOneOf(names, '')

/** The same, with a hint what to do instead. */
export const atMostOneOf =
  (names: readonly string[], instead: string): Check =>
  args => {
    const present = given(args, names)
    if (present.length > 1)
      throw new CallProblem(
        `Only one of ${quoted(names, ' or ')} can be provided, not ${names.length === 2 ? 'both' : present.length}${instead}.`
      )
  }

/** Exactly one of the named arguments must be given: one message for none, another for more than one. */
export const exactlyOne = (...names: string[]): Check => {
  const least = atLeastOne(...names)
  const most = atMostOne(...names)
  return args => {
    least(args)
    most(args)
  }
}

/** The named arguments, if given, must contain more than blanks; an empty text counts as given. */
export const notBlank =
  (name: string): Check =>
  ({ [name]: text }) => {
    if (typeof text === 'string' && !/\S/.test(text)) throw new CallProblem(`${name} must not be empty.`)
  }

/** All of the named arguments must be given, or none. */
export const together =
  (...names: string[]): Check =>
  args => {
    const present = given(args, names)
    if (present.length > 0 && present.length < names.length)
      throw new CallProblem(`Give ${quoted(names, ' and ')} together, or leave both out.`)
  }

/** Whether an argument changes something: empty lists of labels to add or remove do not, nor does `confirm`. */
const isChange = (name: string, value: unknown): boolean =>
  value !== undefined && name !== 'confirm' && !(/^(?:add|remove)_/.test(name) && isEmptyList(value))

/** An update must change something: the arguments that say what to update are not enough. */
export const someChange =
  (...selectors: string[]): Check =>
  args => {
    if (!Object.keys(args).some(name => isChange(name, args[name]) && !selectors.includes(name)))
      throw new CallProblem(
        'Nothing to update: give at least one field to change. null counts as not given; what a field takes for none is said with it, and a list takes [].'
      )
  }

/**
 * The start of a time range must be before its end: a forge would only return an empty list. A day alone means its
 * first moment, except in a range of whole days.
 * @param properties of a tool's arguments
 */
export const timesInOrder = (
  properties: Readonly<Record<string, Pick<ArgumentFlags, 'ofDays'>>>
): readonly Check[] =>
  Object.entries(properties).flatMap(([name, { ofDays }]) => {
    const end = name === 'since' ? 'until' : name.replace(/_after$/, '_before')
    return end === name || !Object.hasOwn(properties, end) ? [] : [inOrder(name, end, ofDays)]
  })

const inOrder =
  (start: string, end: string, ofDays = false): Check =>
  ({ [start]: from, [end]: to }) => {
    if (timeOf(from) > timeOf(to))
      throw new CallProblem(`${start} ${from} is later than ${end} ${to}: nothing lies between them.`)
    if (timeOf(from) === timeOf(to) && !ofDays)
      throw new CallProblem(
        from === to && day.test(String(from))
          ? `${start} and ${end} are both ${from}, which means its first moment (midnight UTC): for the whole day give ${end} ${dayAfter(from)}.`
          : `${start} ${from} and ${end} ${to} are the same moment: nothing lies between them.`
      )
  }

const day = new RegExp(`^${dayPattern}$`)
const dayAfter = (from: unknown): string => new Date(timeOf(from) + DAY_MS).toISOString().slice(0, 10)

/**
 * Prepares the remark on an empty list whose times end with a day, of which only the first moment is meant. A day that
 * is to come leaves nothing out.
 * @param properties of a tool's arguments
 * @returns a function (args, value) that returns a sentence for each such end
 */
export function dayLeftOut(
  properties: Readonly<Record<string, ArgumentSchema>>
): (args: Arguments, value: unknown) => readonly string[] {
  const ends = Object.entries(properties).flatMap(([name, { ofDays, time }]) =>
    time && !ofDays && /^until$|_before$/.test(name) ? [name] : []
  )
  return (args, value) =>
    !isEmptyList(value)
      ? []
      : ends
          .filter(name => day.test(String(args[name])) && timeOf(args[name]) <= Date.now())
          .map(
            name =>
              `${name} ${args[name]} is the first moment of that day (midnight UTC): to have the day, too, give ${dayAfter(args[name])}.`
          )
}

/** The end of the line range must not be before its start. */
export const lineRange: Check = ({ start_line: start, end_line: end }) => {
  if (start !== undefined && end !== undefined && Number(end) < Number(start))
    throw new CallProblem(`end_line ${end} is before start_line ${start}.`)
}

/** Filter values that mean none or any. Beside others, a forge silently uses only one of them. */
const words = /^(?:none|any)$/i

/**
 * Such a word must be the only value of its argument. So must the words for upcoming and started milestones.
 * @param properties of a tool's arguments
 */
export const wordsAlone = (properties: Readonly<Record<string, ArgumentSchema>>): readonly Check[] =>
  Object.entries(properties).flatMap(([name, { names: naming, type }]) => {
    const isFilter = type === 'array' && naming?.use === 'filter'
    if (!isFilter || !(naming.noun === 'label' || naming.noun === 'milestone' || naming.orAny)) return []
    const isWord = naming.noun === 'milestone' ? kinds.milestone.words : words
    return [wordAlone(name, isWord)]
  })

const wordAlone =
  (name: string, isWord: RegExp): Check =>
  ({ [name]: given }) => {
    const word =
      Array.isArray(given) && given.length > 1
        ? given.find(one => isWord.test(String(one).trim()))
        : undefined
    if (word !== undefined) throw new ArgumentError(name, `has ${word} beside others: give that word alone`)
  }

/** Every iid must be a number. A forge would search in vain for anything else. */
export const numbersOnly: Check = ({ iids }) => {
  const other = (iids as readonly string[] | undefined)?.find(iid => !/^\d{1,19}$/.test(iid))
  if (other === undefined) return
  const [, number] = /^https?:\/\/.*\/(\d{1,19})\/?$/i.exec(other) ?? []
  const instead = number === undefined ? '' : `: give ${number}, the number in the address`
  throw new CallProblem(`iids are numbers, which ${quotedName(other)} is not${instead}.`)
}

/** Arguments that only make sense together with another one. */
export const onlyWith =
  (other: string, ...names: string[]): Check =>
  args => {
    const alone = args[other] === undefined ? given(args, names) : []
    if (alone.length > 0)
      throw new CallProblem(`${quoted(alone, ' and ')} can only be given with '${other}'.`)
  }

/** Arguments that the forge does not accept together with another one. */
export const notWith =
  (other: string, ...names: string[]): Check =>
  args => {
    const present = args[other] === undefined ? [] : given(args, names)
    if (present.length > 0)
      throw new CallProblem(`${quoted(present, ' and ')} cannot be given with '${other}'.`)
  }
