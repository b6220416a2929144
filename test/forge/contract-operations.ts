import { readdirSync, readFileSync } from 'node:fs'

/** One declared parameter, in the form of the forge's OpenAPI extract. */
export interface FieldSpec {
  type: string | string[]
  required?: boolean
  nullable?: boolean
  enum?: unknown[]
  items?: FieldSpec
  properties?: Record<string, FieldSpec>
  format?: string
  max_length?: number
  minimum?: number
  maximum?: number
  min_length_described?: number
}

/** The answer of an operation for one status. */
interface ResponseSpec {
  /** `array` is a list of records, `object` one record, `empty` no body, `text` a text. */
  type: string
  /** The forge's name for the record. */
  schema?: string
  /**
   * The fields of the record, or of each record of a list. A live run shows which of them the forge lacks, and which
   * others it has.
   */
  key_fields: string[]
}

/** One published REST operation: a line of a file in contract/. Other keys of a line are not read. */
export interface Operation {
  /** Its name here, by which operations/ has its handler. */
  operation: string
  method: string
  /** The path from /api/v4 on, with the names of `path_params` in braces. */
  path: string
  path_params: Record<string, FieldSpec>
  /** The query parameters, including `page` and `per_page` if the operation has pages. */
  query: Record<string, FieldSpec>
  body: Record<string, FieldSpec>
  /** The answers by status. */
  responses: Record<string, ResponseSpec>
  /** Where it is published: a release of the forge's OpenAPI document or client, or a page of its documentation. */
  source: string
  body_required?: boolean
  /** Media type of the body; default JSON. */
  media?: 'multipart/form-data'
  mutually_exclusive?: string[][]
  at_least_one_of?: string[][]
  exactly_one_of?: string[][]
}

/** A path that matched, with its parameters still percent-encoded. */
export interface Match {
  operation: Operation
  params: Record<string, string>
}

interface Compiled {
  operation: Operation
  segments: string[]
  statics: number
}

const folder = new URL('./contract/', import.meta.url)
const read = (name: string) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Operation[]

/**
 * Every operation that the sandbox knows: the OpenAPI extract (rest.json), operations that only the documentation
 * states (extra.json), and the wider catalog from the forge's official client, one file per toolset (reach-*.json).
 */
export const operations: readonly Operation[] = Object.freeze(
  readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .flatMap(read)
)

const compiled: readonly Compiled[] = operations
  .map(operation => {
    const segments = operation.path.replace('/api/v4/', '').split('/')
    return { operation, segments, statics: segments.filter(segment => !segment.startsWith('{')).length }
  })
  // A literal segment precedes a placeholder: artifacts/tree is not the file called "tree".
  .sort((a, b) => b.statics - a.statics)

// The only placeholder that spans several segments. Grape declares it with a splat.
const SPLAT = '{artifact_path}'

const matchSegments = (pattern: string[], segments: string[]): Record<string, string> | undefined => {
  const splat = pattern.at(-1) === SPLAT
  if (splat ? segments.length < pattern.length : segments.length !== pattern.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? ''
    if (part === SPLAT) params.artifact_path = segments.slice(index).join('/')
    else if (part.startsWith('{')) params[part.slice(1, -1)] = segment
    else if (part !== segment) return undefined
    if (segment === '') return undefined
  }
  return params
}

/** Finds the operation of a method and of the encoded path segments below /api/v4. */
export const findOperation = (method: string, segments: string[]): Match | undefined => {
  for (const { operation, segments: pattern } of compiled) {
    if (operation.method !== method) continue
    const params = matchSegments(pattern, segments)
    if (params) return { operation, params }
  }
  return undefined
}

/** The methods that the contract publishes for a path. Empty if the path itself is unknown. */
export const methodsOf = (segments: string[]): string[] => [
  ...new Set(
    compiled
      .filter(({ segments: pattern }) => matchSegments(pattern, segments))
      .map(({ operation }) => operation.method)
  )
]
