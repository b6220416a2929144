import type { ToolRow } from '../catalog/row.ts'
import { isRecord } from '../results/is-record.ts'

interface Property {
  readonly type?: string
  readonly milestone?: boolean
}

/**
 * Prepares what a change says of lists and milestones that were given as an empty text: it counts as not given, as models
 * fill in what they leave out, while the forge's own API takes it for none.
 * @returns undefined for a tool that changes nothing that may be taken away; else a function from arguments as they came
 */
export function emptiedStep(row: ToolRow): ((raw: unknown) => readonly string[]) | undefined {
  if (!changes(row)) return undefined
  const nones = Object.entries(row.input.properties as Record<string, Property>).flatMap(
    ([name, property]) => {
      const none = property.type === 'array' ? '[]' : property.milestone && '0'
      return none && !/^(?:add|remove)_/.test(name) ? [[name, none] as const] : []
    }
  )
  if (nones.length === 0) return undefined
  return raw =>
    !isRecord(raw)
      ? []
      : nones
          .filter(([name]) => raw[name] === '')
          .map(([name, none]) => `${name} is as it was: empty text counts as not given, ${none} is for none.`)
}

const changes = (row: ToolRow): boolean =>
  (row.kind === 'rest' && [row.request].flat().some(request => request.startsWith('PUT '))) ||
  (row.kind === 'graphql' && row.class === 'write' && row.idempotent === true)
