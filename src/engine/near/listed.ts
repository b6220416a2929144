import { isStatus } from '../../results/failure.ts'
import { isRecord } from '../../results/is-record.ts'
import type { ForgeClient } from '../../upstream/client.ts'
import type { Arguments } from '../checks.ts'
import { queryOf } from '../query.ts'
import { placeOf } from '../template.ts'

type Records = readonly Readonly<Record<string, unknown>>[]

/** Names of one answer. */
export const PAGE = 100
/** Names that are told. */
export const FEW = 8

export const page = { per_page: String(PAGE) }

/**
 * A list of the project or group that a call names, of which a page is enough.
 * @param template below the project or group
 * @throws what ForgeClient.send throws
 */
export async function listed(
  template: string,
  args: Arguments,
  query: Readonly<Record<string, string>>,
  forge: ForgeClient
): Promise<Records> {
  const place = placeOf(`GET {PG}/${template}`, args, queryOf(query))
  const { value } = await forge.send({ method: 'GET', ...place })
  return (Array.isArray(value) ? value : []).slice(0, PAGE).filter(isRecord)
}

/** Whether the forge has what a GET reads; it may where the forge does not say. */
export const isThere = (place: ReturnType<typeof placeOf>, forge: ForgeClient): Promise<boolean> =>
  forge.send({ method: 'GET', ...place }).then(
    () => true,
    error => !isStatus(error, [404])
  )

export const textsOf = (records: Records, field: string): readonly string[] =>
  records.map(record => record[field]).filter(text => typeof text === 'string')

export const sentence = (guess: string): string => guess.replace(/^d/, 'D')
