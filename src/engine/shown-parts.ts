import { isRecord } from '../results/is-record.ts'
import type { ToolOutput } from '../results/result.ts'
import type { ToolRow } from './rows/row.ts'
import type { ToolSettings } from './tool-settings.ts'

/** Most records of one answer that are examined, including nested ones: a page has a hundred. */
const MAX_RECORDS = 20_000

type Hide = (output: ToolOutput) => ToolOutput

/**
 * Prepares the removal of those parts of a row's records that denied tools show; undefined if none of these tools is
 * denied. The parts are removed in place, and a notice says which and why.
 */
export function hidingOf({ shows = {} }: ToolRow, isDenied: ToolSettings['isDenied']): Hide | undefined {
  const hidden = Object.entries(shows).flatMap(([path, by]) => {
    const tool = [by].flat().find(isDenied)
    return tool === undefined ? [] : [{ path, names: path.split('.'), tool }]
  })
  if (hidden.length === 0) return undefined
  return output => {
    const notices: string[] = []
    for (const { path, names, tool } of hidden) {
      const { taken, unread } = takeOut(output.value, names)
      if (taken)
        notices.push(`${path} is left out: ${tool}, which shows that, is switched off on this server.`)
      if (unread) notices.push('Some records were left out unread: ask for a smaller page.')
    }
    return notices.length === 0
      ? output
      : { ...output, notices: [...(output.notices ?? []), ...new Set(notices)] }
  }
}

/**
 * Removes a part of a record, or of each record of a list. If a list has too many records to examine, the rest is
 * removed, too.
 */
function takeOut(value: unknown, names: readonly string[]): { taken: boolean; unread: boolean } {
  let looked = 0
  const done = { taken: false, unread: false }
  const within = (list: unknown[], at: number): void => {
    const room = MAX_RECORDS - looked
    if (list.length > room) {
      list.length = room
      done.unread = true
    }
    looked += list.length
    for (const one of list) go(one, at)
  }
  const go = (part: unknown, at: number): void => {
    const name = names[at]!
    if (Array.isArray(part)) within(part, at)
    else if (!isRecord(part) || !Object.hasOwn(part, name)) return
    else if (at < names.length - 1) go(part[name], at + 1)
    else {
      done.taken ||= (part[name] ?? '') !== ''
      part[name] = undefined
    }
  }
  go(value, 0)
  return done
}
