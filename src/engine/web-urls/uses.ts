import type { Arguments } from '../arguments/values.ts'

/* What pages show by default, without their address saying so, as arguments of the tools that show the same. */

/** Converts what an address gives to arguments. */
export type WebUrlUse = (given: Arguments) => Arguments

/** Adds the defaults of a list's page, for a tool with other defaults. */
export const byItself =
  (shown: Arguments): WebUrlUse =>
  given => ({ ...shown, ...given })

/** A page of one's own things shows those of the caller, unless its address names somebody else. */
export const yours: WebUrlUse = given => {
  const isSomebodys = Object.keys(given).some(name => /^(?:author|assignee|reviewer)_/.test(name))
  return { scope: isSomebodys ? 'all' : 'assigned_to_me', state: 'opened', ...given }
}

/** The scope of a page of search results. The default is the code within a project, and projects elsewhere. */
export const scopeOf = ({ scope, project_id }: Arguments) =>
  scope ?? (project_id === undefined ? 'projects' : 'blobs')

/** Drops parameters of other scopes, which the page's links carry over. */
export const searched: WebUrlUse = ({ state, confidential, ref, group_id, ...given }) => {
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
