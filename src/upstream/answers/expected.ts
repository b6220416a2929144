import { isRecord, isRecordOrList } from '../../json/records.ts'
import { checkApiUrl, ForgeError, SaidInstead } from '../errors.ts'
import type { ForgeRequest } from '../request.ts'
import { reasons, saysOnlyRefusal } from './refusal.ts'
import { UnparsedAnswer } from './unparsed.ts'

/*
 * Refuses what a forge cannot mean as the answer to a request. A gateway, or a forge in trouble, may answer with status
 * 200 and JSON of another kind than was asked for: read as if it were of that kind, a refusal would be a record, and
 * what is no list would be an empty one.
 */

type Asked = Pick<ForgeRequest, 'method' | 'template'>

/** What a read of a path gives that ends in one of these words: one record. Of any other word it is a list. */
const ofOneRecord: ReadonlySet<string> = new Set([
  'approval_state',
  'approvals',
  'changes',
  'compare',
  'job',
  'languages',
  'lint',
  'merge_base',
  'metadata',
  'self',
  'status',
  'test_report',
  'test_report_summary',
  'user',
  'version'
])

/** Reads of a thing that give a list all the same, and changes that do. */
const ofManyRecords = /^(?:GET .*\/merge_trains|POST .*\/merge_trains\/merge_requests)\/\{[^/]*\}$/

/** Changes that give a list, or one record in its place: what was changed is in either. */
const listOrRecord = /\/(?:batch_apply|merge_trains\/merge_requests\/\{[^/]*\})$/

/** Changes that are answered without a record, or with no more than their status. */
const withoutRecord =
  /\/(?:publish|bulk_publish|todos\/mark_as_done|pipeline_schedules\/\{[^/]*\}\/play|test\/[^/]*)$/

/** What may be empty: languages, a status that is not set. */
const mayBeEmpty = /\/(?:languages|user\/status)$/

/** Of members: a change of them may be answered with what becomes of it, in words by username. */
const inWords = /\/members(?:\/|$)/

/**
 * What the forge's documentation says that a request gives: reads of collections a list, nearly everything else a record.
 * @returns undefined if nothing is said of it, as of a deletion, whose answer is of no use
 */
export function givenBy({ method, template }: Asked): 'list' | 'record' | undefined {
  if (template === undefined || method === 'DELETE') return undefined
  if (ofManyRecords.test(`${method} ${template}`)) return 'list'
  const last = template.slice(template.lastIndexOf('/') + 1)
  if (method === 'GET') return last.startsWith('{') || ofOneRecord.has(last) ? 'record' : 'list'
  if (withoutRecord.test(template)) return undefined
  return last === 'batch_apply' ? 'list' : 'record'
}

/**
 * Refuses the value of a successful answer that is not what was asked for. That a change was made is said by the status
 * alone (RFC 9110 section 15.3): its record may be missing.
 * @param words what the forge says in a refusal
 * @throws SaidInstead for what only says why it is not, ForgeError bad-answer for anything else
 */
export function refuseUnexpected(
  value: unknown,
  status: number,
  asked: Asked,
  words: (refusal: Readonly<Record<string, unknown>>) => string
): void {
  const documented = givenBy(asked)
  const what = documented ?? 'record'
  if (saysOnlyRefusal(value) && !isOutcome(value, status, asked)) throw new SaidInstead(what, words(value))
  const gives = documented === 'list' && isOneInstead(value, asked) ? 'record' : documented
  if (isNothing(value, gives)) {
    if (asked.method !== 'GET' || (value !== undefined && mayBeEmpty.test(asked.template ?? ''))) return
    throw bad(`The forge answered without a ${what}: ${checkApiUrl}.`)
  }
  const odd = asked.template === undefined ? undefined : oddIn(value, gives)
  if (odd !== undefined) throw bad(`The forge answered with ${odd}.`)
}

const isOneInstead = (value: unknown, { method, template = '' }: Asked): boolean =>
  method !== 'GET' && isRecord(value) && listOrRecord.test(template)

const bad = (message: string): ForgeError => new ForgeError('bad-answer', message)

const isNothing = (value: unknown, gives: 'list' | 'record' | undefined): boolean =>
  value === undefined ||
  value === null ||
  (gives === 'record' &&
    isRecord(value) &&
    !(value instanceof UnparsedAnswer) &&
    Object.keys(value).length === 0)

/** What is wrong with a value, as words. Of some deletions the answer is their status as a number or text. */
function oddIn(value: unknown, gives: 'list' | 'record' | undefined): string | undefined {
  const isList = value instanceof UnparsedAnswer ? value.isList : Array.isArray(value)
  if (gives === undefined) return isList ? 'a list, which was not asked for' : undefined
  if (typeof value !== 'object' || isList !== (gives === 'list')) return `something that is not a ${gives}`
  return Array.isArray(value) && !isRecordOrList(value) ? 'a list of something that is no record' : undefined
}

/** Whether such a record is the outcome of a change: forges write `202 Accepted` into one, or what they wait for. */
const isOutcome = (value: Record<string, unknown>, status: number, asked: Asked): boolean =>
  asked.method !== 'GET' &&
  reasons.every(name => name === 'message' || value[name] === undefined) &&
  value.success === undefined &&
  value.status !== 'error' &&
  (status === ACCEPTED ||
    (inWords.test(asked.template ?? '') && isRecord(value.message)) ||
    (givenBy(asked) === undefined && /^20\d\b/.test(String(value.message))))

const ACCEPTED = 202
