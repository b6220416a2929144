import type { Arguments } from '../../src/engine/arguments/values.ts'
import type { NoticeContext } from '../../src/engine/context.ts'
import type { Reason } from '../../src/engine/facts/reason.ts'
import { wholeSha } from '../../src/engine/requests/sha.ts'
import { requestTo } from '../../src/engine/requests/template.ts'
import { fieldsOf } from '../../src/results/is-record.ts'
import { quoted } from '../../src/results/visible.ts'

/**
 * Says, after a refused release with `ref`, that the tag exists now. The forge creates the tag first, and would ignore
 * `ref` in a repeated call.
 */
export const tagIsThere: Reason = {
  statuses: [400],
  with: 'ref',
  read: 'GET /projects/{project_id}/repository/tags/{.tag_name}',
  by: 'get_tag',
  say: (tag, { tag_name: name }, mayRun) => {
    const { id } = fieldsOf(tag.commit)
    if (typeof id !== 'string') return undefined
    const instead = mayRun('delete_tag') ? '; delete_tag takes it away' : ''
    return `The tag ${quoted(String(name))} is there now, of commit ${quoted(id)}: another call releases that, whatever its ref${instead}.`
  }
}

const isWhole = (ref: string): boolean => wholeSha.test(ref.toLowerCase())

/**
 * A notice if the release was made for a tag that existed before. A forge then silently ignores `ref` and `tag_message`
 * (docs: Releases API). The forge is asked at most once, and only if neither the call nor the release tells.
 * @param release the release as the forge created it
 */
export async function tagWasThere(
  release: unknown,
  args: Arguments,
  { forge }: NoticeContext
): Promise<string | undefined> {
  const { ref, tag_message: message } = args
  if (ref === undefined && message === undefined) return undefined
  const isOld = ref === undefined || (await differs(release, args, forge).catch(() => false))
  const passed = ['ref', 'tag_message'].filter(name => args[name] !== undefined)
  return isOld
    ? `The tag was there already: ${passed.join(' and ')} ${passed.length === 1 ? 'was' : 'were'} passed over.`
    : undefined
}

/** Whether the tag points to another commit than `ref`, or has another message than the given one. */
async function differs(release: unknown, args: Arguments, forge: NoticeContext['forge']): Promise<boolean> {
  const ref = String(args.ref)
  const { id } = fieldsOf(fieldsOf(release).commit)
  if (id === undefined) return false
  if (isWhole(ref) && ref.toLowerCase() !== id) return true
  const read = async (template: string) => fieldsOf((await forge.send(requestTo(template, args))).value)
  if (args.tag_message !== undefined) {
    const { message } = await read('GET /projects/{project_id}/repository/tags/{.tag_name}')
    return message !== undefined && String(message ?? '').trim() !== String(args.tag_message).trim()
  }
  if (isWhole(ref)) return false
  const commit = await read('GET /projects/{project_id}/repository/commits/{.ref}')
  return commit.id !== undefined && commit.id !== id
}
