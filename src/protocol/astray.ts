import { nearest } from '../nearest.ts'
import { isRecord } from '../results/is-record.ts'
import { code, type JsonRpcRequest, ProtocolError } from './jsonrpc.ts'

/** What clients that are written by hand call `arguments`. */
const otherNames = ['args', 'input', 'inputs', 'parameters', 'params']

/**
 * Looks where there are no arguments for some that stand elsewhere and would not be read.
 * @param named names of the arguments that there are, asked for only then; none where what is called is unknown
 * @throws ProtocolError that says where they belong
 */
export function checkNoneAstray(
  params: JsonRpcRequest['params'],
  named: () => { has(name: string): boolean } | undefined
): void {
  if (params.arguments !== undefined) return
  const keys = Object.keys(params).filter(key => key !== 'name' && key !== '_meta')
  if (keys.length === 0) return
  const names = named()
  const objects = keys.filter(key => isRecord(params[key]))
  const astray =
    keys.find(key => names?.has(key)) ??
    objects.find(key => otherNames.includes(key) || nearest(key, ['arguments']) !== undefined)
  if (astray === undefined) return
  const what = names?.has(astray) ? astray : `What is in params.${astray}`
  throw new ProtocolError(
    code.invalidParams,
    `${what} belongs in params.arguments, which stands beside params.name.`
  )
}
