import type { TObject } from 'typebox'
import type { ToolContext } from './context.ts'
import { ArgumentError } from './problem.ts'
import { projectIdOf } from './project-id.ts'
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
  /** Ids or titles of their labels. */
  readonly labelIds?: boolean
  /** The id or the path of a project, where the forge takes the id alone. */
  readonly projectNumber?: boolean
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

type Asked = Pick<ToolContext, 'forge' | 'known'>
type Find = (name: string, value: string, args: Args, context: Asked) => Promise<number | string>

/** Names of one argument that are looked up at once. */
const AT_ONCE = 4

/** Prepares the look-up of people, milestones, labels and projects by name. @returns undefined for a tool that takes none */
export function namedStep(schema: TObject): NamedStep | undefined {
  const finds: readonly (readonly [string, Find])[] = [
    ...namesOf(schema, ({ projectNumber }) => projectNumber).map(name => [name, projectNumber] as const),
    ...namesOf(schema, ({ people }) => people).map(name => [name, personId] as const),
    ...namesOf(schema, ({ milestone }) => milestone).map(name => [name, milestoneId] as const),
    ...namesOf(schema, ({ labelIds }) => labelIds).map(name => [name, labelId] as const)
  ]
  if (finds.length === 0) return undefined
  return async (args, context) => {
    for (const [name, find] of finds) {
      const value = args[name]
      if (Array.isArray(value))
        args[name] = [
          ...new Set(await sideBySide(value, AT_ONCE, one => find(name, String(one), args, context)))
        ]
      else if (typeof value === 'string') args[name] = String(await find(name, value, args, context))
    }
  }
}

/** The digits of an id, alone or at the end of a global id; undefined for a name. */
const digitsOf = (text: string): string | undefined =>
  /^(?:gid:\/\/gitlab\/\w+\/)?(\d{1,15})$/.exec(text)?.[1]

const projectNumber: Find = (_name, project, _args, context) => projectIdOf({ project_id: project }, context)

async function personId(name: string, person: string, _: Args, { forge, known }: Asked): Promise<number> {
  const id = digitsOf(person)
  if (id !== undefined) return Number(id)
  const username = person.replace(/^@/, '')
  return known.remember(`user ${username}`, async () => {
    const place = placeOf('GET /users', {}, `${new URLSearchParams({ username })}`)
    const { value } = await forge.send({ method: 'GET', ...place })
    return idOf(
      value,
      ({ username: is }) => String(is).toLowerCase() === username.toLowerCase(),
      () => {
        throw new ArgumentError(
          name,
          `names ${JSON.stringify(person)}, and nobody has that username; find_users finds people by name`
        )
      }
    )
  })
}

const HOLDERS = [
  { argument: 'project_id', place: 'GET /projects/{project_id}', noun: 'project' },
  { argument: 'group_id', place: 'GET /groups/{group_id}', noun: 'group' }
]

const milestoneId: Find = (name, title, args, context) =>
  heldId(
    { list: 'milestones', query: { title, include_ancestors: 'true' }, noun: 'milestone', called: 'title' },
    name,
    title,
    args,
    context
  )

const labelId: Find = (name, title, args, context) =>
  heldId(
    { list: 'labels', query: { search: title, per_page: '100' }, noun: 'label', called: 'name' },
    name,
    title,
    args,
    context
  )

interface Held {
  /** The list of the project or group, with what narrows it to the name. */
  readonly list: string
  readonly query: Readonly<Record<string, string>>
  readonly noun: string
  /** The field of the name. */
  readonly called: string
}

/** The id of what a project or group has by that name; a name as it is where neither of both is given. */
async function heldId(
  { list, query, noun, called }: Held,
  name: string,
  title: string,
  args: Args,
  { forge, known }: Asked
): Promise<number | string> {
  const id = digitsOf(title)
  if (id !== undefined) return Number(id)
  const holder = HOLDERS.find(({ argument }) => args[argument] !== undefined)
  if (holder === undefined) return title
  const place = placeOf(`${holder.place}/${list}`, args, `${new URLSearchParams(query)}`)
  return known.remember(`id of ${noun} ${place.path}`, async () => {
    const { value } = await forge.send({ method: 'GET', ...place })
    return idOf(
      value,
      record => record[called] === title,
      () => {
        throw new ArgumentError(
          name,
          `names ${JSON.stringify(title)}, and no ${noun} of the ${holder.noun} has that ${called}; list_${noun}s has those there are`
        )
      }
    )
  })
}

function idOf(list: unknown, isIt: (record: Args) => boolean, none: () => never): number {
  const found = Array.isArray(list) ? (list as Args[]).find(record => isIt(record ?? {})) : undefined
  return typeof found?.id === 'number' ? found.id : none()
}
