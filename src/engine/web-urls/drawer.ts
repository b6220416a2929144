import { foldedPath } from '../../base/folded-path.ts'
import { isRecord, textOf } from '../../results/is-record.ts'
import type { Owner } from './owner.ts'

/*
 * Pages with issues, work items, epics or a board open one item in a drawer. The `show` parameter of their address
 * then names the item: it is the Base64 of a JSON object with its iid, the full path of its project or group, and its
 * id, as GitLab makes it (makeDrawerUrlParam in work_items/utils.js).
 */

const pages = /^(?:issues?|work_items?|epics?|board)$/

/** More characters than `show` has for any full path. */
const MAX_CHARS = 2_048

/** A full path. No part of it consists of dots. */
const PATH = /^(?!\.)[\w.-]+(?:\/(?!\.{1,2}(?:\/|$))[\w.-]+){0,23}$/

/** The item of a drawer. */
interface Drawer {
  /** Whether it is of another project or group than the page. If so, whether that is a project may be a guess. */
  readonly isElsewhere: boolean
  /** The path of its address, after the forge's: the parts before and after `/-/`. */
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/**
 * Finds the item that is open on a page.
 * @param kind of the page @param owner of the page
 * @returns undefined if none is open; `unread` if `show` is not in the format of GitLab's pages
 */
export function drawerIn(
  kind: string,
  owner: Owner | undefined,
  query: URLSearchParams
): Drawer | 'unread' | undefined {
  const show = pages.test(kind) ? query.get('show') : null
  if (show === null || show === '') return undefined
  const item = itemIn(show)
  if (item === undefined) return 'unread'
  const { iid, path } = item
  const here = owner === undefined ? undefined : foldedPath(Object.values(owner)[0]!)
  const isElsewhere = here !== foldedPath(path)
  const isPagesGroup = owner !== undefined && 'group_path' in owner && !isElsewhere
  // A path above the page's project or group is a group. A path without a slash is a group, too. Epics belong to
  // groups.
  const isAbove = here?.startsWith(`${foldedPath(path)}/`) === true
  const isOfGroup = isPagesGroup || isAbove || kind.startsWith('epic') || !path.includes('/')
  const segment = isOfGroup || kind.startsWith('work_item') ? 'work_items' : 'issues'
  return {
    isElsewhere,
    before: [...(isOfGroup ? ['groups'] : []), ...path.split('/')],
    after: [segment, iid]
  }
}

function itemIn(show: string): { iid: string; path: string } | undefined {
  // Parsing a query turns each + into a blank, unless it is written as %2B.
  const text = show.replaceAll(' ', '+')
  if (text.length > MAX_CHARS || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(text, 'base64').toString())
  } catch {
    return undefined
  }
  if (!isRecord(value)) return undefined
  const [iid, path] = [textOf(value.iid), textOf(value.full_path)]
  return /^\d{1,19}$/.test(iid) && PATH.test(path) ? { iid, path } : undefined
}
