import { Type } from 'typebox'
import type { ToolContext } from '../../../src/engine/context.ts'
import { queryOf } from '../../../src/engine/requests/query.ts'
import { recordOf, textIn } from '../../../src/engine/requests/record.ts'
import { requestTo } from '../../../src/engine/requests/template.ts'
import { noneIfEmpty, optional, text } from '../../../src/engine/rows/fields.ts'
import { branch, newRevision } from '../../../src/engine/rows/revisions.ts'
import { custom, type ToolRow } from '../../../src/engine/rows/row.ts'
import { explainPart, isStatus, wasRefused } from '../../../src/results/failure.ts'
import type { Fields } from '../../../src/results/is-record.ts'
import { CallProblem } from '../../../src/results/problem.ts'
import { quoted, quotedName } from '../../../src/results/visible.ts'
import { mergeRequest } from '../one.ts'

type Send = (request: string, more?: Fields, body?: Fields, query?: Fields) => Promise<unknown>

interface Wanted {
  readonly project_id: string
  readonly merge_request_iid: string
  readonly target_branch: string
  readonly branch?: string
  readonly title?: string
}

/**
 * How many commits are picked at most, for a merge request that was merged without a merge commit. With more, a person
 * should decide.
 */
const MAX_COMMITS = 50

/**
 * Brings a merged change to another branch: creates a branch from it with the change cherry-picked, and a merge request
 * that says where the change comes from. If the change cannot be picked, the new branch is deleted again.
 * @throws CallProblem if the merge request is not merged; what the forge refuses
 */
async function backport(args: Wanted, { forge, lookups }: ToolContext): Promise<Fields> {
  const { target_branch, branch = `backport-${args.merge_request_iid}-${target_branch}`, ...one } = args
  const send: Send = async (request, more = {}, body, query = {}) => {
    const whole = request.replace(' ', ' /projects/{project_id}')
    const place = requestTo(whole, { ...one, ...more }, queryOf(query))
    return (await forge.send({ ...place, ...(body && { body }) })).value
  }
  const merged = recordOf(await send('GET /merge_requests/{merge_request_iid}'))
  const title = args.title ?? `${textIn(merged, 'title')} (${target_branch})`
  const shas = await changesOf(merged, args.merge_request_iid, send)
  await send('POST /repository/branches', {}, { branch, ref: target_branch }).catch(error =>
    refuseAgain(error, { branch, target_branch }, (...request) => lookups.within(() => send(...request)))
  )
  const withoutBranch = async (error: unknown): Promise<never> => {
    await send('DELETE /repository/branches/{.branch}', { branch }).catch(failure => {
      if (isStatus(failure, [404])) return
      const why = explainPart(error) ?? 'The backport failed.'
      throw new CallProblem(
        `${why} The new branch ${quotedName(branch)} may still be there: delete it before the next try.`
      )
    })
    throw error
  }
  try {
    for (const sha of shas)
      await send(
        'POST /repository/commits/{.sha}/cherry_pick',
        { sha },
        { branch, ...messageOf(merged, shas) }
      )
  } catch (error) {
    return withoutBranch(error)
  }
  const description = `Backport of !${args.merge_request_iid}.`
  return recordOf(
    await send(
      'POST /merge_requests',
      {},
      { source_branch: branch, target_branch, title, description, ...labelsOf(merged) }
    ).catch(error => {
      // Only after a refusal. After other errors the merge request may exist, and deleting its branch would close it.
      if (wasRefused(error)) return withoutBranch(error)
      throw error
    })
  )
}

/**
 * Explains why the branch could not be created.
 * @throws CallProblem if a merge request from this branch to this target exists already, otherwise the error
 */
async function refuseAgain(error: unknown, { branch, target_branch }: Fields, send: Send): Promise<never> {
  const made = isStatus(error, [400, 409])
    ? await send('GET /merge_requests', {}, undefined, {
        source_branch: branch,
        target_branch,
        per_page: 1
      }).catch(() => undefined)
    : undefined
  const [one] = Array.isArray(made) ? made : []
  if (typeof one?.iid !== 'number') throw error
  throw new CallProblem(
    `It was brought there before: !${one.iid} (${quoted(textIn(one, 'state'))}) is from ${String(branch)} to ${String(target_branch)}. Nothing was done; give another branch to do it again.`
  )
}

const labelsOf = ({ labels }: Fields) => (Array.isArray(labels) && labels.length > 0 ? { labels } : {})

/** The commits to pick: the one commit that brought the change in, or the commits of a fast-forwarded merge request. */
async function changesOf(merged: Fields, iid: string, send: Send) {
  const { merge_commit_sha, squash_commit_sha } = merged
  const state = textIn(merged, 'state')
  if (state !== 'merged')
    throw new CallProblem(`!${iid} is ${quoted(state)}: only what is merged can be brought elsewhere.`)
  const sha = merge_commit_sha ?? squash_commit_sha
  if (typeof sha === 'string') return [sha]
  const commits = await send(`GET /merge_requests/{merge_request_iid}/commits`)
  const shas = (Array.isArray(commits) ? commits : []).map(commit => textIn(commit, 'id')).reverse()
  if (shas.length === 0 || shas.length >= MAX_COMMITS)
    throw new CallProblem(`!${iid} has ${shas.length} commits: pick them with cherry_pick_commit.`)
  return shas
}

/**
 * The message for the picked commit. A merge commit's own message is about branches. If several commits are picked,
 * they keep their messages.
 */
const messageOf = (merged: Fields, shas: readonly string[]) =>
  shas.length === 1 ? { message: `${textIn(merged, 'title')}\n\n(cherry picked from commit ${shas[0]})` } : {}

export const backportRow: ToolRow = custom({
  name: 'backport_merge_request',
  class: 'write',
  does: ['create_branch', 'cherry_pick_commit', 'create_merge_request'],
  record: 'merge_request',
  title: 'Backport',
  summary: 'Bring a merged change to another branch by a new merge request.',
  input: Type.Object({
    ...mergeRequest,
    target_branch: branch('To bring it to'),
    branch: optional(newRevision('heads', 'To make; default backport-7-<target>')),
    title: optional(noneIfEmpty(text()))
  }),
  idempotent: false,
  run: async (args, context) => ({ value: await backport(args, context) }),
  advice: {
    400: [
      [/\(empty\)/, 'Nothing was done: the target has the change already.'],
      [
        /\(conflict\)/,
        'Nothing was done: the target has other text where it changes some. Make the change by hand with commit_files on a branch from the target, then create_merge_request.'
      ],
      [/already exists/, 'Nothing was done: give branch a name that is not taken.'],
      [/reference|ref\b/i, 'Nothing was done: there is no such target_branch, see list_branches.'],
      [/^/, 'Nothing was done: change what the forge names.']
    ],
    403: 'It takes the right to push branches.'
  }
})
