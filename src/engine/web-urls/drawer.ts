import { foldedPath } from '../../base/folded-path.ts'
import { isRecord, textOf } from '../../results/is-record.ts'
import type { Owner } from './owner.ts'

/*
 * Pages with issues, work items, epics or a board open one of them in a drawer, and their address then says which in
 * `show`: as GitLab's pages make it (makeDrawerUrlParam in work_items/utils.js), the Base64 of the JSON of its iid, of
 * the full path of its project or group, and of its id.
 */

const pages = /^(?:issues?|work_items?|epics?|board)$/

/** Longer than any full path makes it. */
const MAX_CHARS = 2_048

/** A full path, none of whose parts is one of dots. */
const PATH = /^(?!\.)[\w.-]+(?:\/(?!\.{1,2}(?:\/|$))[\w.-]+){0,23}$/

/** The item of a drawer. */
export interface Drawer {
  /** Of a place that is not the page's: whether it is a project may be a guess. */
  readonly isElsewhere: boolean
  /** Its address after the forge's, before and after `/-/`. */
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/**
 * The item that is open on a page.
 * @param kind of the page @param owner of the page
 * @returns undefined where none is; `unread` where `show` is not what the forge's pages make
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
  // What is above a project or group is a group, and has no project's path; epics are of groups.
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
  // A query has a blank for each + that is not written as %2B.
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
