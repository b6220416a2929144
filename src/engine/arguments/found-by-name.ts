import { listedBy } from '../requests/listed-by.ts'

/** Where to find the number of a thing by its name, by the argument that takes the number. Notes have no name. */
const finders: readonly (readonly [argument: string, list: string])[] = [
  ...[...listedBy].filter(([argument]) => argument !== 'note_id'),
  ['merge_request_iid', 'list_merge_requests with search'],
  ['issue_iid', 'list_issues with search and scope=all'],
  ['iid', 'list_work_items with search']
]

/** The same for projects and groups. */
const places: readonly (readonly [argument: string, list: string])[] = [
  ['project_id', 'list_projects with search'],
  ['group_id', 'list_groups with search']
]

/** Most characters of a name that is read: no argument has more. */
const MAX_CHARS = 60
/** The name after a dot, as in `issue.title`, is not matched: that part is found with its thing. */
const ofName = /^(?:\w+_)?(?<what>name|title)$/
/** Names of the place of a thing, not of the thing itself. */
const ofPlace = /^(?<place>project|group)_(?:name|title|path)$/

/** How to give the place of a tool's thing, if the caller gave the place's name. */
export function placeByName(given: string, has: (name: string) => boolean): string | undefined {
  const argument = given.length > MAX_CHARS ? undefined : `${ofPlace.exec(given)?.groups?.place}_id`
  const list = places.find(([place]) => place === argument && has(place))?.[1]
  return list && `${argument} takes its full path or id; ${list} finds it by its name`
}

/**
 * How to find the thing of a tool that reads one thing, if the caller gave its name, as the rest of a sentence.
 * @param given the argument that the tool does not have
 * @param has whether the tool has an argument @param required those that the tool requires
 */
export function foundByName(
  given: string,
  { has, required }: { has: (name: string) => boolean; required: ReadonlySet<string> }
): string | undefined {
  const what = given.length > MAX_CHARS ? undefined : ofName.exec(given)?.groups?.what
  // A list is of many things, and has filters of its own.
  if (what === undefined || has('per_page')) return undefined
  if (has('user_id') && has('username')) return 'find_users finds people by name'
  const [argument, list] =
    finders.find(([argument]) => has(argument)) ??
    places.find(([argument]) => required.has(argument) && required.size === 1) ??
    []
  return argument === undefined ? undefined : `${list} says which ${argument} has that ${what}`
}
