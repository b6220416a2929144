import { isRecord } from './is-record.ts'
import { withRest } from './shortened.ts'

/*
 * Selects the fields of a record that are shown, in a notation like GraphQL:
 * `iid title description:300 author{username} labels`. A name keeps a field. `name{…}` keeps parts of the record in it,
 * or of each record of the list in it. `name:300` cuts a text at that many characters. `name?` keeps the field unless
 * it is empty or a default (false, 0). `*` keeps all other fields, and `*?` those that are neither empty nor a default;
 * both leave out fields written `-name`. Each selection is parsed once.
 */

/** Returns the selected part of a record; a value that is not a record is returned as it is. */
export type Selection = (value: unknown) => unknown

interface Part {
  readonly name: string
  readonly show: Selection
  /** Whether it is left out if it is empty or a default. */
  readonly sparse: boolean
}

/** Parses a selection. @throws Error for a text that is not a selection */
export function selection(source: string): Selection {
  const tokens = source.match(/[{}]|[^\s{}]+/g) ?? []
  const { show, end } = readLevel(tokens, 0)
  if (end !== tokens.length) throw new Error(`"${source}" is not a selection`)
  return show
}

function readLevel(tokens: readonly string[], start: number): { show: Selection; end: number } {
  const parts: Part[] = []
  const dropped = new Set<string>()
  let rest: 'none' | 'all' | 'sparse' = 'none'
  let at = start
  for (; at < tokens.length && tokens[at] !== '}'; at++) {
    const token = tokens[at]!
    if (token === '*') rest = 'all'
    else if (token === '*?') rest = 'sparse'
    else if (token.startsWith('-')) dropped.add(token.slice(1))
    else if (tokens[at + 1] === '{') {
      const { show, end } = readLevel(tokens, at + 2)
      if (tokens[end] !== '}') throw new Error(`"${tokens.join(' ')}" lacks a brace`)
      parts.push({ ...partOf(token), show: each(show) })
      at = end
    } else parts.push(partOf(token))
  }
  return { show: rest === 'none' ? only(parts) : allBut(dropped, parts, rest === 'sparse'), end: at }
}

/** Selects all of a record. */
export const same: Selection = value => value

function partOf(token: string): Part {
  const [, name, longest, mark] = /^(\w+)(?::(\d+))?(\??)$/.exec(token) ?? []
  if (name === undefined) throw new Error(`"${token}" is not a field of a selection`)
  return { name, show: longest === undefined ? same : cutAt(Number(longest)), sparse: mark === '?' }
}

const cutAt =
  (longest: number): Selection =>
  value =>
    typeof value === 'string' ? withRest(value, longest) : value

/** Whether a value is empty or a default, so that it can be left out. */
function isVoid(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === 0 || value === '') return true
  if (typeof value !== 'object') return false
  if (Array.isArray(value)) return value.length === 0
  for (const _ in value) return false
  return true
}

const each =
  (show: Selection): Selection =>
  value =>
    Array.isArray(value) ? value.map(show) : show(value)

const only =
  (parts: readonly Part[]): Selection =>
  value => {
    if (!isRecord(value)) return value
    const shown: Record<string, unknown> = {}
    for (const { name, show, sparse } of parts) {
      const item = value[name]
      if (item !== undefined && !(sparse && isVoid(item))) shown[name] = show(item)
    }
    return shown
  }

function allBut(dropped: ReadonlySet<string>, parts: readonly Part[], isSparse: boolean): Selection {
  const special = new Map(parts.map(part => [part.name, part]))
  const ordinary = { show: same, sparse: isSparse }
  return value => {
    if (!isRecord(value)) return value
    const shown: Record<string, unknown> = {}
    for (const name of Object.keys(value)) {
      const item = value[name]
      const { show, sparse } = special.get(name) ?? ordinary
      if (!dropped.has(name) && !(sparse && isVoid(item))) shown[name] = show(item)
    }
    return shown
  }
}
