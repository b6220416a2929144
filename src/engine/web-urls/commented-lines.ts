import { ArgumentError } from '../../results/problem.ts'
import { quotedName } from '../../results/visible.ts'
import { argumentsOf } from '../arguments/argument-flags.ts'
import type { Arguments } from '../arguments/values.ts'
import type { ToolRow } from '../rows/row.ts'
import { commentsIn } from './notes.ts'
import type { WebUrl } from './web-url.ts'

/*
 * The address of a line, or of a file in a diff, given to a tool that comments but whose other arguments name no line.
 */

const hasPlace = (fields: object = {}): boolean => 'path' in fields && 'line' in fields

/** Arguments that say where a comment goes, or which thread it goes into. */
const places = ['line', 'old_line', 'position', 'in_reply_to_discussion_id']

/** Arguments that name an existing comment, or the thread of one. */
const ofOne = ['note_id', 'draft_note_id', 'discussion_id']

/**
 * A function (given, address, args), where `given` is the argument with the address.
 * @returns a remark
 * @throws ArgumentError
 */
type LineStep = (given: string, address: WebUrl, args: Arguments) => string | undefined

/**
 * Prepares the refusal of the address of a file, or of a line in a file or a diff, when the comment would go to the
 * whole merge request. A file of a diff has no comments of its own: for its address a remark says that the comment is
 * on the whole merge request.
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
  const isGiven = (args: Arguments, name: string) => String(args[name] ?? '') !== ''
  const isWhole = (args: Arguments) =>
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
  /** The argument that gives its line. */
  readonly how: string
  /** The part of the address after the merge request's own; undefined for the address of a file. */
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
