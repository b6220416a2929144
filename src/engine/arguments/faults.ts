import { ownValue } from '../../results/is-record.ts'
import { shortened } from '../../results/shortened.ts'
import { withArticle } from '../../results/with-article.ts'
import type { ArgumentSchema } from './argument-flags.ts'
import { guessOf } from './problems.ts'
import type { Arguments } from './values.ts'

/** A fault as the validator reports it. */
export interface Fault {
  keyword: string
  instancePath: string
  params: Record<string, unknown>
  message: string
}

export type Properties = ReadonlyMap<string, ArgumentSchema>

/**
 * Describes a fault; empty if another fault says the same.
 * @param now milliseconds since 1970, to tell the caller today's date
 */
export function describeFault(fault: Fault, args: Arguments, properties: Properties, now: number): string[] {
  const { keyword, params, instancePath } = fault
  const where = instancePath.slice(1).replaceAll('/', '.')
  switch (keyword) {
    case 'required': {
      const missing = (params.requiredProperties as string[]).map(name => {
        const { enum: words, items, lacking } = propertyAt(`${instancePath}/${name}`, properties) ?? {}
        const ofList = items?.enum === undefined ? lacking : `some of ${items.enum.join(', ')}`
        const what =
          behindProject(name, args) ?? (words === undefined ? ofList : `one of ${words.join(', ')}`)
        return `${where === '' ? name : `${where}.${name}`} is required${what === undefined ? '' : ` (${what})`}`
      })
      const instead = where === '' ? undefined : propertyAt(instancePath, properties)?.problem
      return instead === undefined ? missing : [`${missing.join(', ')}${instead}`]
    }
    case 'enum': {
      const property = propertyAt(instancePath, properties)
      return [`${where} ${noneOf(params.allowedValues as string[], valueAt(args, instancePath), property)}`]
    }
    case 'type':
      return notOfType(fault, where, args, properties)
    case 'boolean':
      return []
    case 'pattern':
    case 'format':
      return [`${where} ${notOfForm(fault, args, properties, now)}`]
    case 'additionalProperties':
      return (params.additionalProperties as string[]).map(
        name => `${where || 'arguments'} has no field ${JSON.stringify(name)}`
      )
    case 'minItems':
      return [`${where} must have at least ${counted(params.limit, 'item')}`]
    case 'minLength':
      return [`${where} must have at least ${counted(params.limit, 'character')}`]
    default:
      return [`${where || 'arguments'} ${fault.message}`]
  }
}

/** Finds a number that was written behind its project, as in acme/rocket#6, and says that it goes elsewhere. */
function behindProject(name: string, { project_id }: Arguments): string | undefined {
  if (!name.endsWith('iid') || typeof project_id !== 'string') return undefined
  const number = /[#!](\d{1,19})$/.exec(project_id.slice(-20))?.[1]
  return number && `${number}, which is not part of project_id`
}

/**
 * Says why a value is not of its type, and what to do with several values in place of one; empty for a word of an enum.
 */
function notOfType(
  { params, instancePath }: Fault,
  where: string,
  args: Arguments,
  properties: Properties
): string[] {
  const property = propertyAt(instancePath, properties)
  // The enum reports its own fault.
  if (property?.enum !== undefined) return []
  const wanted = [params.type].flat().map(type => withArticle(String(type)))
  // For a value of another type, only the part "must be …" of the row's message applies.
  const said = /^must be .*?(?=: it is |$)/.exec(property?.problem ?? '')?.[0]
  const value = valueAt(args, instancePath)
  const what = property?.lacking === undefined ? '' : ` (${property.lacking})`
  const must = said ?? `must be ${wanted.join(' or ')}${what}`
  const instead = Array.isArray(value) && value.length > 1 ? oneByOne(where, property) : ''
  return [`${where} ${must}, not ${kindOf(value, property)}${instead}`]
}

/**
 * Says why a text does not have its format. For a time that is given in words, without a year, adds today's date: a
 * model does not know it, and would guess.
 */
function notOfForm(
  { keyword, instancePath, message }: Fault,
  args: Arguments,
  properties: Properties,
  now: number
): string {
  const { problem, day, time } = propertyAt(instancePath, properties) ?? {}
  const said =
    keyword === 'format' ? 'must be a date that there is, written YYYY-MM-DD' : (problem ?? message)
  const inWords = (day || time) && !/\d{4}/.test(String(valueAt(args, instancePath)))
  return inWords ? `${said} (today is ${new Date(now).toISOString().slice(0, 10)}, UTC)` : said
}

/** Names of arguments that take one thing. */
const namesOne = /(?:^|[._])(?:i?id|path|name|branch|ref|sha|slug|project|group|username)$/

/** What to do with several things in an argument that takes one. @param where the place of the argument */
function oneByOne(where: string, property: ArgumentSchema | undefined): string {
  if (!namesOne.test(where)) return ''
  if (where.includes('.')) return ': give each in an item of its own'
  const many = property?.ofSeveral
  return `: call once for each${many === undefined ? '' : `; ${many} takes several`}`
}

/** Says that a value is none of a set of words, and suggests the one that may be meant. */
function noneOf(words: readonly string[], value: unknown, property: ArgumentSchema | undefined): string {
  const guess =
    typeof value === 'string'
      ? (ownValue(property?.instead, value.trim().toLowerCase()) ?? guessOf(value, words))
      : `not ${kindOf(value, property)}`
  const said = guess === undefined ? '' : ` (${guess})`
  return `must be one of ${words.join(', ')}${said}${property?.problem ?? ''}`
}

const counted = (count: unknown, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

function kindOf(value: unknown, property: ArgumentSchema | undefined): string {
  if (Array.isArray(value)) return 'an array'
  if (value === null) return 'null'
  const text = typeof value === 'object' ? undefined : String(value)
  if (text === undefined) return 'an object'
  if (property?.writeOnly) return `a ${typeof value}`
  return `the ${typeof value} ${JSON.stringify(shortened(text, 40))}`
}

/** The schema at a pointer, through objects and arrays. */
function propertyAt(pointer: string, properties: Properties): ArgumentSchema | undefined {
  let property: ArgumentSchema | undefined = { properties: Object.fromEntries(properties) }
  for (const key of pointer.slice(1).split('/')) property = property?.items ?? property?.properties?.[key]
  return property
}

function valueAt(args: Arguments, pointer: string): unknown {
  let value: unknown = args
  for (const key of pointer.slice(1).split('/')) value = (value as Record<string, unknown> | undefined)?.[key]
  return value
}
