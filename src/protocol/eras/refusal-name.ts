import type { UncountedReason } from '../../metrics/metrics.ts'
import { code } from '../messages/jsonrpc.ts'
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

/** Names by status, for refusals whose code says only that they were refused before anything was read. */
const ofStatus: ReadonlyMap<number, UncountedReason> = new Map([
  [400, 'header'],
  [405, 'method'],
  [406, 'accept']
])

/** @returns the name of a refusal for its log line, if no metric counts it under a name of its own */
export const refusalName = (status: number, errorCode: number | undefined): UncountedReason | undefined =>
  ofCode.get(errorCode) ?? ofStatus.get(status)
