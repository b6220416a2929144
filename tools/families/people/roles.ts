import { oneOf } from '../../../src/engine/rows/fields.ts'

/*
 * Callers use words for roles, forges numbers (docs: roles and permissions). Results keep the number and add the word.
 */

const levels: Readonly<Record<string, number>> = {
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
}

const words = new Map(Object.entries(levels).map(([word, level]) => [level, word]))

/** The roles that a person can be given. */
const givenRoles = [
  'guest',
  'planner',
  'reporter',
  'security_manager',
  'developer',
  'maintainer',
  'owner'
] as const

/** Another forge's words for permissions. They grant rights, so none of them is silently taken for a role. */
const rightsElsewhere = Object.fromEntries(
  Object.entries({
    'did you mean "reporter"?': ['read', 'reader', 'pull', 'triage', 'viewer'],
    'did you mean "developer"?': ['write', 'writer', 'push', 'editor', 'contributor'],
    'did you mean "maintainer"?': ['maintain', 'manager'],
    'did you mean "maintainer" or "owner"?': ['admin', 'administrator']
  }).flatMap(([says, words]) => words.map(word => [word, says] as const))
)

/** An argument for one of these roles, given by its word or by the forge's number. */
export const givenRole = (description?: string) => ({
  ...roleOf(givenRoles, description),
  instead: rightsElsewhere
})

/** The same for another list of roles. */
export const roleOf = <const R extends readonly string[]>(roles: R, description?: string) => ({
  ...oneOf(roles, description),
  alias: Object.fromEntries(Object.entries(levels).map(([word, level]) => [level, word]))
})

/** The forge's number for a role; undefined if there is none. */
export const levelOf = (role: unknown): number | undefined => levels[String(role)]

/** Whether a text is the word for a role, singular or plural. */
export const isRole = (text: unknown): boolean =>
  Object.hasOwn(levels, String(text).toLowerCase().replace(/s$/, ''))

/**
 * Adds `role` to a record with an access level.
 * @param field name of the field with the level
 */
export function withRole(record: unknown, field = 'access_level'): unknown {
  const level = (record as Record<string, unknown> | null | undefined)?.[field]
  const role = typeof level === 'number' ? words.get(level) : undefined
  return role === undefined ? record : { ...(record as object), role }
}

/** Adds `role` to each record of a list, or to a single record. */
export const withRoles = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(record => withRole(record)) : withRole(value)
