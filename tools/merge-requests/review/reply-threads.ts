import type { Arguments } from '../../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../../src/engine/context.ts'
import { eachPage, type Records } from '../../../src/engine/requests/pages.ts'
import { requestTo } from '../../../src/engine/requests/template.ts'
import { isRecord } from '../../../src/results/is-record.ts'
import { CallProblem, eachInPlace } from '../../../src/results/problem.ts'
import { quoted, wordsOf } from '../../../src/results/visible.ts'
import { checkSuggestions } from '../../families/items/suggestion-blocks.ts'
import { positionOf } from '../notes/suggestion-places.ts'

/** The parts of a reply that say which thread it is for, and whether the thread is to be resolved or reopened. */
interface ToThread {
  readonly discussion_id: string
  readonly body?: string
  readonly resolved?: boolean
}

/** How many pages of threads are searched. For later threads, the forge itself says what is wrong. */
const MAX_PAGES = 10

/** Collects what the forge has for the wanted ids. */
class Found {
  readonly #wanted: ReadonlySet<string>
  /** The wanted threads: whether they can be resolved, whether they are, and their position. */
  readonly threads = new Map<
    string,
    { readonly isResolvable: boolean; readonly isResolved: boolean; readonly position: unknown }
  >()
  /** For each wanted id that is a note's: the thread that the note belongs to. */
  readonly notes = new Map<string, string>()

  constructor(wanted: Iterable<string>) {
    this.#wanted = new Set(wanted)
  }

  /**
   * Looks through some threads.
   * @returns whether all ids were found to be threads
   */
  look(threads: Records): boolean {
    for (const thread of threads) {
      const [id, notes] = [
        wordsOf(thread.id),
        Array.isArray(thread.notes) ? thread.notes.filter(isRecord) : []
      ]
      const resolvable = notes.filter(isResolvable)
      if (this.#wanted.has(id))
        this.threads.set(id, {
          isResolvable: resolvable.length > 0,
          isResolved: resolvable.length > 0 && resolvable.every(({ resolved }) => resolved === true),
          position: positionOf(thread)
        })
      for (const { id: note } of notes) if (this.#wanted.has(wordsOf(note))) this.notes.set(wordsOf(note), id)
    }
    return this.threads.size === this.#wanted.size
  }
}

const isResolvable = ({ resolvable, resolved }: Arguments): boolean =>
  typeof resolvable === 'boolean' ? resolvable : typeof resolved === 'boolean'

/**
 * Checks the threads of replies before anything is published, as publishing cannot be undone.
 * @returns whether the thread of a reply is to be resolved afterwards: as a reply to it says, or else as it is
 * @throws CallProblem for the first id that is not a thread or cannot be resolved, and for suggestions that do not fit
 * the line of their thread; what reading the threads throws
 */
export async function checkThreads(
  one: Arguments,
  replies: readonly ToThread[],
  { forge }: Pick<ToolContext, 'forge'>
): Promise<(reply: ToThread) => boolean> {
  const found = new Found(replies.map(({ discussion_id: id }) => id))
  const endsResolved = ({ discussion_id: id }: ToThread) =>
    replies.find(reply => reply.discussion_id === id && reply.resolved !== undefined)?.resolved ??
    found.threads.get(id)?.isResolved === true
  if (replies.length === 0) return endsResolved
  const more = await eachPage(
    forge,
    requestTo('GET /projects/{project_id}/merge_requests/{merge_request_iid}/discussions', one),
    page => (found.look(page) ? 'stop' : undefined),
    { maxPages: MAX_PAGES }
  )
  for (const [at, reply] of replies.entries()) {
    const problem = problemOf(reply, found, more)
    if (problem !== undefined) throw new CallProblem(`replies.${at}: ${problem} Nothing was published.`)
  }
  eachInPlace('replies', replies, ({ discussion_id: id, body }) => {
    const thread = found.threads.get(id)
    if (thread !== undefined)
      checkSuggestions('body', body, {
        position: thread.position,
        instead: 'put it into comments, with path and line'
      })
  })
  return endsResolved
}

function problemOf(
  { discussion_id: id, resolved }: ToThread,
  found: Found,
  more: boolean
): string | undefined {
  const [known, thread] = [found.threads.get(id), found.notes.get(id)]
  if (known?.isResolvable === false && resolved !== undefined)
    return `${quoted(id)} is a comment that stands alone, and cannot be resolved.`
  if (known !== undefined) return undefined
  if (thread !== undefined)
    return `${quoted(id)} is a note of thread ${quoted(thread)}: give that as discussion_id.`
  return more
    ? undefined
    : `there is no thread ${quoted(id)}: review_merge_request and mr_discussions give discussion_id.`
}
