import type { TObject } from 'typebox'
import type { ToolContext } from './context.ts'
import { ArgumentError } from './problem.ts'
import { sideBySide } from './side-by-side.ts'
import { isNamespace, placeOf } from './template.ts'

/*
 * Arguments that a caller may give by name where the forge wants a number, or by web address where it wants a path.
 * Which they are, fields.ts says of each; rows have nothing to do for it.
 */

type Args = Record<string, unknown>

interface Flags {
  /** Ids or usernames. */
  readonly people?: boolean
  /** The id or the title of a milestone of `project_id` or `group_id`. */
  readonly milestone?: boolean
}

const namesOf = ({ properties }: TObject, wanted: (flags: Flags, name: string) => boolean | undefined) =>
  Object.entries(properties as Record<string, Flags>)
    .filter(([name, flags]) => wanted(flags, name))
    .map(([name]) => name)

/**
 * Prepares the reading of web addresses where a project or group is meant.
 * @returns a step that puts the path in their place. It throws ArgumentError for an address of another forge
 */
export function addressStep(schema: TObject): (args: Args, webUrl: string) => void {
  const names = namesOf(schema, (_, name) => isNamespace(name))
  return (args, webUrl) => {
    for (const name of names) {
      const value = args[name]
      if (typeof value === 'string') args[name] = pathOf(name, value, webUrl)
    }
  }
}

/** The path in a project's or group's web address, or a path with slashes around it, as a plain path. */
function pathOf(name: string, value: string, webUrl: string): string {
  if (!value.includes('/')) return value
  if (!/^https?:/i.test(value)) return value.replace(/^\/+(?=[^/])/, '').replace(/([^/])\/+$/, '$1')
  const home = `${webUrl}/`
  if (value.slice(0, home.length).toLowerCase() !== home.toLowerCase())
    throw new ArgumentError(name, `is an address of another forge than ${webUrl}`)
  const path = value
    .slice(home.length)
    .replace(/[?#].*$/s, '')
    .replace(/\/-\/.*$/s, '')
    .replace(/^groups\//, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
  if (path === '') throw new ArgumentError(name, 'is the address of the forge itself')
  return path
}

/** Puts numbers in the place of names. It throws CallProblem for a name that nothing has, and what the forge's refusals are */
export type NamedStep = (args: Args, context: Pick<ToolContext, 'forge' | 'known'>) => Promise<void>

/** Prepares the look-up of people and milestones by name. @returns undefined for a tool that takes neither */
export function namedStep(schema: TObject): NamedStep | undefined {
  const people = namesOf(schema, ({ people }) => people)
  const milestones = namesOf(schema, ({ milestone }) => milestone)
  if (people.length === 0 && milestones.length === 0) return undefined
  return async (args, context) => {
    for (const name of people)
      if (Array.isArray(args[name]))
        args[name] = [
          ...new Set(await sideBySide(args[name], 4, person => personId(name, String(person), context)))
        ]
      else if (typeof args[name] === 'string') args[name] = String(await personId(name, args[name], context))
    for (const name of milestones)
      if (typeof args[name] === 'string') args[name] = await milestoneId(name, args[name], args, context)
  }
}

const isNumber = (text: string): boolean => /^\d{1,15}$/.test(text)

async function personId(
  name: string,
  person: string,
  { forge, known }: Pick<ToolContext, 'forge' | 'known'>
): Promise<number> {
  if (isNumber(person)) return Number(person)
  const username = person.replace(/^@/, '')
  return known.remember(`user ${username}`, async () => {
    const place = placeOf('GET /users', {}, `${new URLSearchParams({ username })}`)
    const { value } = await forge.send({ method: 'GET', ...place })
    return idOf(
      value,
      ({ username: is }) => String(is).toLowerCase() === username.toLowerCase(),
      () => {
        throw new ArgumentError(name, `names ${JSON.stringify(person)}, and nobody has that username`)
      }
    )
  })
}

const HOLDERS = [
  { argument: 'project_id', list: 'GET /projects/{project_id}/milestones', noun: 'project' },
  { argument: 'group_id', list: 'GET /groups/{group_id}/milestones', noun: 'group' }
]

async function milestoneId(
  name: string,
  title: string,
  args: Args,
  { forge, known }: Pick<ToolContext, 'forge' | 'known'>
): Promise<string> {
  const holder = HOLDERS.find(({ argument }) => args[argument] !== undefined)
  if (isNumber(title) || holder === undefined) return title
  const query = `${new URLSearchParams({ title, include_ancestors: 'true' })}`
  const place = placeOf(holder.list, args, query)
  const id = await known.remember(`milestone ${place.path}`, async () => {
    const { value } = await forge.send({ method: 'GET', ...place })
    return idOf(
      value,
      ({ title: is }) => is === title,
      () => {
        throw new ArgumentError(
          name,
          `names ${JSON.stringify(title)}, and no milestone of the ${holder.noun} has that title`
        )
      }
    )
  })
  return String(id)
}

function idOf(list: unknown, isIt: (record: Args) => boolean, none: () => never): number {
  const found = Array.isArray(list) ? (list as Args[]).find(record => isIt(record ?? {})) : undefined
  return typeof found?.id === 'number' ? found.id : none()
}
