import { nearest } from '../../base/nearest.ts'
import { otherNamesOfAll } from '../../engine/arguments/other-names.ts'
import { isRecord } from '../../results/is-record.ts'
import { code, type JsonRpcRequest, ProtocolError } from '../messages/jsonrpc.ts'

/**
 * If a request has no `arguments`, looks for arguments in the wrong place, where they would be ignored.
 * @param named returns the names of the existing arguments, or undefined if the tool or prompt is unknown; called only
 * if there are fields in the wrong place
 * @throws ProtocolError that says where the arguments belong
 */
export function checkNoneMisplaced(
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
    objects.find(key => otherNamesOfAll.has(key) || nearest(key, ['arguments']) !== undefined)
  if (astray === undefined) return
  const what = names?.has(astray) ? astray : `What is in params.${astray}`
  throw new ProtocolError(
    code.invalidParams,
    `${what} belongs in params.arguments, which stands beside params.name.`,
    { hint: 'Arguments stand outside of params.arguments.' }
  )
}
