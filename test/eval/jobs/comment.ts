import { unified } from '../../forge/model/diff.ts'
import { changesOf } from '../../forge/model/merge-requests.ts'
import { type Job, unless } from '../job.ts'
import { ago, ROCKET } from '../world.ts'
import { addClock, requestOf } from './review.ts'

const SUMMARY = 'Close. Three small things, then it can go.'

/** What the reviewer has to say, each on the line that it is about. */
const remarks = [
  { path: 'src/clock.ts', text: 'return Math.max', body: 'Say in the comment that it never goes back.' },
  { path: 'src/launch.ts', text: 'this.#clock.reset()', body: 'The hold sets it back, too: is once enough?' },
  { path: 'test/clock.test.ts', text: 'a clock counts a pause', body: 'This test does not pause.' }
]

/** The line of a new file's diff, or of a hunk, that holds a text, as somebody reads it off `@@ … +n`. */
function lineIn(diff: string, text: string): number {
  let line = 0
  for (const row of diff.split('\n')) {
    const hunk = /^@@ .*\+(\d+)/.exec(row)
    if (hunk) line = Number(hunk[1]) - 1
    else if (!row.startsWith('-')) line++
    if (row.startsWith('+') && row.includes(text)) return line
  }
  throw new Error(`no line with ${text}`)
}

const numbered = (diff: string, text: string): number => {
  const row = diff.split('\n').find(row => row.includes(text))
  const number = /^\+?(\d+)\|/.exec(row ?? '')?.[1]
  if (number === undefined) throw new Error(`no numbered line with ${text} in\n${diff}`)
  return Number(number)
}

export const comment: Job = {
  id: 'comment',
  title: 'Comment on lines',
  task: 'Review !7 of acme/rocket. Three lines need work: elapsed() never goes back, which its comment should say; it is not clear whether resetting the clock in resume() is enough; and the test of a pause does not pause. Comment on each line, all at once with a summary, and request changes.',
  as: 'ada',
  prepare: forge => void addClock(forge),
  missing: forge => {
    const request = requestOf(forge)
    const notes = request.discussions
      .flatMap(({ notes }) => notes)
      .filter(({ author, createdAt, system }) => author.username === 'ada' && createdAt >= ago(0) && !system)
    const isSaid = (file: string) =>
      notes.some(({ position }) => position?.new_path === file && position.new_line != null)
    return unless({
      'the clock is commented on': isSaid('src/clock.ts'),
      'the launch is commented on': isSaid('src/launch.ts'),
      'the test is commented on': isSaid('test/clock.test.ts'),
      'a summary stands there': notes.some(({ position }) => position === null),
      'no draft is left': request.drafts.length === 0
    })
  },
  matter: {
    what: 'the whole diff to be read, and the comments to be written',
    besides:
      'Ours reads the state, threads, approvals and pipeline besides, which the other does not ask for.',
    texts: forge => [
      ...changesOf(requestOf(forge)).map(({ lines }) => unified(lines)),
      ...remarks.map(({ body }) => body),
      SUMMARY
    ]
  },
  ours: {
    toolsets: 'merge_requests',
    words: 'review merge request; submit review',
    async run(call) {
      const one = { project_id: ROCKET, merge_request_iid: '7' }
      const { changed_files } = await call('review_merge_request', one)
      const comments = remarks.map(({ path, text, body }) => {
        // biome-ignore lint/suspicious/noExplicitAny: a record
        const { diff } = changed_files.find((file: any) => file.path === path)
        return { path, line: numbered(diff, text), body }
      })
      await call('submit_review', { ...one, comments, summary: SUMMARY, verdict: 'request_changes' })
    }
  },
  peer: {
    toolsets: 'merge_requests',
    async run(call) {
      const one = { project_id: ROCKET, merge_request_iid: '7' }
      const { diff_refs } = await call('get_merge_request', one)
      const files = await call('get_merge_request_diffs', one)
      for (const { path, text, body } of remarks) {
        // biome-ignore lint/suspicious/noExplicitAny: a forge's record
        const { old_path, new_path, diff } = files.find((file: any) => file.new_path === path)
        const place = { position_type: 'text', old_path, new_path, new_line: lineIn(diff, text) }
        await call('create_draft_note', { ...one, body, position: { ...diff_refs, ...place } })
      }
      await call('bulk_publish_draft_notes', { ...one, reviewer_state: 'requested_changes', note: SUMMARY })
    }
  }
}
