import type { TObject } from 'typebox'
import { explainFailure, isStatus, stepForKeptOut } from '../../results/failure.ts'
import { recordsIn } from '../../results/is-record.ts'
import { ArgumentError, CallProblem } from '../../results/problem.ts'
import { quoted } from '../../results/visible.ts'
import { sameName } from '../arguments/same-name.ts'
import type { Arguments } from '../arguments/values.ts'
import type { LookupContext } from '../context.ts'
import { queryOf } from '../requests/query.ts'
import { recordOf } from '../requests/record.ts'
import { sideBySide } from '../requests/side-by-side.ts'
import { requestTo } from '../requests/template.ts'
import { type Find, firstIdOf, flaggedOf, idDigitsOf, isUrl, type NamedStep } from './flagged.ts'

/* Finds people by the forms that callers use: an id, a username with or without @, or `me`. */

/** Finds the id of a person. */
export const personId: Find = async (name, person, args, context) => {
  const { forge, names } = context
  const id = idDigitsOf(person)
  if (id !== undefined) return Number(id)
  if (meansYou(person)) return (await you(name, context)).id
  const username = usernameIn(name, person, forge.webUrl)
  return names.find(`user ${username}`, async () => {
    const found = await idOfUsername(username, forge)
    if (found !== undefined) return found
    if (name.endsWith('ids') && meansNobody(person))
      throw new ArgumentError(
        name,
        `names ${JSON.stringify(person)}, and nobody has that username: an empty list is for nobody; left out, it stays`
      )
    const guess = await context.lookups.within(() => peopleLike(username, args, context))
    if (guess !== undefined)
      throw new CallProblem(`${name} names ${JSON.stringify(person)}, and nobody has that username: ${guess}`)
    throw new ArgumentError(
      name,
      `names ${JSON.stringify(person)}, and nobody has that username; find_users finds people by name`
    )
  })
}

/**
 * The username in the name of a person: `@ada`, or the address of the profile, which records have as web_url.
 * @param argument that names the person
 * @throws ArgumentError for any other address
 */
function usernameIn(argument: string, person: string, webUrl: string): string {
  if (!isUrl(person)) return person.replace(/^@/, '')
  const [address, home] = [person.trim(), `${webUrl}/`]
  const isHere = address.slice(0, home.length).toLowerCase() === home.toLowerCase()
  const [, username] =
    /^(?:users\/)?([\w.-]{1,255})\/?(?:[?#]|$)/.exec(isHere ? address.slice(home.length) : '') ?? []
  if (username === undefined)
    throw new ArgumentError(
      argument,
      `is an address, and not that of a person on ${webUrl}: give the username`
    )
  return username
}

/** @returns the id; undefined if nobody has the username */
async function idOfUsername(username: string, forge: LookupContext['forge']): Promise<number | undefined> {
  const isWanted = sameName(username)
  return firstIdOf(await usersCalled(username, forge), ({ username: is }) => isWanted(is))
}

/** The people that the forge returns for a username; it may ignore the filter. */
async function usersCalled(username: string, forge: LookupContext['forge']) {
  const request = requestTo('GET /users', {}, queryOf({ username }))
  return recordsIn((await forge.send(request)).value)
}

/** Whether somebody has a username; full names do not count. */
export const isUsername = async (name: string, { forge }: LookupContext): Promise<boolean> =>
  /^[\w.-]+$/.test(name) && (await idOfUsername(name, forge)) !== undefined

/** The same as personId for a filter that may also be None or Any. */
export const personIdOrAny: Find = async (name, person, args, context) => {
  if (/^(?:none|any|0)$/i.test(person)) return person
  return meansNobody(person) ? 'None' : personId(name, person, args, context)
}

/** Most people that are suggested. */
const MAX_SUGGESTED = 3

/**
 * Suggests people with a similar name, from the project that the call names if it names one.
 * @returns undefined if there are none, or if the members may not be read or listed
 */
export async function peopleLike(
  name: string,
  args: Arguments,
  context: Pick<LookupContext, 'forge' | 'mayRun'>
): Promise<string | undefined> {
  if (isMeElsewhere.test(name.trim())) return 'did you mean "me", which is you?'
  if (!context.mayRun(args.project_id === undefined ? 'find_users' : 'list_members')) return undefined
  const list = args.project_id === undefined ? 'GET /users' : 'GET /projects/{project_id}/users'
  const request = requestTo(list, args, queryOf({ search: name, per_page: MAX_SUGGESTED }))
  const { value } = await context.forge.send(request).catch(() => ({ value: [] }))
  const people = recordsIn(value)
    .filter(({ username }) => typeof username === 'string')
    .slice(0, MAX_SUGGESTED)
    .map(({ username, name }) => quoted(username) + (typeof name === 'string' ? ` (${quoted(name)})` : ''))
  if (people.length === 0) return undefined
  return `did you mean ${people.join(' or ')}?`
}

/** Words for `me` that are nobody's username here: in other languages, and in other services. */
const isMeElsewhere = /^@?(?:self|mine|ich|mich|moi|yo|mí|ik|mij|я|我|自己|私|自分|나|저|tôi|أنا|मैं)$/i

/** Whether a text means the caller. */
const meansYou = (person: string): boolean => /^@?(?:me|myself|current[ _-]?user)$/i.test(person.trim())

/** Whether a text means that nobody is to be assigned. */
export const meansNobody = (person: string): boolean =>
  /^(?:none|null|unassign(?:ed)?)?$/i.test(person.trim())

const unknownYou = (argument: string) =>
  new ArgumentError(argument, 'means you, and the forge does not say who this token is of: give the username')

/**
 * A refusal to say who the caller is. The advice of a tool for the same status is about what the tool does.
 * @returns undefined for any other error
 */
function refusedYou(argument: string, error: unknown): CallProblem | undefined {
  if (!isStatus(error, [401, 403])) return undefined
  const { status, message } = error
  const isOfScope = /^insufficient_/.test(message) || stepForKeptOut(message) === undefined
  const instead = status === 403 && isOfScope ? ' Or give the username.' : ''
  return new CallProblem(
    `${argument} means you, and the forge does not say who that is. ${explainFailure(error, false)}${instead}`,
    { cause: error }
  )
}

/**
 * The caller, with the full name if the forge reports it.
 * @throws ArgumentError if the forge does not say who the caller is, as for a job token; CallProblem if it refuses to
 */
export const you = (
  argument: string,
  { forge, known }: Pick<LookupContext, 'forge' | 'known'>
): Promise<{ id: number; username: string; name?: string }> =>
  known.remember('you', async () => {
    const { value } = await forge.send(requestTo('GET /user', {})).catch(error => {
      const refused = refusedYou(argument, error)
      throw refused === undefined ? error : forge.isOfJob ? unknownYou(argument) : refused
    })
    const { id, username, name } = recordOf(value)
    if (typeof id !== 'number' || typeof username !== 'string') throw unknownYou(argument)
    return { id, username, ...(isFullName(name) && { name }) }
  })

const isFullName = (name: unknown): name is string => typeof name === 'string' && /\S/.test(name)

/**
 * The full name of a person who is given as `me`, or as `@username` if the caller may look people up. A commit has the
 * full name of its author, and no username.
 * @param argument that names the person
 * @returns undefined for any other text, and for a username that nobody has: `@acme.example` is a part of an address
 * @throws ArgumentError if the forge does not say who the caller is; what ForgeClient.send throws
 */
export async function fullNameOf(
  argument: string,
  person: string,
  context: LookupContext
): Promise<string | undefined> {
  if (meansYou(person)) {
    const { name } = await you(argument, context)
    if (name === undefined) throw unknownYou(argument)
    return name
  }
  const [, username] = /^\s*@([\w.-]+)\s*$/.exec(person) ?? []
  if (username === undefined || !context.mayRun('find_users')) return undefined
  const isWanted = sameName(username)
  const name = (await usersCalled(username, context.forge)).find(one => isWanted(one.username))?.name
  return isFullName(name) ? name : undefined
}

/**
 * Prepares the reading of usernames: `@ada` and the address of her profile become `ada`, and `me` becomes the caller's.
 * @returns undefined for a tool that takes none
 */
export function usernameStep(schema: TObject): NamedStep | undefined {
  const names = flaggedOf(schema, ({ username }) => username)
  if (names.length === 0) return undefined
  return async (args, context) => {
    for (const name of names) {
      const read = async (person: unknown) =>
        meansYou(String(person))
          ? (await you(name, context)).username
          : usernameIn(name, String(person), context.forge.webUrl)
      const value = args[name]
      if (Array.isArray(value)) args[name] = await sideBySide(value, 1, read)
      else if (value !== undefined) args[name] = await read(value)
    }
  }
}
