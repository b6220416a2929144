import { isEmptyList, isRecord } from '../../results/is-record.ts'
import { NoPlace } from '../../results/problem.ts'
import { quoted, quotedName } from '../../results/visible.ts'
import { ForgeStatusError } from '../../upstream/errors.ts'
import type { Arguments } from '../arguments/values.ts'
import type { ToolContext } from '../context.ts'
import { requestTo } from '../requests/template.ts'

/** Describes, as data, where to find why the forge refused. */
export interface Reason {
  /** The statuses whose messages do not give the reason. */
  readonly statuses: readonly number[]
  /** The argument without which there is no reason to give. */
  readonly with?: string
  /** A template of the record with the reason. */
  readonly read: string
  /**
   * The tool that lists what the sentence discloses, if it discloses more than the reason. A caller who may not run
   * that tool gets no sentence.
   */
  readonly by?: string
  /** Makes the sentence that explains the refusal from the record. */
  readonly say: (
    record: Readonly<Record<string, unknown>>,
    args: Arguments,
    mayRun: ToolContext['mayRun']
  ) => string | undefined
  /** Whether the sentence explains everything, so that the advice for the status would mislead. */
  readonly isAll?: (record: Readonly<Record<string, unknown>>) => boolean
}

/** Adds the reason to a refusal, if the record shows it. If the record cannot be read, nothing is added. */
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

/** What the call left open and was assumed. */
export interface Assumed {
  /** The segments of a ref and a path whose border the address leaves open: the first was taken for the ref. */
  readonly guess?: readonly string[]
  /** The project of the server, if the call named none. */
  readonly filled?: string
}

/**
 * A sentence about the result in a project that the caller has not named: for an empty list, or for a change.
 * @returns undefined for any other result
 */
export function saidOfFilled(value: unknown, { filled }: Assumed, isRead: boolean): string | undefined {
  if (filled === undefined || (isRead && !isEmptyPage(value))) return undefined
  const was = isRead ? `Only ${quotedName(filled)} was looked at` : `This was done in ${quotedName(filled)}`
  return `${was}: this project of the server stands in where none is named.`
}

/** Whether a value is an empty list, or a GraphQL page with one. */
const isEmptyPage = (value: unknown): boolean =>
  isRecord(value) && 'pageInfo' in value ? Object.values(value).some(isEmptyList) : isEmptyList(value)

/** Adds to a "not found" error which parts of the name were assumed. */
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
