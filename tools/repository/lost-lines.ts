import type { Arguments } from '../../src/engine/arguments/values.ts'
import type { NoticeContext } from '../../src/engine/context.ts'
import { queryOf } from '../../src/engine/requests/query.ts'
import { requestTo } from '../../src/engine/requests/template.ts'
import { areMany, linesOf } from '../../src/results/fewer-lines.ts'
import { fieldsOf } from '../../src/results/is-record.ts'
import { quotedFew } from '../../src/results/visible.ts'
import { actionsIn, type FileAction, replacesWhole } from '../families/files/file-actions.ts'
import { lostEnds } from './lost-ends.ts'

/** How many files a notice names at most. */
const MAX_NAMED = 5

/** Whether an action removes no lines. Such an action does not affect the count of removed lines. */
const takesNone = ({ action, content, encoding }: FileAction): boolean =>
  encoding !== 'base64' && (action === 'create' || action === 'chmod' || (action === 'move' && !content))

/**
 * Warns when a commit that replaced whole files dropped many of their lines. A model that was shown only part of a
 * file, and writes that part back, means to change only the part. The forge is asked once for the commit's line counts,
 * and only if every other action removes no lines. If it does not answer, nothing is said. If every line changed,
 * lost-ends.ts checks the line ends.
 * @param argument the one that has the actions
 * @returns a function (made, args, context, sent) that gives a notice; made is the commit as the forge returned it,
 * args are the arguments as given, sent those that went to the forge
 */
export const lostLines =
  (argument: string) =>
  async (
    made: unknown,
    args: Arguments,
    context: NoticeContext,
    sent: Arguments
  ): Promise<string | undefined> => {
    const actions = actionsIn(args, argument)
    const whole = actions.filter(replacesWhole)
    if (whole.length === 0 || !actions.every(action => replacesWhole(action) || takesNone(action)))
      return undefined
    const { id, parent_ids } = fieldsOf(made)
    const change =
      typeof id === 'string' ? await changeOf(id, args, context).catch(() => undefined) : undefined
    const created = linesOf(contentsOf(actions.filter(({ action }) => action === 'create')))
    const left = linesOf(contentsOf(whole))
    if (change === undefined || created === undefined || left === undefined) return undefined
    const undo = context.mayRun('revert_commit') ? 'revert_commit undoes it, and ' : ''
    const gone = change.deletions - change.additions + created
    if (areMany(gone, left))
      return `${quotedFew(
        whole.map(({ file_path }) => file_path),
        MAX_NAMED
      )} had ${gone} lines more before: the whole text was replaced. If that was not meant, ${undo}action=edit changes a part.`
    return isEveryLine(change, created, left)
      ? await lostEnds(parent_ids, asSent(whole, actionsIn(sent, argument)), undo, args, context)
      : undefined
  }

/** The same actions with their contents as sent to the forge: the line ends of some were kept. */
function asSent(whole: readonly FileAction[], sent: readonly FileAction[]): readonly FileAction[] {
  const paths = new Set(whole.map(({ file_path }) => file_path))
  return sent.filter(action => replacesWhole(action) && paths.has(action.file_path))
}

/**
 * Whether a commit changed all lines of the files that it replaced.
 * @param created lines in files that the commit created
 * @param left lines in the files that it replaced
 */
const isEveryLine = ({ additions, deletions }: Change, created: number, left: number): boolean =>
  deletions > 0 && additions - created >= left

interface Change {
  readonly additions: number
  readonly deletions: number
}

/** How many lines a commit added and deleted. */
async function changeOf(id: string, args: Arguments, { forge }: NoticeContext): Promise<Change | undefined> {
  // The answer to the commit itself has no counts, as it is made with stats=false (spec: 3-reach.md).
  const request = requestTo(
    'GET /projects/{project_id}/repository/commits/{.sha}',
    { project_id: args.project_id, sha: id },
    queryOf({ stats: true })
  )
  const { value } = await forge.send(request)
  const { stats } = (value ?? {}) as { stats?: { additions?: unknown; deletions?: unknown } }
  const { additions, deletions } = stats ?? {}
  return typeof additions === 'number' && typeof deletions === 'number' ? { additions, deletions } : undefined
}

const contentsOf = (actions: readonly FileAction[]): readonly string[] =>
  actions.map(({ content = '' }) => content)
