import { isRecord } from '../results/is-record.ts'
import { argumentsOf } from './rows/argument-flags.ts'
import type { SeveralRow, ToolRow } from './rows/row.ts'

/**
 * Prepares the remark of a change on lists and milestones that were given as an empty text. Such a text counts as not
 * given, because models fill in arguments they mean to omit, although the forge's own API would clear the field.
 * @returns undefined for a tool that changes no such field; otherwise a function of the arguments as received
 */
export function emptiedStep(row: ToolRow): ((raw: unknown) => readonly string[]) | undefined {
  if (row.kind === 'several') return emptiedInEach(row)
  if (!changes(row)) return undefined
  const nones = Object.entries(argumentsOf(row.input)).flatMap(([name, property]) => {
    const none = property.type === 'array' ? '[]' : property.milestone && '0'
    return none && !/^(?:add|remove)_/.test(name) ? [[name, none] as const] : []
  })
  if (nones.length === 0) return undefined
  return raw =>
    !isRecord(raw)
      ? []
      : nones
          .filter(([name]) => raw[name] === '')
          .map(([name, none]) => `${name} is as it was: empty text counts as not given, ${none} is for none.`)
}

/** The lists of each of several things: empty texts in their place do not get as far as the call for that thing. */
function emptiedInEach({ argument, of }: SeveralRow): ReturnType<typeof emptiedStep> {
  const properties = argumentsOf(of.input)
  const ofOne = emptiedStep(of)
  return (
    ofOne &&
    (raw => {
      const items = isRecord(raw) ? raw[argument] : undefined
      return (Array.isArray(items) ? items : []).flatMap((item, at) => {
        const lists = isRecord(item)
          ? Object.entries(item).filter(([name]) => properties[name]?.type === 'array')
          : []
        return ofOne(Object.fromEntries(lists)).map(said => `${argument}.${at}: ${said}`)
      })
    })
  )
}

const changes = (row: ToolRow): boolean =>
  (row.kind === 'rest' && [row.request].flat().some(request => request.startsWith('PUT '))) ||
  (row.kind === 'graphql' && row.class === 'write' && row.idempotent === true)
