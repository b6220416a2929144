import { groupOf, projectOf } from '../access.ts'
import type { Call, Operations } from '../http.ts'
import type { Group, Project } from '../types.ts'

export type Place = Project | Group
/**
 * Finds the project or group of the path.
 * @param level that the caller needs there
 */
type FindPlace = (call: Call, level?: number) => Place

/** Operations that exist for projects and for groups, and differ only in their names. */
export const ofBoth = (
  operations: (kind: 'project' | 'group', find: FindPlace) => Operations
): Operations => ({
  ...operations('project', projectOf),
  ...operations('group', groupOf)
})
