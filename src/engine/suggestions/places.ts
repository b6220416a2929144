import { nearest } from '../../base/nearest.ts'
import { recordsIn } from '../../results/is-record.ts'
import { perhaps } from '../../results/unseen-in-names.ts'
import type { ForgeClient } from '../../upstream/client.ts'
import type { Arguments } from '../arguments/values.ts'
import { queryOf } from '../requests/query.ts'
import { requestTo } from '../requests/template.ts'
import { MAX_LISTED, page, textsOf } from './listed.ts'
import { folderOf, lastOf } from './path-parts.ts'

/* Suggests projects and groups. */

type Query = Readonly<Record<string, string>>

/** A list of the caller's projects or groups, and the field with their paths. */
interface Places {
  readonly list: string
  readonly path: string
  readonly own: Query
  /** The query that restricts the list to a group. */
  readonly within: (group: string) => Query
}

/** Suggests projects of the caller: those with that name, otherwise those with a similar name in the given group. */
export const nearProject = (name: string, _: Arguments, forge: ForgeClient): Promise<string | undefined> =>
  nearPlace(name, projects, forge)
const projects: Places = {
  list: 'GET /projects',
  path: 'path_with_namespace',
  own: { membership: 'true', simple: 'true' },
  within: (group): Query => (group === '' ? {} : { search: group, search_namespaces: 'true' })
}

/** Suggests groups of the caller: those with that name, otherwise those with a similar name. */
export const nearGroup = (name: string, _: Arguments, forge: ForgeClient): Promise<string | undefined> =>
  nearPlace(name, groups, forge)
const groups: Places = {
  list: 'GET /groups',
  path: 'full_path',
  own: { all_available: 'false' },
  within: () => ({})
}

/**
 * The parent group is often missing or wrong, so only the last name is searched for; after that, one page is compared.
 */
async function nearPlace(
  name: string,
  { list, path, own, within }: Places,
  forge: ForgeClient
): Promise<string | undefined> {
  if (/^\d+$/.test(name)) return undefined
  const read = async (query: Query) => {
    const { value } = await forge.send(requestTo(list, {}, queryOf(query)))
    return recordsIn(value).slice(0, Number(query.per_page))
  }
  const wanted = name.replaceAll(/%2f/gi, '/')
  const last = lastOf(wanted).trim()
  const same = textsOf(await read({ search: last, ...own, per_page: String(MAX_LISTED) }), path)
  if (same.includes(wanted)) return undefined
  if (same.length > 0) return perhaps(same)
  const others = await read({ ...within(folderOf(wanted).trim()), ...own, ...page })
  const namesOf = (place: Record<string, unknown>) => [
    ...textsOf([place], path).map(lastOf),
    ...textsOf([place], 'name')
  ]
  const near = nearest(last, others.flatMap(namesOf))
  const meant = others.filter(place => namesOf(place).includes(near ?? ''))
  return meant.length === 0 ? undefined : perhaps(textsOf(meant, path).slice(0, MAX_LISTED))
}
