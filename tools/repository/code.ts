import { Type } from 'typebox'
import type { Arguments, Check } from '../../src/engine/arguments/values.ts'
import { atMostOne } from '../../src/engine/rows/checks.ts'
import { groupId, OptionalProjectId, oneOf, optional, Page, text } from '../../src/engine/rows/fields.ts'
import { revisionFilter } from '../../src/engine/rows/revisions.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { withoutLines } from '../../src/engine/suggestions/path-lines.ts'
import { ArgumentError, CallProblem } from '../../src/results/problem.ts'
import { quoted, quotedName } from '../../src/results/visible.ts'
import { isNoneAtAll } from '../families/lists/none-at-all.ts'

const filters = ['filename', 'extension', 'path'] as const

/** The forge reads filters as words of the query, so a blank would end a filter. */
const oneWord: Check = args => {
  for (const name of filters)
    if (/\s/.test(String(args[name] ?? '')))
      throw new CallProblem(`${name} cannot have a blank: use * for it.`)
}

/** No file name ends with several extensions, and the forge cannot filter by one of several. */
const oneExtension: Check = ({ extension }) => {
  if (/[,|;]/.test(String(extension ?? '')))
    throw new CallProblem('extension takes one: search for each alone.')
}

/** Refuses a search without any words or filters: it would match every file. */
const someQuery: Check = ({ query, ...args }) => {
  if (!/\S/.test(String(query)) && filters.every(name => args[name] === undefined))
    throw new ArgumentError('query', 'must not be empty where no filename, extension or path is given')
}

/** A ref needs a project. Without one, the forge ignores the ref and searches default branches. */
const refOfProject: Check = ({ ref, project_id }) => {
  if (ref !== undefined && project_id === undefined)
    throw new CallProblem(
      'ref goes with project_id only: a search of more than one project is of default branches.'
    )
}

/** Prefixes that the matched text never has. The forge would look for them and find nothing, so they are removed. */
const before = { filename: /^\.?\//, extension: /^\*?\./, path: /^\.?\// }

/** Turns a filename with folders into a path. Advanced search compares a filename only with the last part of a path. */
const withPath = (args: Arguments): Arguments => {
  const { filename, path, ...rest } = args
  const named = String(filename ?? '').replace(before.filename, '')
  return path === undefined && named.includes('/') ? { ...rest, path: named } : args
}

const withFilters = (given: Arguments) => {
  const { query, ...args } = withPath(given)
  const words = filters
    .filter(name => args[name] !== undefined)
    .map(name => `${name}:${withoutLines(String(args[name]).replace(before[name], ''))}`)
  return { ...args, search: [query, ...words].join(' ') }
}

/** A filter among the words of a query. A forge takes filters out before it looks for the rest. */
const filter = /(?<!\S)-?(filename|extension|path|blob):(\S+)/g

/** A sentence about a filter in the query whose prefix matches no file; undefined if there is none. */
function misfit(query: string): string | undefined {
  for (const [word, name, value] of query.matchAll(filter)) {
    const { [name as keyof typeof before]: never } = before
    const meant = value!.replace(never ?? /(?!)/, '')
    if (meant !== value)
      return `${quoted(word)} fits no file: write ${quoted(word.replace(value!, () => meant))}.`
  }
  return undefined
}

/**
 * Explains an empty search: several words that are searched as one text, a filter that matches nothing, or only part of
 * a file name.
 */
function notFound(value: unknown, args: Arguments): string | undefined {
  const { query, search_type: by, filename } = args
  if (!isNoneAtAll(value, args)) return undefined
  if (filename !== undefined && !/[*.]/.test(String(filename)))
    return `filename is compared with whole names: ${quotedName(`*${filename}*`)} fits any that has it.`
  if (by !== undefined && by !== 'basic') return undefined
  const asked = String(query)
  const text = asked.replace(filter, '').trim()
  return /["|*\s]/.test(text)
    ? `${by === 'basic' ? 'Basic search' : 'A forge with basic search alone'} looks for the whole query as one text: search for each word alone, without quotes, | or *.`
    : misfit(asked)
}

const needsAdvancedSearch =
  'Beyond one project, code is searched only where the forge has advanced search or exact code search (Premium): give project_id.'

export const codeRows: readonly ToolRow[] = [
  rest({
    name: 'search_code',
    class: 'read',
    title: 'Code search',
    summary: 'Search code in a project; in a group or everywhere on Premium forges only.',
    record: 'code_match',
    shows: { data: 'get_file_contents' },
    input: Type.Object({
      query: text(),
      project_id: OptionalProjectId,
      group_id: optional(groupId('Or project_id')),
      ref: optional(revisionFilter('Default HEAD')),
      filename: optional(text('Glob with *')),
      extension: optional(text('Without a dot')),
      path: optional(text('Glob with *')),
      search_type: optional(oneOf(['basic', 'advanced', 'zoekt'], 'Default the best it has')),
      ...Page
    }),
    check: [atMostOne('project_id', 'group_id'), someQuery, refOfProject, oneWord, oneExtension],
    request: ['GET /projects/{project_id}/-/search', 'GET /groups/{group_id}/-/search', 'GET /search'],
    fixed: { scope: 'blobs' },
    local: [...filters],
    adapt: withFilters,
    notice: notFound,
    advice: {
      400: needsAdvancedSearch,
      403: needsAdvancedSearch,
      422: 'Simplify the query: the forge cannot read it.',
      429: 'Searches are limited apart from other calls: wait, then repeat.'
    }
  })
]
