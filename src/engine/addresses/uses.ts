/* What pages show that an address says nothing of, as arguments of the tools that show the same. */

type Fields = Readonly<Record<string, unknown>>
/** Makes arguments of what an address gives. */
export type Use = (given: Fields) => Fields

/** What the page of a list shows by itself; the tool by itself lists something else. */
export const byItself =
  (shown: Fields): Use =>
  given => ({ ...shown, ...given })

/** Whose things a page of one's own shows, as long as it is asked for nobody else's. */
export const yours: Use = given => {
  const isSomebodys = Object.keys(given).some(name => /^(?:author|assignee|reviewer)_/.test(name))
  return { scope: isSomebodys ? 'all' : 'assigned_to_me', state: 'opened', ...given }
}

/** What a page of results searches: of a project its code, if nothing else is said. */
export const scopeOf = ({ scope, project_id }: Fields) =>
  scope ?? (project_id === undefined ? 'projects' : 'blobs')

/** The page's links carry over what goes with other scopes. */
export const searched: Use = ({ state, confidential, ref, group_id, ...given }) => {
  const scope = String(scopeOf(given))
  const isWork = scope === 'issues' || scope === 'merge_requests'
  const hasRef = given.project_id !== undefined && /^(?:blobs|wiki_blobs|commits)$/.test(scope)
  const { scope: _, ...others } = given
  return {
    ...(scope !== 'blobs' && { scope }),
    ...others,
    ...(given.project_id === undefined && group_id !== undefined && { group_id }),
    ...(isWork && state !== undefined && { state }),
    ...(scope === 'issues' && confidential !== undefined && { confidential }),
    ...(hasRef && ref !== undefined && { ref })
  }
}
