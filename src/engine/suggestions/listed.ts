import { isStatus } from '../../results/failure.ts'
import { recordsIn } from '../../results/is-record.ts'
import type { ForgeClient } from '../../upstream/client.ts'
import type { Arguments } from '../arguments/values.ts'
import { PAGE } from '../requests/pages.ts'
import { queryOf } from '../requests/query.ts'
import { type ForgeRequest, requestTo } from '../requests/template.ts'

type Records = readonly Readonly<Record<string, unknown>>[]

/** Most names that are shown. */
export const MAX_LISTED = 8

export const page = { per_page: String(PAGE) }

/**
 * Reads a list of the project or group that a call names; one page is enough.
 * @param template below the project or group
 * @throws what ForgeClient.send throws
 */
export async function listed(
  template: string,
  args: Arguments,
  query: Readonly<Record<string, string>>,
  forge: Pick<ForgeClient, 'send'>
): Promise<Records> {
  const request = requestTo(`GET {PG}/${template}`, args, queryOf(query))
  const { value } = await forge.send(request)
  return recordsIn(value).slice(0, PAGE)
}

/** Whether a GET finds something; true if that cannot be determined. */
export const isThere = (request: ForgeRequest, forge: ForgeClient): Promise<boolean> =>
  forge.send(request).then(
    () => true,
    error => !isStatus(error, [404])
  )

/** The values of a field, as far as they are texts. */
export const textsOf = (records: Records, field: string): readonly string[] =>
  records.map(record => record[field]).filter(text => typeof text === 'string')

/** A guess of arguments/problems.ts as a sentence of its own. */
export const sentence = (guess: string): string => guess.replace(/^d/, 'D')
