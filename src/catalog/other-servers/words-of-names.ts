/*
 * Words in names of other servers' tools, for things that have another name here, which other-tools.ts reads. A name
 * made of these words needs no entry of its own in other-tool-names.ts. Words of queries are in
 * search/words-of-queries.ts.
 */

/** The verbs of other servers for each verb here. */
const verbsHere: Readonly<Record<string, string>> = {
  get: 'read show view fetch retrieve describe',
  list: 'find search browse',
  create: 'add write new',
  update:
    'edit change modify rename close reopen lock unlock archive unarchive assign unassign enable disable pause resume',
  delete: 'remove destroy',
  cancel: 'stop abort',
  retry: 'rerun restart',
  play: 'run start trigger dispatch'
}

/** Verbs of other servers, mapped to the ones used here. */
export const verbs: ReadonlyMap<string, string> = new Map(
  Object.entries(verbsHere).flatMap(([here, theirs]) => theirs.split(' ').map(verb => [verb, here] as const))
)

/** Things of other forges, with their names here; the words of a name are separated by blanks. */
const things: readonly (readonly [theirs: RegExp, here: string])[] = [
  [/\b(?:repositories|repos)\b/, 'projects'],
  [/\b(?:repository|repo)\b/, 'project'],
  [/\b(?:organizations|orgs)\b/, 'groups'],
  [/\b(?:organization|org)\b/, 'group'],
  [/\bcollaborator(?=s?\b)/, 'member'],
  [/\breview (?=(?:thread|discussion|comment)s?\b)/, 'merge request '],
  [/(?<!request )\bthread$/, 'merge request thread'],
  [/(?<!wiki )\bpage(?=s?$)/, 'wiki page'],
  [/\bsprint(?=s?\b)/, 'iteration'],
  [/\bcomment(?=s?\b)/, 'note'],
  [/\bgist(?=s?\b)/, 'snippet'],
  [/(?<!emoji )\b(?:reaction|award emoji)(?=s?\b)/, 'emoji reaction'],
  [/\bnotification(?=s?\b)/, 'todo'],
  [/\b(?:workitem|epic|incident|(?:sub ?)?task|sub ?issue)(?=s?\b)/, 'work item'],
  [/\b(?:code scanning|dependabot|secret scanning|security) alerts\b/, 'vulnerabilities'],
  [/\b(?:code scanning|dependabot|secret scanning|security) alert\b/, 'vulnerability'],
  [/\b(?:(?:ci|ci cd|cicd|env|environment) )?(?:variable|var|secret)(?=s?\b)/, 'variable'],
  [/\bwikis?\b(?! page)/, 'wiki page'],
  [/\b(?:project |group )?hook(?=s?\b)/, 'webhook'],
  [/\b(?:workflow run|workflow|ci(?: cd)?|(?<=\w )run)(?=s?\b)/, 'pipeline'],
  [/(?<!pipeline )\bschedule(?=s?\b)/, 'pipeline schedule'],
  [/(?<!pipeline )\b(?:job|build)(?=s?\b)/, 'pipeline job'],
  [/\bpipeline (?:job )?artifact(?=s?\b)/, 'job artifact'],
  [/\b(?:pipeline )?(?:job )?(?:logs?|trace)$/, 'pipeline job output']
]

/** The words of a name, with things as they are named here. */
export const withOurThings = (words: readonly string[]): readonly string[] =>
  things.reduce((name, [theirs, here]) => name.replace(theirs, here), words.join(' ')).split(' ')

/** Words that connect the significant ones. */
const fillers: ReadonlySet<string> = new Set(['to', 'from', 'on', 'of', 'for', 'in', 'as', 'the', 'a', 'an'])

/** The words without connecting ones. */
export const withoutFillers = (words: readonly string[]): readonly string[] =>
  words.filter(word => !fillers.has(word))

/** Parts that other servers change with a separate tool; tools here change them together with the rest. */
const parts =
  /^(?:label|assignee|user|reviewer|milestone|title|description|state|status|weight|parent|due|date|draft|ready)s?$/

/** The owners of parts that clearly belong to one kind of thing. */
const ownersOf: Readonly<Record<string, string>> = {
  label: 'issue',
  assignee: 'issue',
  milestone: 'issue',
  reviewer: 'merge_request',
  draft: 'merge_request',
  ready: 'merge_request'
}

const changing: ReadonlySet<string> = new Set([
  ...['add', 'apply', 'attach', 'assign', 'unassign', 'clear', 'remove', 'replace', 'set'],
  ...['update', 'edit', 'change', 'convert', 'mark']
])

/** Things that are changed as a whole, with parts of these kinds. */
const changed = /^(?:issues?|merge_request|work_item)$/

/**
 * The tool that changes the thing of which a name wants to change a part: `add_labels_to_issue` becomes update_issue.
 * Undefined for other names.
 */
export function changeOfPart([verb = '', ...rest]: readonly string[]): string | undefined {
  if (!changing.has(verb)) return undefined
  const words = rest.filter(word => !fillers.has(word))
  const part = words.find(word => parts.test(word))
  if (part === undefined) return undefined
  const owner = words.filter(word => !parts.test(word)).join('_')
  if (changed.test(owner)) return `update_${owner}`
  // Editing a label means changing the label itself, with its name.
  const isOfOne = owner === '' && verb !== 'edit' && verb !== 'change' && verb !== 'update'
  const one = isOfOne ? ownersOf[part.replace(/s$/, '')] : undefined
  return one && `update_${one}`
}

/** A name without words that say nothing about the thing: `get_issue_details`, `get_user_by_username`. */
export function withoutDetails(words: readonly string[]): readonly string[] {
  const by = words.indexOf('by')
  const named = by > 1 ? words.slice(0, by) : words
  return named.length > 1 && /^(?:details?|info|information|data)$/.test(named.at(-1)!)
    ? named.slice(0, -1)
    : named
}

/** `add_comment_to_issue` in the form without the connecting word; undefined for a name without one. */
export function withoutFiller(words: readonly string[]): readonly string[] | undefined {
  const at = words.findIndex(word => fillers.has(word))
  return at < 2 ? undefined : [words[0]!, ...words.slice(at + 1), ...words.slice(1, at)]
}
