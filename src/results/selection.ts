/*
 * What of a record is shown, written as in GraphQL: `iid title description:300 author{username} labels`. A name keeps
 * a field, `name{…}` keeps parts of the record or of each record of the list in it, `name:300` cuts a text at that
 * many characters. `*` keeps all other fields, but those written `-name`. Parsed once.
 */

type Fields = Readonly<Record<string, unknown>>

/** Gives the selected part of a record; anything that is no record comes back as it is. */
export type Selection = (value: unknown) => unknown

interface Part {
  readonly name: string
  readonly show: (value: unknown) => unknown
}

/** @throws Error for a text that is no selection */
export function selection(source: string): Selection {
  const tokens = source.match(/[{}]|[^\s{}]+/g) ?? []
  const { show, end } = readLevel(tokens, 0)
  if (end !== tokens.length) throw new Error(`"${source}" is not a selection`)
  return show
}

function readLevel(tokens: readonly string[], start: number): { show: Selection; end: number } {
  const parts: Part[] = []
  const dropped = new Set<string>()
  let rest = false
  let at = start
  for (; at < tokens.length && tokens[at] !== '}'; at++) {
    const token = tokens[at]!
    if (token === '*') rest = true
    else if (token.startsWith('-')) dropped.add(token.slice(1))
    else if (tokens[at + 1] === '{') {
      const { show, end } = readLevel(tokens, at + 2)
      if (tokens[end] !== '}') throw new Error(`"${tokens.join(' ')}" lacks a brace`)
      parts.push({ name: token, show: each(show) })
      at = end
    } else parts.push(partOf(token))
  }
  return { show: rest ? allBut(dropped, parts) : only(parts), end: at }
}

const same = (value: unknown): unknown => value

function partOf(token: string): Part {
  const [, name, longest] = /^(\w+)(?::(\d+))?$/.exec(token) ?? []
  if (name === undefined) throw new Error(`"${token}" is not a field of a selection`)
  return { name, show: longest === undefined ? same : cutAt(Number(longest)) }
}

const cutAt = (longest: number) => (value: unknown) =>
  typeof value === 'string' && value.length > longest
    ? `${value.slice(0, longest)}… [${value.length - longest} more]`
    : value

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const each =
  (show: Selection): Selection =>
  value =>
    Array.isArray(value) ? value.map(show) : show(value)

const only =
  (parts: readonly Part[]): Selection =>
  value => {
    if (!isRecord(value)) return value
    const shown: Record<string, unknown> = {}
    for (const { name, show } of parts) if (name in value) shown[name] = show(value[name])
    return shown
  }

const allBut = (dropped: ReadonlySet<string>, parts: readonly Part[]): Selection => {
  const special = new Map(parts.map(({ name, show }) => [name, show]))
  return value => {
    if (!isRecord(value)) return value
    const shown: Record<string, unknown> = {}
    for (const name of Object.keys(value))
      if (!dropped.has(name)) shown[name] = (special.get(name) ?? same)(value[name])
    return shown
  }
}
