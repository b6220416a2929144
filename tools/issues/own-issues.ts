import type { Arguments } from '../../src/engine/arguments/values.ts'
import { isEmptyList } from '../../src/results/is-record.ts'

const people = ['author_id', 'author_username', 'assignee_id', 'assignee_username']

const isGiven = (value: unknown): boolean => value !== undefined && !isEmptyList(value)

const namesPerson = (args: Arguments): boolean => people.some(name => isGiven(args[name]))

/**
 * Without a scope, lists of a project or group are limited to the caller's own issues, too. There the forge itself
 * would list everybody's; across all projects it limits the list by itself. If a person is named, that person's issues
 * are meant, wherever they are.
 */
export function ownByDefault(args: Arguments): Arguments {
  if (args.scope !== undefined) return args
  const everywhere = (args.project_id ?? args.group_id) === undefined
  if (namesPerson(args)) return everywhere ? { ...args, scope: 'all' } : args
  return everywhere ? args : { ...args, scope: 'created_by_me' }
}

/**
 * The notice that a list was limited to the caller's own issues by the default scope. Without it, the list could be
 * mistaken for all issues.
 */
export function ownOnly(value: unknown, args: Arguments): string | undefined {
  if (args.scope !== undefined || namesPerson(args) || !Array.isArray(value)) return undefined
  return 'Only issues that you created: scope=all lists everybody’s, scope=assigned_to_me those assigned to you.'
}
