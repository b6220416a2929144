/*
 * Comments on the lines of a diff, as rows of a table (tool-table.ts). The file was renamed to a.ts, and changed at
 * lines 3 and 20.
 */

export const one = { project_id: '1', merge_request_iid: '12' }
export const M = 'GET /projects/1/merge_requests/12'
export const refs = { base_sha: 'b'.repeat(40), start_sha: 's'.repeat(40), head_sha: 'h'.repeat(40) }
export const diff = '@@ -3,3 +3,4 @@ fn\n same\n-gone\n+came\n+more\n end\n@@ -20,2 +21,1 @@\n last\n-cut\n'
export const file = { old_path: 'old.ts', new_path: 'a.ts', diff }
export const place = { ...refs, position_type: 'text', old_path: 'old.ts', new_path: 'a.ts' }
const threads = 'POST /projects/1/merge_requests/12/discussions'
/** sha1 of `a.ts`. */
export const code = '02699cd6ca65aa6819d7e387678d8ea5359b5e59'

/**
 * Makers of table rows for comments on one merge request.
 * @param files changed by the merge request
 */
export function commentsOn(files: readonly object[]) {
  const read = [
    { request: M, reply: { body: { iid: 12, diff_refs: refs } } },
    { request: `${M}/diffs?per_page=100&page=1`, reply: { body: files } }
  ]
  const placed = (
    title: string,
    args: Record<string, unknown>,
    position: Record<string, unknown>,
    code: string
  ) => ({
    title,
    tool: 'create_merge_request_thread',
    args: { ...one, body: 'Hm.', path: 'a.ts', ...args },
    exchanges: [
      ...read,
      {
        request: threads,
        body: { body: args.body ?? 'Hm.', position: { ...place, ...position } },
        reply: { body: { id: 'x' } }
      }
    ],
    result: { id: 'x', code }
  })
  const missed = (title: string, args: Record<string, unknown>, error: string | RegExp) => ({
    title,
    tool: 'create_merge_request_thread',
    args: { ...one, body: 'Hm.', ...args },
    exchanges: read,
    error
  })
  /** Refused before any request is sent. */
  const refused = (title: string, args: Record<string, unknown>, error: string | RegExp) => ({
    ...missed(title, args, error),
    exchanges: []
  })
  return { read, placed, missed, refused }
}
