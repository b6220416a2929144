import { isRecord } from '../../src/results/is-record.ts'
import { withRole } from '../families/roles.ts'

const lists = ['push_access_levels', 'merge_access_levels', 'unprotect_access_levels'] as const

/** A protected branch, or each of a list, with the words for its access levels beside the numbers. */
export function withLevelRoles(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLevelRoles)
  if (!isRecord(value)) return value
  const shown = { ...value }
  for (const name of lists) if (Array.isArray(shown[name])) shown[name] = shown[name].map(withRoleOfAll)
  return shown
}

/** One that is for a person, a group or a key says so by its id: its level is only that person's or key's. */
const withRoleOfAll = (level: unknown): unknown =>
  isRecord(level) && [level.user_id, level.group_id, level.deploy_key_id].every(id => id == null)
    ? withRole(level)
    : level
