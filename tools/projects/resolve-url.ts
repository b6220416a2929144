import { Type } from 'typebox'
import { custom } from '../../src/engine/rows/row.ts'
import { refIn } from '../../src/engine/web-urls/longer-ref.ts'
import { UNREAD } from '../../src/engine/web-urls/said.ts'
import { refAndPath, type WebUrl } from '../../src/engine/web-urls/web-url.ts'
import { quoted } from '../../src/results/visible.ts'

/** Longer than any address that a browser shows. */
const MAX_CHARS = 4096

/**
 * The segments that may belong to the ref. A file's path is never empty, so the last segment of a file's address is not
 * part of the ref.
 */
const refSegments = ({ kind, unclear }: WebUrl): readonly string[] =>
  kind === 'file' ? unclear!.slice(0, -1) : unclear!

function written({ kind, owner, tool, fields, use, guessed }: WebUrl) {
  const place =
    owner === undefined
      ? {}
      : 'project_path' in owner
        ? { project_id: owner.project_path }
        : { group_id: owner.group_path }
  const isGlobal = kind === 'vulnerability'
  return {
    kind,
    ...owner,
    ...fields,
    ...(guessed && { guessed }),
    use: { tool, arguments: { ...(isGlobal ? {} : place), ...use } }
  }
}

/** Says which parts of an address have no argument in the tool that shows it: filters of a list, and lines of a log. */
function remarks({ filters, tool, kind, fields, unread }: WebUrl): readonly string[] {
  if (unread === true) return [`url ${UNREAD}.`]
  if (kind === 'job' && fields.start_line !== undefined)
    return [`${tool} takes no start_line: its limit and offset count lines from the end of the log.`]
  if (filters === undefined || filters.unread.length === 0) return []
  return [`${tool} is not told of these filters in the address: ${filters.unread.map(quoted).join(', ')}.`]
}

/** Tells an agent that is given a web address which tool to call with which arguments. */
export const resolveUrlRow = custom({
  name: 'resolve_url',
  class: 'read',
  title: 'What a URL means',
  summary: 'Tell what a web address of this forge names, and which tool with which arguments shows it.',
  input: Type.Object({ url: Type.String({ maxLength: MAX_CHARS }) }),
  idempotent: true,
  run: async ({ url }, context) => {
    const address = context.readWebUrl(url)
    const { owner, unclear } = address
    if (unclear === undefined || owner === undefined || !('project_path' in owner))
      return { value: written(address), own: true, notices: remarks(address) }
    const { count, guessed } = await refIn(refSegments(address), owner.project_path, context)
    const told = refAndPath(unclear, count)
    const merged = { fields: { ...address.fields, ...told }, use: { ...address.use, ...told } }
    // If the ref takes all segments, no path is left.
    if (!('path' in told))
      for (const part of [merged.fields, merged.use]) delete (part as { path?: string }).path
    return {
      value: written({ ...address, ...merged, ...(guessed && { guessed }) }),
      own: true,
      notices: remarks(address)
    }
  }
})
