import { isRecord, isRecordOrList } from '../../json/records.ts'
import { checkApiUrl, ForgeError, SaidInstead } from '../errors.ts'
import type { ForgeRequest } from '../request.ts'
import { reasons, saysOnlyRefusal } from './refusal.ts'
import { UnparsedAnswer } from './unparsed.ts'

/*
 * Refuses what a forge cannot mean as the answer to a request. A gateway, or a forge in trouble, may answer with status
 * 200 and JSON of another kind than was asked for. If that were read as the kind that was asked for, a refusal would
 * become a record, and anything that is no list would become an empty list.
 */

type Asked = Pick<ForgeRequest, 'method' | 'template'>

/**
 * A read whose path ends in one of these words gives one record. If the path ends in any other word, it gives a list.
 */
const ofOneRecord: ReadonlySet<string> = new Set([
  'approval_state',
  'approvals',
  'changes',
  'compare',
  'conflicts',
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

/** Reads that give a list although their path ends in a parameter, and changes that give a list. */
const ofManyRecords = /^(?:GET .*\/merge_trains|POST .*\/merge_trains\/merge_requests)\/\{[^/]*\}$/

/** Changes that give a list, or one record instead of it. Both contain what was changed. */
const listOrRecord = /\/(?:batch_apply|merge_trains\/merge_requests\/\{[^/]*\})$/

/** Changes that are answered without a record, or with no more than their status. */
const withoutRecord =
  /\/(?:publish|bulk_publish|todos\/mark_as_done|pipeline_schedules\/\{[^/]*\}\/play|test\/[^/]*)$/

const playsSchedule = /\/pipeline_schedules\/\{[^/]*\}\/play$/

/** Whether every 2xx says that a change was made, whatever its body says (specification 3 §19.5). */
export const isMadeByStatus = ({ method, template = '' }: Asked): boolean =>
  method === 'POST' && playsSchedule.test(template)

/** Reads whose answer may be empty: languages, a status that is not set. */
const mayBeEmpty = /\/(?:languages|user\/status)$/

/**
 * Requests about members. A change of members may be answered with its outcome in words, by username or alone: that a
 * seat has to be approved first (specification 3 §4).
 */
const inWords = /\/members(?:\/|$)/

/**
 * What the forge's documentation says that a request gives: reads of collections a list, nearly everything else a
 * record.
 * @returns undefined if the documentation does not say, or for a deletion, whose answer is of no use
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
 * Refuses the value of a successful answer that is not what was asked for. For a change, the status alone says that it
 * was made (RFC 9110 section 15.3): its record may be missing.
 * @param words what the forge says in a refusal
 * @throws SaidInstead for a value that is only a refusal, ForgeError bad-answer for anything else
 */
export function refuseUnexpected(
  value: unknown,
  status: number,
  asked: Asked,
  words: (refusal: Readonly<Record<string, unknown>>) => string
): void {
  if (isMadeByStatus(asked)) return
  const documented = givenBy(asked)
  const what = documented ?? 'record'
  if (saysOnlyRefusal(value) && !isStatusOfUser(value, asked) && !isOutcome(value, status, asked))
    throw new SaidInstead(what, words(value))
  const gives = documented === 'list' && isOneInstead(value, asked) ? 'record' : documented
  if (isNothing(value, gives)) {
    if (asked.method !== 'GET' || (value !== undefined && mayBeEmpty.test(asked.template ?? ''))) return
    throw bad(`The forge answered without a ${what}: ${checkApiUrl}.`)
  }
  if (asked.template === undefined) return
  const odd = oddIn(value, gives)
  if (odd !== undefined) throw bad(`The forge answered with ${odd}.`)
}

/** Whether a record is the status of a user, of which `message` is a field; the others may be missing. */
const isStatusOfUser = (value: Record<string, unknown>, { template = '' }: Asked): boolean =>
  template.endsWith('/user/status') && Object.keys(value).every(name => name === 'message')

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

/** What is wrong with a value, in words. Some deletions are answered with their status as a number or text. */
function oddIn(value: unknown, gives: 'list' | 'record' | undefined): string | undefined {
  const isList = value instanceof UnparsedAnswer ? value.isList : Array.isArray(value)
  if (gives === undefined) return isList ? 'a list, which was not asked for' : undefined
  if (typeof value !== 'object' || isList !== (gives === 'list')) return `something that is not a ${gives}`
  return Array.isArray(value) && !isRecordOrList(value) ? 'a list of something that is no record' : undefined
}

/**
 * Whether a record that looks like a refusal is the outcome of a change. Forges write `202 Accepted` into such a
 * record, or what they wait for. Words in place of a record that was asked for are an outcome only with status 202.
 */
const isOutcome = (value: Record<string, unknown>, status: number, asked: Asked): boolean =>
  asked.method !== 'GET' &&
  reasons.every(name => name === 'message' || value[name] === undefined || value[name] === null) &&
  value.success === undefined &&
  value.status !== 'error' &&
  (status === ACCEPTED || isInWords(value, asked))

/** Whether a record that has a message and no reason for a refusal may be how a change ended. */
function isInWords(value: Record<string, unknown>, asked: Asked): boolean {
  const { template = '' } = asked
  const { message } = value
  if (isRecord(message)) return inWords.test(template)
  if (Array.isArray(message)) return false
  const mayBeWords = inWords.test(template) ? typeof message === 'string' : givenBy(asked) === undefined
  if (!mayBeWords) return false
  return !ofFailure.test(String(message)) && !ofGateway.some(name => name in value)
}

/** A message that begins with the status of a failure: what answers in a forge's place may do so with 200. */
const ofFailure = /^\s*[45]\d\d\b/

/** Fields that no forge has in the outcome of a change, but what answers in its place. */
const ofGateway = ['code', 'documentation_url', 'error_code', 'error_description'] as const

const ACCEPTED = 202
