import { isRecord } from '../../src/results/is-record.ts'
import { withRole } from '../families/people/roles.ts'

const lists = ['push_access_levels', 'merge_access_levels', 'unprotect_access_levels'] as const

/** Adds the names of access levels to a protected branch, or to each one of a list. */
export function withLevelRoles(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLevelRoles)
  if (!isRecord(value)) return value
  const shown = { ...value }
  for (const name of lists) if (Array.isArray(shown[name])) shown[name] = shown[name].map(withRoleOfAll)
  return shown
}

/**
 * Adds the role to a level that applies to everybody of that role. An entry for a person, group or key has its id, and
 * its level is only that of the person, group or key.
 */
const withRoleOfAll = (level: unknown): unknown =>
  isRecord(level) && [level.user_id, level.group_id, level.deploy_key_id].every(id => id == null)
    ? withRole(level)
    : level
