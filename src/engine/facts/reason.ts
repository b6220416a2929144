import { isEmptyList, isRecord } from '../../results/is-record.ts'
import { NoPlace } from '../../results/problem.ts'
import { quoted, quotedName } from '../../results/visible.ts'
import { ForgeStatusError } from '../../upstream/errors.ts'
import type { Arguments } from '../arguments/values.ts'
import type { ToolContext } from '../context.ts'
import { requestTo } from '../requests/template.ts'

/** Where to look for why the forge refused, as data. */
export interface Reason {
  /** The statuses whose words do not say it. */
  readonly statuses: readonly number[]
  /** The argument without which there is nothing to tell. */
  readonly with?: string
  /** A template of the record that does. */
  readonly read: string
  /** The tool that lists what is told of it, where that is more than the reason: nothing is where it may not be run. */
  readonly by?: string
  /** What of it explains the refusal, as a sentence. */
  readonly say: (
    record: Readonly<Record<string, unknown>>,
    args: Arguments,
    mayRun: ToolContext['mayRun']
  ) => string | undefined
  /** Whether that is all there is to say, so that the advice for the status would mislead. */
  readonly isAll?: (record: Readonly<Record<string, unknown>>) => boolean
}

/** Adds to a refusal why it was one, where the thing itself says so; a failure to read it changes nothing. */
export async function withReason(
  error: unknown,
  { statuses, with: needed, read, by, say, isAll }: Reason,
  args: Arguments,
  context: Pick<ToolContext, 'forge' | 'lookups' | 'mayRun'>
): Promise<void> {
  if (!(error instanceof ForgeStatusError) || !statuses.includes(error.status)) return
  if (by !== undefined && !context.mayRun(by)) return
  if (needed !== undefined && args[needed] === undefined) return
  try {
    const request = requestTo(read, args)
    const { value } = (await context.lookups.within(() => context.forge.send(request))) ?? {}
    if (typeof value !== 'object' || value === null) return
    const record = value as Record<string, unknown>
    error.reason = say(record, args, tool => context.mayRun(tool))
    error.isExplained = error.reason !== undefined && isAll?.(record) === true
  } catch {}
}

/** What a call leaves open, and was taken for it. */
export interface Assumed {
  /** The parts of a ref and a path whose border an address leaves open: the first was taken for the ref. */
  readonly guess?: readonly string[]
  /** The project of the server, where none was named. */
  readonly filled?: string
}

/**
 * What to say of a result of a project that the caller has not named: of an empty list, and of what was changed there.
 * @returns undefined of anything else
 */
export function saidOfFilled(value: unknown, { filled }: Assumed, isRead: boolean): string | undefined {
  if (filled === undefined || (isRead && !isEmptyPage(value))) return undefined
  const was = isRead ? `Only ${quotedName(filled)} was looked at` : `This was done in ${quotedName(filled)}`
  return `${was}: this project of the server stands in where none is named.`
}

/** Whether a value is an empty list, or a page of GraphQL with one. */
const isEmptyPage = (value: unknown): boolean =>
  isRecord(value) && 'pageInfo' in value ? Object.values(value).some(isEmptyList) : isEmptyList(value)

/** Adds to what is not found what of its name the caller has not given. */
export function withAssumed(
  error: unknown,
  { guess: [guess] = [], filled }: Assumed,
  args: Arguments,
  context: Pick<ToolContext, 'mayRun'>
): void {
  if (!(error instanceof NoPlace || (error instanceof ForgeStatusError && error.status === 404))) return
  const said: string[] = []
  if (filled !== undefined) {
    const isIt = error instanceof NoPlace || /project not found/i.test(error.message)
    said.push(
      `The default project of this server, ${quotedName(filled)}, stood in, as none was named${isIt ? '' : ': give project_id if another is meant'}.`
    )
  }
  if (error.reason !== undefined) said.push(error.reason)
  if (guess !== undefined && args.ref === guess) {
    const next = context.mayRun('resolve_url')
      ? 'resolve_url splits the address into both.'
      : 'Give both apart.'
    said.push(`That the ref is ${quoted(guess)}, and the rest the path, is a guess. ${next}`)
  }
  if (said.length > 0) error.reason = said.join(' ')
}
