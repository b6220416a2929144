import type { ForgeClient } from '../upstream/client.ts'
import { ForgeStatusError } from '../upstream/errors.ts'
import type { Arguments } from './checks.ts'
import { placeOf } from './template.ts'

/** Where to look for why the forge refused, as data. */
export interface Reason {
  /** The statuses whose words do not say it. */
  readonly statuses: readonly number[]
  /** A template of the record that does. */
  readonly read: string
  /** What of it explains the refusal, as a sentence. */
  readonly say: (record: Readonly<Record<string, unknown>>, args: Arguments) => string | undefined
}

/** Adds to a refusal why it was one, where the thing itself says so; a failure to read it changes nothing. */
export async function withReason(
  error: unknown,
  { statuses, read, say }: Reason,
  args: Arguments,
  forge: ForgeClient
): Promise<void> {
  if (!(error instanceof ForgeStatusError) || !statuses.includes(error.status)) return
  try {
    const { value } = await forge.send({ method: 'GET', ...placeOf(read, args) })
    if (typeof value === 'object' && value !== null)
      error.reason = say(value as Record<string, unknown>, args)
  } catch {}
}
