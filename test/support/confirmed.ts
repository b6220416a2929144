import type { Case } from './tool-table.ts'

interface Deletion {
  tool: string
  /** All but `confirm`. */
  args: Record<string, unknown>
  /** Where the record is read, and then deleted. */
  path: string
  record: object
  noun: string
  field: string
  /** The message of the result. */
  done: string
  /** What is asked after it. */
  afterwards?: NonNullable<Case['exchanges']>
}

/** What holds of every tool that deletes by a number: it reads first, and what is named wrong stays. */
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
