import type { ToolContext } from '../../../src/engine/context.ts'
import { keepMade } from '../../../src/engine/requests/made-text.ts'
import { type ForgeRequest, requestTo } from '../../../src/engine/requests/template.ts'
import { elisionBudget, elisionsIn, firstNew } from '../../../src/engine/texts/elisions.ts'
import { withLineFeeds } from '../../../src/engine/texts/line-ends.ts'
import { explainFailure, withConsequence } from '../../../src/results/failure.ts'
import { type Fields, fieldsOf } from '../../../src/results/is-record.ts'
import { ArgumentError, CallProblem } from '../../../src/results/problem.ts'
import type { ToolOutput } from '../../../src/results/result.ts'
import { quotedName } from '../../../src/results/visible.ts'
import { movedOn } from '../moved-on.ts'
import { noteText } from './note.ts'
import { type PatchRequest, patchText } from './patch-text.ts'

interface PatchArguments extends PatchRequest {
  readonly project_id: string
  readonly issue_iid: string
  readonly dry_run?: boolean | undefined
  readonly create_note?: boolean | undefined
}

type Forge = ToolContext['forge']

/**
 * Tools that show descriptions. A caller who is denied any of them gets no preview, and no problem that quotes a line.
 */
export const showDescriptions = ['get_issue', 'list_issues']

const issuePath = '/projects/{project_id}/issues/{issue_iid}'

/**
 * Reads an issue, patches its description in memory and, unless dry_run, writes it. The forge has no lock for this, so
 * the description is read again just before writing and must not have changed.
 * @throws CallProblem when the patch does not fit or somebody else has edited the description; then nothing is written
 */
export async function updateDescription(args: PatchArguments, context: ToolContext): Promise<ToolOutput> {
  const { forge } = context
  const place = requestTo(`GET ${issuePath}`, { ...args })
  const before = await readDescription(forge, place)
  const quotes = showDescriptions.every(tool => context.mayRun(tool))
  const { text, changes, summary, preview } = patchText(before, args, quotes)
  keepMade(text, context)
  context.checkText('The patched description', text)
  refuseElision(text, before)
  if (args.dry_run)
    return { value: { status: 'preview', dry_run: true, changes, summary, preview: preview() } }
  if ((await readAgain(forge, place)) !== before)
    throw new CallProblem(
      'Somebody else changed the description in between. Nothing was written: read the issue again and make a new patch.'
    )
  const { value } = await forge.send({ ...place, method: 'PUT', body: { description: text } })
  const issue = fieldsOf(value)
  const note = args.create_note ? await addNote(forge, args, summary) : null
  return {
    value: { status: 'success', changes, summary, note, issue: identityOf(issue, args) },
    notices: [movedOn(issue) ?? [], differs(issue.description, text) ? changedByForge : []].flat()
  }
}

/**
 * Refuses a patch that adds a line which stands for others, unless the description already has that line.
 * @throws ArgumentError
 */
function refuseElision(text: string, before: string): void {
  const budget = elisionBudget()
  const line = firstNew([...elisionsIn(text, true, budget)], [before], true, budget)
  if (line !== undefined)
    throw new ArgumentError(
      'patch',
      `puts the line ${quotedName(line)} into the description, which would be there instead of what it stands for. Nothing was done. Patch what is before it and after it one by one; where the line is meant, add a word to it`
    )
}

/**
 * Reads the description; empty if there is none.
 * @throws CallProblem if the answer is not an issue
 */
async function readDescription(forge: Forge, request: ForgeRequest): Promise<string> {
  const { value } = await forge.send(request)
  const description = fieldsOf(value).description
  if (description === null) return ''
  if (typeof description === 'string') return description
  throw new CallProblem('The forge answered without a description. Nothing was changed.')
}

/** @throws as readDescription, saying that the description was looked at before, and that nothing was written */
async function readAgain(forge: Forge, request: ForgeRequest): Promise<string> {
  try {
    return await readDescription(forge, request)
  } catch (error) {
    throw withConsequence(error, unseen)
  }
}

const unseen =
  'So the description, which was read before, could not be looked at again before writing: it must not have changed in between. Nothing was written.'

/** Adds the comment. If that fails, the edit remains, so the failure is reported and the call succeeds. */
async function addNote(forge: Forge, args: PatchArguments, summary: string) {
  try {
    const place = requestTo(`POST ${issuePath}/notes`, { ...args })
    await forge.send({ ...place, body: { body: noteText(summary) } })
    return { status: 'created' }
  } catch (error) {
    return { status: 'failed', message: explainFailure(error, true) ?? 'The note could not be added.' }
  }
}

const identityOf = ({ iid, title, web_url, updated_at }: Fields, args: PatchArguments) => ({
  iid: iid ?? Number(args.issue_iid),
  title,
  web_url,
  updated_at
})

const changedByForge =
  'The forge stored another text than the patched one: lines that begin with / may have been carried out as quick actions. Read the issue again.'

/** Whether the forge stored a different text. White space at the end does not count. */
const differs = (stored: unknown, sent: string): boolean =>
  typeof stored === 'string' && withLineFeeds(stored).trimEnd() !== withLineFeeds(sent).trimEnd()
