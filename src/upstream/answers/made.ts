import { foldedPath } from '../../base/folded-path.ts'
import type { Fields } from '../../json/records.ts'
import type { ForgeRequest } from '../request.ts'

/** Names of mutations that create something, such as createNote and workItemCreate. */
const makes = /^create[A-Z]|[a-z]Create$/

/**
 * The record that a mutation has created, as the forge returns it. The status does not tell, because GraphQL always
 * answers 200.
 * @returns undefined if the mutation changed something, or created nothing
 */
export function madeBy(data: Readonly<Record<string, unknown>>): unknown {
  for (const [name, payload] of Object.entries(data))
    if (makes.test(name) && typeof payload === 'object')
      return Object.values(payload ?? {}).find(
        value => typeof value === 'object' && value !== null && 'id' in value
      )
  return undefined
}

const slot = /^\{[.+]?(\w+)\}$/

/**
 * Whether the record in a 201 answer is the one that the request names: then it was approved, retried or starred, and
 * nothing was created. A project is named by its id or path, anything else by its id or number.
 */
export function isNamed({ path, template = '', body }: ForgeRequest, record: unknown): boolean {
  if (typeof record !== 'object' || record === null) return false
  const parts = template.split('/')
  const at = parts.findLastIndex(part => slot.test(part))
  if (at < 0) return false
  const [, name = ''] = slot.exec(parts[at]!)!
  const value = decodeURIComponent(path.split(/[/?]/)[at] ?? '')
  const { id, iid, path_with_namespace: place } = record as Fields
  if (name === 'project_id')
    return typeof place === 'string' && (id === Number(value) || isSame(place, value))
  // An issue that is moved may get the same number in another project.
  if ((body as Fields | undefined)?.to_project_id !== undefined) return false
  return (name.endsWith('iid') ? iid : id) === Number(value)
}

const isSame = (path: string, other: string): boolean =>
  path.length === other.length && foldedPath(path) === foldedPath(other)
