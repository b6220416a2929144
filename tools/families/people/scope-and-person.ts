import type { Arguments } from '../../../src/engine/arguments/values.ts'
import { isEmptyList } from '../../../src/results/is-record.ts'

/** The filters that name the same person as a scope does, each with what that keeps to. */
const same: Readonly<Record<string, readonly [keeps: string, ...filters: string[]]>> = {
  created_by_me: ['what you created', 'author_username', 'author_id'],
  assigned_to_me: ['what is assigned to you', 'assignee_username', 'assignee_id']
}

/**
 * Says of an empty list that its scope and a filter are about the same person: a forge lists what fits both, which is
 * nothing of anybody else.
 */
export function scopeAndPerson(value: unknown, args: Arguments): string | undefined {
  const [keeps, ...filters] = same[String(args.scope)] ?? []
  const filter = filters.find(name => args[name] !== undefined && !isEmptyList(args[name]))
  return filter !== undefined && isEmptyList(value)
    ? `scope=${args.scope} keeps to ${keeps}, and ${filter} finds nothing of others there: leave scope out for theirs.`
    : undefined
}
