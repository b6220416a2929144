import type { UncountedReason } from '../../metrics/metrics.ts'
import type { Answer } from '../messages/answer.ts'
import { code } from '../messages/jsonrpc.ts'
import type { LoggedRefusal, Refusal } from '../messages/refusal.ts'
import { modernCode } from './modern/envelope.ts'

const ofCode: ReadonlyMap<number | undefined, UncountedReason> = new Map([
  [code.parse, 'json'],
  [code.invalidRequest, 'malformed'],
  [code.methodNotFound, 'method'],
  [code.invalidParams, 'params'],
  [code.noResource, 'params'],
  [modernCode.headerMismatch, 'header'],
  [modernCode.missingCapability, 'capability'],
  [modernCode.unsupportedVersion, 'version']
])

/** Names by HTTP status, for refusals whose code says only that they were refused before anything was read. */
const ofStatus: ReadonlyMap<number, UncountedReason> = new Map([
  [400, 'header'],
  [405, 'method'],
  [406, 'accept']
])

/** @returns the name of a refusal for its log line, unless a metric counts it under a name of its own */
export const refusalName = (status: number, errorCode: number | undefined): UncountedReason | undefined =>
  ofCode.get(errorCode) ?? ofStatus.get(status)

/**
 * @param status of the answer: most errors of these revisions have 200
 * @returns undefined for an answer that is no refusal, or that is logged already
 */
export const refusalOf = ({ code, hint, method }: Answer, status: number): LoggedRefusal | undefined =>
  status < 400 && code === undefined
    ? undefined
    : { status, reason: refusalName(status, code), hint, message: { code, method } }

/** @returns the same for a refusal before the protocol sees the request */
export const refusalBy = ({ status, code, hint, reason }: Refusal): LoggedRefusal => ({
  status,
  reason: reason ?? (status === 401 ? 'rejected' : refusalName(status, code)),
  hint
})
