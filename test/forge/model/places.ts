import type { Group, Membership, Project, User } from '../types.ts'

/** A group and the groups above it, nearest first. */
export const lineage = (group: Group): Group[] => [group, ...(group.parent ? lineage(group.parent) : [])]

/** The full path of a group, such as acme/tools. */
export const groupPath = (group: Group): string =>
  lineage(group)
    .map(({ path }) => path)
    .reverse()
    .join('/')

/** The full path of a project, such as acme/tools/hammer. */
export const fullPath = (project: Project): string => `${groupPath(project.group)}/${project.path}`

/** The places from which a place gets its members, nearest first: itself, then the groups above it. */
export const sourcesOf = (place: Project | Group): (Project | Group)[] =>
  'group' in place ? [place, ...lineage(place.group)] : lineage(place)

/** A person's highest membership of a place and all groups above it. */
export const membershipOf = (place: Project | Group, user: User): Membership | undefined =>
  sourcesOf(place)
    .flatMap(({ members }) => members.get(user.id) ?? [])
    .sort((a, b) => b.level - a.level)[0]
