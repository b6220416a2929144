import { ArgumentError } from '../../results/problem.ts'

/*
 * GraphQL names records by global ids, `gid://gitlab/Label/7`. Callers know the number, which other tools return and
 * accept; a global id is accepted too, if it has the expected type.
 */

const PREFIX = 'gid://gitlab/'

/**
 * @param type as the forge writes it, such as `WorkItems::Type`
 * @throws ArgumentError unless the value is a number or a global id of that type
 */
export function gidOf(type: string, argument: string, value: string | number): string {
  const text = String(value)
  const id = text.startsWith(`${PREFIX}${type}/`) ? text.slice(PREFIX.length + type.length + 1) : text
  if (!/^\d{1,19}$/.test(id))
    throw new ArgumentError(
      argument,
      `must be a number or ${PREFIX}${type}/…, not ${JSON.stringify(text.slice(0, 60))}`
    )
  return `${PREFIX}${type}/${id}`
}

/** The number at the end of a global id; any other value is returned unchanged. */
export function numberOfGid(gid: unknown): unknown {
  const digits = typeof gid === 'string' ? /\/(\d{1,15})$/.exec(gid)?.[1] : undefined
  return digits === undefined ? gid : Number(digits)
}
