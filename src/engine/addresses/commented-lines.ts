import { ArgumentError } from '../../results/problem.ts'
import { quotedName } from '../../results/visible.ts'
import { argumentsOf } from '../arguments/argument-flags.ts'
import type { ToolRow } from '../rows/row.ts'
import type { Address } from './address.ts'
import { commentsIn } from './notes.ts'

/* An address of a line, given to a tool that can comment on one, which its arguments do not say. */

type Args = Readonly<Record<string, unknown>>

const hasPlace = (fields: object = {}): boolean => 'path' in fields && 'line' in fields

/** What says where a comment goes, or that it goes into a thread. */
const places = ['line', 'old_line', 'position', 'in_reply_to_discussion_id']

/**
 * Prepares the refusal of the address of a file, or of a line of one or of a diff, for a comment that would be on the
 * whole merge request.
 * @returns undefined for a tool that comments on no line; otherwise a function of the argument with the address, of it, and
 *   of all arguments. It throws ArgumentError
 */
export function lineStep({
  class: of,
  input
}: ToolRow): ((given: string, address: Address, args: Args) => void) | undefined {
  if (of === 'read' || 'draft_note_id' in input.properties) return undefined
  const fields = argumentsOf(input)
  const list = Object.keys(fields).find(name => hasPlace(fields[name]!.items?.properties))
  if (list === undefined && !hasPlace(fields)) return undefined
  const texts = commentsIn(input)
  const isGiven = (args: Args, name: string) => String(args[name] ?? '') !== ''
  const isPlaced = (args: Args) =>
    [...places, list].some(name => name !== undefined && isGiven(args, name)) ||
    !texts.some(name => isGiven(args, name))
  return (given, address, args) => {
    const line = lineOf(address)
    if (line === undefined || isPlaced(args)) return
    const { noun, how, written } = line
    const within = list === undefined ? '' : `${list} with `
    const whole = written === undefined ? '' : `; for a comment on the whole leave out ${quotedName(written)}`
    throw new ArgumentError(given, `is the address of ${noun}: give ${within}path and ${how}${whole}`)
  }
}

interface Line {
  readonly noun: string
  /** How its line is given. */
  readonly how: string
  /** What the address has besides that of the merge request; undefined for that of a file. */
  readonly written?: string
}

function lineOf({ kind, fields, part }: Address): Line | undefined {
  if (kind === 'file') {
    const { start_line: line } = fields
    return line === undefined
      ? { noun: 'a file', how: 'line' }
      : { noun: `line ${line} of a file`, how: `line=${line}` }
  }
  if (part?.ofDiff === undefined) return undefined
  const { line, old_line } = part.ofDiff
  const numbers = [
    ...(line > 0 ? [`line=${line}`] : []),
    ...(old_line > 0 ? [`old_line=${old_line} for a removed line`] : [])
  ]
  return { noun: part.noun, how: numbers.join(', or ') || 'line', written: part.written }
}
