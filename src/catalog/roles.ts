/** What a member may do, in words; the forge takes and gives numbers. */
export const roles = {
  no_access: 0,
  minimal: 5,
  guest: 10,
  planner: 15,
  reporter: 20,
  security_manager: 25,
  developer: 30,
  maintainer: 40,
  owner: 50,
  admin: 60
} as const

export type Role = keyof typeof roles

const words = new Map<unknown, string>(Object.entries(roles).map(([word, level]) => [level, word]))

/** The forge's number of a role; undefined stays so. */
export const levelOf = (role: unknown): number | undefined => roles[role as Role]

/** The word for the forge's number; undefined for one that is none. */
export const roleOf = (level: unknown): string | undefined => words.get(level)
