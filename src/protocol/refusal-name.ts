import { code } from './jsonrpc.ts'
import { modernCode } from './modern/envelope.ts'

const ofCode: ReadonlyMap<number | undefined, string> = new Map([
  [code.parse, 'json'],
  [code.invalidRequest, 'malformed'],
  [code.methodNotFound, 'method'],
  [code.invalidParams, 'params'],
  [modernCode.headerMismatch, 'header'],
  [modernCode.missingCapability, 'capability'],
  [modernCode.unsupportedVersion, 'version']
])

/** Of those whose code says only that they were refused before anything was looked at. */
const ofStatus: ReadonlyMap<number, string> = new Map([
  [400, 'header'],
  [405, 'method'],
  [406, 'accept']
])

/** @returns what a refusal is called in its line where nothing counts it, and so has a name for it */
export const refusalName = (status: number, errorCode: number | undefined): string | undefined =>
  ofCode.get(errorCode) ?? ofStatus.get(status)
