import { recordOf } from '../../../src/engine/requests/record.ts'
import { sideBySide } from '../../../src/engine/requests/side-by-side.ts'
import { notDone, wasRefused } from '../../../src/results/failure.ts'
import type { Fields } from '../../../src/results/is-record.ts'
import { CallProblem } from '../../../src/results/problem.ts'
import { quoted } from '../../../src/results/visible.ts'

/* The drafts of one review. Only their author sees them until all are published at once. */

/** Sends a request to the forge for one call. */
export type Send = (request: string, more?: Fields, body?: Fields) => Promise<unknown>

/**
 * Refuses a review while its author has other drafts. Publishing would include them, even those of a review begun
 * elsewhere.
 */
export async function refuseOthersDrafts(send: Send): Promise<void> {
  const others = await send('GET /draft_notes')
  if (Array.isArray(others) && others.length > 0)
    throw new CallProblem(
      `You have ${others.length === 1 ? 'a draft note' : `${others.length} draft notes`} here already, which would be published with this review. Nothing was done: see list_draft_notes, then publish or delete what is there first.`
    )
}

/**
 * Creates all drafts in their order, or none.
 * @returns their ids
 */
export async function keepDrafts(send: Send, drafts: readonly Fields[]): Promise<readonly unknown[]> {
  const kept: unknown[] = []
  try {
    for (const draft of drafts) kept.push(recordOf(await send('POST /draft_notes', {}, draft)).id)
  } catch (error) {
    await dropDrafts(send, kept)
    throw notDone(error, 'Nothing was published.')
  }
  return kept
}

/** Deletes drafts. A draft that cannot be deleted stays visible only to its author. */
export async function dropDrafts(send: Send, kept: readonly unknown[]): Promise<void> {
  await sideBySide(kept, 2, draft_note_id =>
    send('DELETE /draft_notes/{draft_note_id}', { draft_note_id }).catch(() => undefined)
  )
}

/** For a failure on the forge's side. Comments that it has published are no drafts any more, so nothing is deleted. */
const unsure =
  'It is not known whether the review was published: what was not stays as drafts, which list_draft_notes shows, and has to be published or deleted before the next.'

/**
 * Publishes the drafts. If the forge refuses, they are deleted.
 * @param resolved the thread that was resolved before
 */
export async function published(
  send: Send,
  review: Fields,
  kept: readonly unknown[],
  resolved: string | undefined
): Promise<void> {
  try {
    await send('POST /draft_notes/bulk_publish', {}, review)
  } catch (error) {
    const done = resolved === undefined ? '' : ` Thread ${quoted(resolved)} is as you wanted it already.`
    if (wasRefused(error)) await dropDrafts(send, kept)
    throw notDone(error, `Nothing was published.${done}`, `${unsure}${done}`)
  }
}
