import { Type } from 'typebox'
import type { ToolContext } from '../../src/engine/context.ts'
import { type Part, readParts } from '../../src/engine/requests/side-by-side.ts'
import { requestTo } from '../../src/engine/requests/template.ts'
import { DAY_MS, timeOf } from '../../src/engine/rows/calendar.ts'
import { custom } from '../../src/engine/rows/row.ts'
import { isStatus } from '../../src/results/failure.ts'
import type { Fields } from '../../src/results/is-record.ts'

type Forge = ToolContext['forge']

/** A token that expires within this number of days is mentioned. */
const SOON_DAYS = 14

const read = async (forge: Forge, path: string): Promise<Fields> =>
  ((await forge.send(requestTo(`GET ${path}`, {}))).value ?? {}) as Fields

/** Reads who the caller is. A job token can read its job, but not the person's record. */
async function you(forge: Forge): Promise<Fields> {
  try {
    return { user: await read(forge, '/user') }
  } catch (error) {
    if (!isStatus(error, [401, 403])) throw error
    const job = await read(forge, '/job').catch(() => {
      throw error
    })
    return { user: job.user, job }
  }
}

/** Reads what the forge tells about the token, without the token itself. */
async function token(forge: Forge): Promise<Fields> {
  const { token: _, ...known } = await read(forge, '/personal_access_tokens/self')
  return known
}

async function version(forge: Forge): Promise<Fields> {
  try {
    return await read(forge, '/metadata')
  } catch (error) {
    if (!isStatus(error, [404])) throw error
    return read(forge, '/version')
  }
}

const shown = ({ value, problem }: Part<Fields>): Fields => value ?? { reason: problem }

/** Whole days from a time to a calendar day, in UTC as forges count. */
const daysUntil = (day: unknown, now: number): number => Math.floor((timeOf(day) - now) / DAY_MS) + 1

function warnings({ expires_at: day }: Fields, now: number): string[] {
  const days = daysUntil(day, now)
  if (typeof day !== 'string' || Number.isNaN(days) || days > SOON_DAYS) return []
  return [`This token expires on ${day}${days < 1 ? '' : `, in ${days} days`}: have it renewed.`]
}

/**
 * Tells who the caller is, with which token, and which forge it is. It sends three requests, of which only the first
 * must succeed.
 */
export const youRow = custom({
  name: 'get_current_user',
  class: 'read',
  title: 'About you',
  summary: 'Get who you are, what your token may do and until when, and the version of the forge.',
  input: Type.Object({}),
  idempotent: true,
  record: 'you',
  run: async (_, { forge }) => {
    const [caller, parts] = await Promise.all([
      you(forge),
      readParts({ token: () => token(forge), forge: () => version(forge) })
    ])
    const known = shown(parts.token)
    return {
      value: { ...caller, token: known, forge: shown(parts.forge) },
      notices: warnings(known, Date.now())
    }
  }
})
