import { isNamespace } from '../requests/template.ts'
import type { Shape } from './shape.ts'
import { shapes } from './shapes.ts'

/* Matches the segments of an address against the shapes. */

/** The separator between segments. Addresses that contain it are not read (web-url.ts). */
export const SEAM = '\n'

/** The pattern of each shape, compiled once. */
const patterns = new Map(shapes.map(shape => [shape, patternOf(shape.at)]))

function patternOf(at: string): RegExp {
  const parts = at.split('/').map(part => {
    const [, name, rest] = /^\{(\w+)(\+?)\}$/.exec(part) ?? []
    if (name === undefined) return part
    if (rest === '+') return `(?<${name}>[^]+?)`
    if (name === 'secret') return `(?<${name}>[0-9a-f]{32})`
    return /id$/.test(name) ? `(?<${name}>\\d{1,19})` : `(?<${name}>[^\n]+?)`
  })
  const more = /(?:id|\{sha)\}$/.test(at) ? '(?:\\.(?:diff|patch|json))?(?:\n(?<tab>[^]*))?' : ''
  return new RegExp(`^${parts.join(SEAM)}${more}$`)
}

/**
 * The fields that a shape reads from the segments of an address, joined by SEAM, and the `tab` that follows a number;
 * undefined if the shape does not match.
 */
export function fieldsOfShape(shape: Shape, segments: string): Readonly<Record<string, string>> | undefined {
  const match = patterns.get(shape)!.exec(segments)
  if (match === null) return undefined
  const fields = Object.entries(match.groups ?? {}).filter(([, text]) => text !== undefined)
  return Object.fromEntries(fields.map(([name, text]) => [name, text.replaceAll(SEAM, '/')]))
}

/** All fields that addresses can give, except the project or group. */
export const fieldNames: ReadonlySet<string> = new Set([
  ...shapes
    .flatMap(({ at }) => [...at.matchAll(/\{(\w+)/g)].map(([, name]) => name!))
    .filter(name => name !== 'project_id'),
  ...['iid', 'ref', 'path', 'from', 'to', 'note_id']
])

/** Whether an argument identifies a thing that has an address, by its number or by its name. */
export const isNameOfThing = (name: string): boolean =>
  /id$|^slug$|^tag_name$/.test(name) && !isNamespace(name)
