import type { Arguments } from '../../../src/engine/arguments/values.ts'
import { isEmptyList } from '../../../src/results/is-record.ts'

/** For each scope, what it keeps to, and the filters that name the same person. */
const same: Readonly<Record<string, readonly [keeps: string, ...filters: string[]]>> = {
  created_by_me: ['what you created', 'author_username', 'author_id'],
  assigned_to_me: ['what is assigned to you', 'assignee_username', 'assignee_id']
}

/**
 * A notice for an empty list whose scope and filter name a person each. A forge lists what matches both, so it finds
 * nothing of anybody else.
 */
export function scopeAndPerson(value: unknown, args: Arguments): string | undefined {
  const [keeps, ...filters] = same[String(args.scope)] ?? []
  const filter = filters.find(name => args[name] !== undefined && !isEmptyList(args[name]))
  return filter !== undefined && isEmptyList(value)
    ? `scope=${args.scope} keeps to ${keeps}, and ${filter} finds nothing of others there: leave scope out for theirs.`
    : undefined
}
