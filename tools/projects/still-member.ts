import type { Arguments } from '../../src/engine/arguments/values.ts'
import type { NoticeContext } from '../../src/engine/context.ts'
import { queryOf } from '../../src/engine/requests/query.ts'
import { requestTo } from '../../src/engine/requests/template.ts'
import { isStatus } from '../../src/results/failure.ts'
import { recordsIn } from '../../src/results/is-record.ts'
import { wordsOf } from '../../src/results/visible.ts'
import { withRole } from '../families/people/roles.ts'

/**
 * The notice after a removal: a forge only removes the direct membership, and does not say that one through another
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
    // Of its own a record may have any role, and this one stands in a sentence of ours.
    const { role } = withRole({ access_level: member.access_level }) as { readonly role?: string }
    const as = role === undefined ? '' : `, as ${role}`
    return `Through another group this person is a member here all the same${as}: where that is to end, too, remove_member there.`
  } catch (error) {
    // Who has left what is private sees it no longer, and is let in by no group.
    if (isStatus(error, [404])) return undefined
    // The member has been removed: a failure here must not read as if it had not.
    return 'Whether this person is a member through another group all the same could not be read: list_members tells.'
  }
}
