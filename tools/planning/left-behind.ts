import type { Arguments } from '../../src/engine/arguments/values.ts'
import type { NoticeContext } from '../../src/engine/context.ts'
import { requestTo } from '../../src/engine/requests/template.ts'
import { fieldsOf, recordsIn } from '../../src/results/is-record.ts'
import { asKey } from '../../src/results/shortened.ts'
import { quotedName } from '../../src/results/visible.ts'

/** How many names of each kind are given. */
const MAX_NAMED = 10

/**
 * Says what a moved issue has lost. Labels and milestones are matched by title, so a forge silently drops those that
 * the other project does not have, and assignees who may not see the issue there. The old issue still has all of them.
 * @param moved the new issue
 * @param args the project_id and issue_iid of the old issue
 */
export async function leftBehind(
  moved: unknown,
  args: Arguments,
  { forge }: NoticeContext
): Promise<string | undefined> {
  try {
    const old = await forge.send(requestTo('GET /projects/{project_id}/issues/{issue_iid}', args))
    return differences(fieldsOf(old.value), fieldsOf(moved))
  } catch {
    // The issue has been moved. A failure here must not look as if it had not.
    return 'Whether it kept its labels, milestone and assignees could not be read: compare both by get_issue.'
  }
}

type Issue = Readonly<Record<string, unknown>>

function differences(old: Issue, moved: Issue): string | undefined {
  const [labels, milestone, assignees] = kinds.map(namesIn => {
    const now = new Set(namesIn(moved))
    return namesIn(old).filter(name => !now.has(name))
  })
  const said = [
    lost(labels!, 'labels', 'update_issue with add_labels makes them there'),
    lost(milestone!, 'the milestone', 'create_milestone makes one there'),
    lost(assignees!, 'assignees', 'they may not see it there, or there may be one person only')
  ].filter(sentence => sentence !== undefined)
  return said.length === 0 ? undefined : said.join(' ')
}

const kinds: readonly ((issue: Issue) => readonly string[])[] = [
  ({ labels }) => texts(Array.isArray(labels) ? labels : []),
  ({ milestone }) => texts([fieldsOf(milestone).title]),
  ({ assignees }) => texts(recordsIn(assignees).map(({ username }) => username))
]

const texts = (values: readonly unknown[]): readonly string[] =>
  values.filter(value => typeof value === 'string').map(asKey)

function lost(names: readonly string[], what: string, next: string): string | undefined {
  if (names.length === 0) return undefined
  const shown =
    names.slice(0, MAX_NAMED).map(quotedName).join(', ') + (names.length > MAX_NAMED ? ' and more' : '')
  return `Left behind: ${what} ${shown}; ${next}.`
}
