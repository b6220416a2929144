import type { Group, Membership, Project, User } from '../types.ts'

/** A group and those above it, nearest first. */
export const lineage = (group: Group): Group[] => [group, ...(group.parent ? lineage(group.parent) : [])]

/** acme/tools */
export const groupPath = (group: Group): string =>
  lineage(group)
    .map(({ path }) => path)
    .reverse()
    .join('/')

/** acme/tools/hammer */
export const fullPath = (project: Project): string => `${groupPath(project.group)}/${project.path}`

/** Where memberships of a place come from, nearest first: itself, then the groups above. */
export const sourcesOf = (place: Project | Group): (Project | Group)[] =>
  'group' in place ? [place, ...lineage(place.group)] : lineage(place)

/** A person's highest membership of a place and all above it. */
export const membershipOf = (place: Project | Group, user: User): Membership | undefined =>
  sourcesOf(place)
    .flatMap(({ members }) => members.get(user.id) ?? [])
    .sort((a, b) => b.level - a.level)[0]
