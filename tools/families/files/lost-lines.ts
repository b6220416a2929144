import type { Arguments } from '../../../src/engine/arguments/values.ts'
import type { NoticeContext } from '../../../src/engine/context.ts'
import { queryOf } from '../../../src/engine/requests/query.ts'
import { requestTo } from '../../../src/engine/requests/template.ts'
import { areMany, linesOf } from '../../../src/results/fewer-lines.ts'
import { fieldsOf } from '../../../src/results/is-record.ts'
import { quotedFew } from '../../../src/results/visible.ts'
import { actionsIn, type FileAction, replacesWhole } from './file-actions.ts'
import { lostEnds } from './lost-ends.ts'

/** Most files that are named. */
const FEW = 5

/** Whether an action takes no lines, so that it does not matter beside those that replace files. */
const takesNone = ({ action, content, encoding }: FileAction): boolean =>
  encoding !== 'base64' && (action === 'create' || action === 'chmod' || (action === 'move' && !content))

/**
 * Says that a commit which replaced files left out many of their lines: who writes back the window of a file that was
 * shown means to change a part of it. The forge is asked for the numbers of lines of the commit, once, and only where
 * nothing else in it takes lines; without an answer nothing is said. Where it changed every line, their ends are looked at.
 * @param argument of actions
 * @returns takes the arguments as they were given and as they were sent, and gives a notice about a commit as the forge has made it
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
        FEW
      )} had ${gone} lines more before: the whole text was replaced. If that was not meant, ${undo}action=edit changes a part.`
    return isEveryLine(change, created, left)
      ? await lostEnds(parent_ids, asSent(whole, actionsIn(sent, argument)), undo, args, context)
      : undefined
  }

/** The same actions with their contents as they went to the forge: some had their line ends kept. */
function asSent(whole: readonly FileAction[], sent: readonly FileAction[]): readonly FileAction[] {
  const paths = new Set(whole.map(({ file_path }) => file_path))
  return sent.filter(action => replacesWhole(action) && paths.has(action.file_path))
}

/** Whether a commit changed all lines of the files that it replaced. @param left lines in these @param created in others */
const isEveryLine = ({ additions, deletions }: Change, created: number, left: number): boolean =>
  deletions > 0 && additions - created >= left

interface Change {
  readonly additions: number
  readonly deletions: number
}

/** What a commit changed, in lines. */
async function changeOf(id: string, args: Arguments, { forge }: NoticeContext): Promise<Change | undefined> {
  // The answer to the commit itself has none, as it is made with stats=false (spec: 3-reach.md).
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
