import { ArgumentError } from '../../results/problem.ts'
import type { Arguments } from '../arguments/values.ts'
import { isUrl } from '../names/flagged.ts'

/**
 * Refuses a web address that is given for an id, if no argument names a project or group. The address names one, but
 * gateways enforce policy by the project_id or group_id argument alone.
 * @throws ArgumentError that says where the address goes
 */
export function placeOfWebUrl(args: Arguments): void {
  if ((args.project_id ?? args.group_id) !== undefined) return
  for (const [name, value] of Object.entries(args)) {
    const address = /ids?$/.test(name) ? [value].flat().map(String).find(isWithinPlace) : undefined
    if (address === undefined) continue
    const place = address.includes('/groups/') ? 'group_id' : 'project_id'
    throw new ArgumentError(name, `is an address: give all of it as ${place}, and no ${name}`)
  }
}

const isWithinPlace = (text: string): boolean => isUrl(text) && text.includes('/-/')
