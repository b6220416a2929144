import { ArgumentError } from '../../results/problem.ts'
import { quotedName } from '../../results/visible.ts'
import { argumentsOf } from '../arguments/argument-flags.ts'
import type { ToolRow } from '../rows/row.ts'
import { commentsIn } from './notes.ts'
import type { WebUrl } from './web-url.ts'

/* An address of a line, or of a file of a diff, given to a tool that comments, whose arguments do not say that. */

type Args = Readonly<Record<string, unknown>>

const hasPlace = (fields: object = {}): boolean => 'path' in fields && 'line' in fields

/** What says where a comment goes, or that it goes into a thread. */
const places = ['line', 'old_line', 'position', 'in_reply_to_discussion_id']

/** Arguments of a comment that is there, or whose thread is. */
const ofOne = ['note_id', 'draft_note_id', 'discussion_id']

/** A function of the argument with an address, of it, and of all arguments. @returns a remark. It throws ArgumentError */
type LineStep = (given: string, address: WebUrl, args: Args) => string | undefined

/**
 * Prepares the refusal of the address of a file, or of a line of one or of a diff, for a comment that would be on the
 * whole merge request. A file of a diff has no comments of its own: of that it is only said that the comment is on the whole.
 * @returns undefined for a tool that writes no comment of a merge request
 */
export function lineStep({ class: of, input }: ToolRow): LineStep | undefined {
  const fields = argumentsOf(input)
  if (of === 'read' || ofOne.some(name => Object.hasOwn(fields, name))) return undefined
  const texts = commentsIn(input)
  const list = Object.keys(fields).find(name => hasPlace(fields[name]!.items?.properties))
  const takesPlace = list !== undefined || hasPlace(fields)
  const takesBoth = 'noteable_iid' in fields
  if (!takesPlace && !takesBoth && (texts.length === 0 || !('merge_request_iid' in fields))) return undefined
  const isGiven = (args: Args, name: string) => String(args[name] ?? '') !== ''
  const isWhole = (args: Args) =>
    ![...places, list].some(name => name !== undefined && isGiven(args, name)) &&
    texts.some(name => isGiven(args, name)) &&
    // Other names of a merge request are read later.
    !(takesBoth && args.noteable_type === 'issue')
  const placed = (how: string) => {
    if (!takesPlace) return `create_merge_request_thread comments on it, with path and ${how}`
    return `give ${list === undefined ? '' : `${list} with `}path and ${how}`
  }
  return (given, address, args) => {
    if (!isWhole(args)) return undefined
    const { kind, part } = address
    if (part?.isFile === true && kind === 'merge_request')
      return `${given} is the address of a file of a diff: the comment is on the whole merge request.`
    const line = takesPlace || part?.ofDiff !== undefined ? lineOf(address) : undefined
    if (line === undefined) return undefined
    const { noun, how, written } = line
    const whole = written === undefined ? '' : `; for a comment on the whole leave out ${quotedName(written)}`
    throw new ArgumentError(given, `is the address of ${noun}: ${placed(how)}${whole}`)
  }
}

interface Line {
  readonly noun: string
  /** How its line is given. */
  readonly how: string
  /** What the address has besides that of the merge request; undefined for that of a file. */
  readonly written?: string
}

function lineOf({ kind, fields, part }: WebUrl): Line | undefined {
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
