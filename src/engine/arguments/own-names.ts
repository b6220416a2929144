import { isDeepStrictEqual } from 'node:util'
import { isEmptyList, isRecord } from '../../results/is-record.ts'
import { CallProblem } from '../../results/problem.ts'
import type { ArgumentSchema } from './argument-flags.ts'
import { asNamed, isRemark, meantName } from './name-meant.ts'

type ArgumentSchemas = Readonly<Record<string, ArgumentSchema>>

/** Most names in an object, more than any tool has. An object with more is refused without reading each. */
const MAX_NAMES = 200

/**
 * Renames the arguments to the names that the tool has for them, and removes those that are null, which counts as
 * absent. Every reader of arguments reads these, so a value means the same under any of its names. A name that stands
 * for none of the tool's arguments is kept, for the reader of arguments to refuse.
 * @param raw as received; a value that is not an object is returned as it is
 * @param fields the arguments of the tool, or the parts of the argument that is read
 * @param nulls collects the places of arguments that are null
 * @throws CallProblem for two values of one argument, unless they are equal or one is empty, and for more names than
 *   any tool has
 */
export function ownNames(raw: unknown, fields: ArgumentSchemas, nulls: string[] = []): unknown {
  return isRecord(raw) ? namedAnew(raw, fields, '', nulls) : raw
}

/** The same for an object. @param where prefix for messages and places */
export function namedAnew(
  raw: object,
  fields: ArgumentSchemas,
  where: string,
  nulls: string[]
): Readonly<Record<string, unknown>> {
  const names = Object.keys(raw)
  if (names.length > MAX_NAMES)
    throw new CallProblem(
      `Invalid arguments: ${where.slice(0, -1) || 'the object'} has ${names.length} names, and may have ${MAX_NAMES}.`
    )
  const all = raw as Readonly<Record<string, unknown>>
  const isGiven = (name: string) => Object.hasOwn(all, name) && (all[name] ?? null) !== null
  const has = (name: string) => Object.hasOwn(fields, name)
  const given = names.filter(name => (all[name] ?? null) !== null)
  const meant = (name: string) =>
    meantName(name, own => has(own) && !isGiven(own) && !isRemark(name, fields[own]!))
  const ownName = (name: string) => (has(name) ? name : meant(name))
  const own = given.map(name => ownName(name) ?? name)
  // Building a new object takes longer than looking at its names.
  if (given.length === names.length && own.every((name, at) => name === given[at])) return all
  const named = new Map<string, string>()
  for (const [at, name] of own.entries()) {
    const [one, other] = [given[at]!, named.get(name)]
    if (other === undefined || isEmpty(all[other])) named.set(name, one)
    else if (!isEmpty(all[one]) && !isSame(all[one], all[other]))
      throw new CallProblem(
        `Invalid arguments: ${where}${other} and ${where}${one} both stand for ${name}: give one.`
      )
  }
  const absent = new Set(names.filter(name => all[name] === null).map(ownName))
  nulls.push(...[...absent].flatMap(name => (name === undefined || named.has(name) ? [] : [where + name])))
  return Object.fromEntries(
    [...named].map(([name, one]) => [name, asNamed(one, name, all[one], fields[name] ?? {})])
  )
}

/** A value that models fill in for an argument they mean to omit. */
const isEmpty = (value: unknown): boolean => !isEmptyList(value) && [value].flat().every(one => one === '')

/** Compares two values; a number may be written as text. */
const isSame = (value: unknown, other: unknown): boolean =>
  typeof value === 'object' ? isDeepStrictEqual(value, other) : value === other || `${value}` === `${other}`
