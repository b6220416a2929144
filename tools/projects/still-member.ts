import type { Arguments } from '../../src/engine/arguments/values.ts'
import type { NoticeContext } from '../../src/engine/context.ts'
import { queryOf } from '../../src/engine/requests/query.ts'
import { requestTo } from '../../src/engine/requests/template.ts'
import { isStatus } from '../../src/results/failure.ts'
import { recordsIn } from '../../src/results/is-record.ts'
import { wordsOf } from '../../src/results/visible.ts'
import { withRole } from '../families/people/roles.ts'

/**
 * The notice after a removal. A forge removes only the direct membership, and does not say that one through another
 * group remains.
 */
export async function stillMember(
  _none: unknown,
  args: Arguments,
  { forge }: NoticeContext
): Promise<string | undefined> {
  try {
    const request = requestTo('GET {PG}/members/all', args, queryOf({ user_ids: [args.user_id] }))
    const { value } = await forge.send(request)
    const member = recordsIn(value).find(({ id }) => wordsOf(id) === String(args.user_id))
    if (member === undefined) return undefined
    // The role is read from the access level. A role field in the forge's record could contain any text, and this one
    // becomes part of our sentence.
    const { role } = withRole({ access_level: member.access_level }) as { readonly role?: string }
    const as = role === undefined ? '' : `, as ${role}`
    return `Through another group this person is a member here all the same${as}: where that is to end, too, remove_member there.`
  } catch (error) {
    // The project or group is private and no longer visible to the person who left it. So no group gives access to it
    // either.
    if (isStatus(error, [404])) return undefined
    // The member has been removed. A failure here must not look as if the member had not been.
    return 'Whether this person is a member through another group all the same could not be read: list_members tells.'
  }
}
