import type { Case } from './tool-table.ts'

interface Deletion {
  tool: string
  /** All arguments except `confirm`. */
  args: Record<string, unknown>
  /** The path from which the record is read and then deleted. */
  path: string
  record: object
  noun: string
  field: string
  /** The message of the result. */
  done: string
  /** The requests that follow the deletion. */
  afterwards?: NonNullable<Case['exchanges']>
}

/**
 * The cases that apply to every tool that deletes by a number: it reads the record first, and a wrong name deletes
 * nothing.
 */
export function confirmed({
  tool,
  args,
  path,
  record,
  noun,
  field,
  done,
  afterwards = []
}: Deletion): Case[] {
  const name = String((record as Record<string, unknown>)[field])
  const read = { request: `GET ${path}`, reply: { body: record } }
  return [
    {
      title: `the ${noun} whose ${field} is given is deleted`,
      tool,
      args: { ...args, confirm: name },
      exchanges: [read, { request: `DELETE ${path}`, reply: { status: 204 } }, ...afterwards],
      result: { status: 'success', message: done }
    },
    ...[name.toUpperCase(), name.slice(1), `${name} `].map(other => ({
      title: `a ${noun} whose ${field} is not ${JSON.stringify(other)} is left alone`,
      tool,
      args: { ...args, confirm: other },
      exchanges: [read],
      error: new RegExp(`^confirm is not the ${field} of this ${noun}\\. Nothing was done`)
    }))
  ]
}
