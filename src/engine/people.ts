import type { TObject } from 'typebox'
import { isStatus } from '../results/failure.ts'
import { recordsIn } from '../results/is-record.ts'
import { ArgumentError, CallProblem } from '../results/problem.ts'
import { quoted } from '../results/visible.ts'
import type { Arguments } from './checks.ts'
import { type Asked, digitsOf, type Find, flaggedOf, idOf, type NamedStep } from './flagged.ts'
import { queryOf } from './query.ts'
import { recordOf } from './record.ts'
import { sideBySide } from './side-by-side.ts'
import { placeOf } from './template.ts'

/* People, as callers name them: by id, by username with or without @, or as themselves. */

/** The id of a person. */
export const personId: Find = async (name, person, args, context) => {
  const { forge, known } = context
  const id = digitsOf(person)
  if (id !== undefined) return Number(id)
  if (meansYou(person)) return (await you(name, context)).id
  const username = person.replace(/^@/, '')
  return known.remember(keyOf(username), async () => {
    const found = await idOfUsername(username, forge)
    if (found !== undefined) return found
    if (name.endsWith('ids') && meansNobody(person))
      throw new ArgumentError(
        name,
        `names ${JSON.stringify(person)}, and nobody has that username: an empty list is for nobody`
      )
    const guess = await context.looks.within(() => peopleLike(username, args, context))
    if (guess !== undefined)
      throw new CallProblem(`${name} names ${JSON.stringify(person)}, and nobody has that username: ${guess}`)
    throw new ArgumentError(
      name,
      `names ${JSON.stringify(person)}, and nobody has that username; find_users finds people by name`
    )
  })
}

const keyOf = (username: string): string => `user ${username}`

/** @returns undefined where nobody has it */
async function idOfUsername(username: string, forge: Asked['forge']): Promise<number | undefined> {
  const place = placeOf('GET /users', {}, queryOf({ username }))
  const { value } = await forge.send({ method: 'GET', ...place })
  const wanted = username.toLowerCase()
  return idOf(value, ({ username: is }) => String(is).toLowerCase() === wanted)
}

/**
 * Whether somebody has a username; a full name is none. That nobody has is not kept: someone may take it at any time.
 */
export async function isUsername(name: string, { forge, known }: Asked): Promise<boolean> {
  if (!/^[\w.-]+$/.test(name)) return false
  if (known.recall(keyOf(name)) !== undefined) return true
  const id = await idOfUsername(name, forge)
  if (id !== undefined) await known.remember(keyOf(name), async () => id)
  return id !== undefined
}

/** The same for a filter that may be None or Any. */
export const personIdOrAny: Find = async (name, person, args, context) => {
  if (/^(?:none|any|0)$/i.test(person)) return person
  return meansNobody(person) ? 'None' : personId(name, person, args, context)
}

/** People who are told of at most. */
const FEW = 3

/**
 * Asks whether somebody whose name is like it was meant, of the project that the call names where it names one.
 * @returns undefined where nobody's is, and where who is may not be read or listed
 */
export async function peopleLike(
  name: string,
  args: Arguments,
  context: Pick<Asked, 'forge' | 'mayRun'>
): Promise<string | undefined> {
  if (!context.mayRun(args.project_id === undefined ? 'find_users' : 'list_members')) return undefined
  const list = args.project_id === undefined ? 'GET /users' : 'GET /projects/{project_id}/users'
  const place = placeOf(list, args, queryOf({ search: name, per_page: FEW }))
  const { value } = await context.forge.send({ method: 'GET', ...place }).catch(() => ({ value: [] }))
  const people = recordsIn(value).flatMap(({ username, name }) =>
    typeof username !== 'string'
      ? []
      : [typeof name === 'string' ? `${quoted(username)} (${quoted(name)})` : quoted(username)]
  )
  if (people.length === 0) return undefined
  return `did you mean ${people.slice(0, FEW).join(' or ')}?`
}

/** Words by which whoever calls is meant. */
const meansYou = (person: string): boolean => /^@?(?:me|myself|current[ _-]?user)$/i.test(person.trim())

/** Words by which somebody is to be taken off. */
const meansNobody = (person: string): boolean => /^(?:none|null|unassign(?:ed)?)$/i.test(person.trim())

/** Whoever calls. @throws ArgumentError where the forge does not tell, as of a job's token */
export const you = (
  name: string,
  { forge, known }: Pick<Asked, 'forge' | 'known'>
): Promise<{ id: number; username: string }> =>
  known.remember('you', async () => {
    const unknown = () =>
      new ArgumentError(name, 'means you, and the forge does not say who this token is of: give the username')
    const { value } = await forge.send({ method: 'GET', path: '/user', template: '/user' }).catch(error => {
      throw isStatus(error, [401, 403]) ? unknown() : error
    })
    const { id, username } = recordOf(value)
    if (typeof id !== 'number' || typeof username !== 'string') throw unknown()
    return { id, username }
  })

/**
 * Prepares the reading of usernames: `@ada` is `ada`, and `me` whoever calls.
 * @returns undefined for a tool that takes none
 */
export function usernameStep(schema: TObject): NamedStep | undefined {
  const names = flaggedOf(schema, ({ username }) => username)
  if (names.length === 0) return undefined
  return async (args, context) => {
    for (const name of names) {
      const read = async (person: unknown) =>
        meansYou(String(person)) ? (await you(name, context)).username : String(person).replace(/^@/, '')
      const value = args[name]
      if (Array.isArray(value)) args[name] = await sideBySide(value, 1, read)
      else if (value !== undefined) args[name] = await read(value)
    }
  }
}
