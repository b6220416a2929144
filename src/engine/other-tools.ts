import { distance } from 'fastest-levenshtein'
import { hasSameLetters, nearest } from '../nearest.ts'
import { otherTools } from './other-tool-names.ts'

const byName = new Map(Object.entries(otherTools))

/** Most characters of a name that are read, and most words: no tool has more, whatever a host puts in front. */
const MAX_CHARS = 100
const MAX_WORDS = 16

/** What no tool does, in the words of a tool's name, with the nearest tools and how to use them instead. */
const otherWays: readonly {
  readonly words: RegExp
  readonly tools: readonly string[]
  readonly says: string
}[] = [
  {
    words: /\bboards?\b/,
    tools: ['list_issues'],
    says: 'No tool reads boards: a list of a board is the issues with its label, which list_issues gives by labels.'
  },
  {
    words: /\bdelete merged branches\b/,
    tools: ['list_branches', 'delete_branch'],
    says: 'list_branches says which branches are merged; delete_branch deletes one.'
  },
  {
    words: /\bdelete (?:comment|note)$/,
    tools: ['delete_issue_note', 'delete_merge_request_note'],
    says: 'delete_issue_note deletes a comment of an issue, delete_merge_request_note one of a merge request.'
  },
  {
    words: /\bissue write$/,
    tools: ['create_issue', 'update_issue'],
    says: 'create_issue makes an issue, update_issue changes one.'
  },
  {
    words: /\b(?:delete|remove|transfer) (?:project|repo|repository)$/,
    tools: ['update_project'],
    says: 'No tool deletes or transfers a project: its owner does so on the forge. update_project archives one.'
  },
  {
    words: /\bstop environment$/,
    tools: ['play_pipeline_job'],
    says: 'No tool stops an environment: play_pipeline_job starts the job of its pipeline that does.'
  },
  {
    words: /\bdeploy (?:key|token)s?\b/,
    tools: [],
    says: 'No tool reads or changes deploy keys and deploy tokens: the settings of the project on the forge do.'
  },
  {
    words: /\bdelete branches$/,
    tools: ['delete_branch'],
    says: 'delete_branch deletes one branch a call.'
  },
  {
    words: /\bprotect(?:ed)? tags?\b/,
    tools: [],
    says: 'No tool reads or changes protected tags: the settings of the project on the forge do.'
  },
  {
    words: /\bproject (?:\w+ )?approval(?: rules?|s)?\b/,
    tools: ['list_merge_request_approval_rules'],
    says: 'No tool reads or changes the approval rules of a project: its settings on the forge do. list_merge_request_approval_rules has those of a merge request.'
  },
  {
    words: /\baccess tokens?\b/,
    tools: [],
    says: 'No tool reads or changes access tokens: the settings of their owner on the forge do.'
  },
  {
    words: /\baudit (?:events?|logs?)\b/,
    tools: [],
    says: 'No tool reads audit events: the pages of the project or group on the forge do.'
  },
  {
    words: /^(?!list\b|get\b).*\brunners?$/,
    tools: ['list_runners'],
    says: 'No tool changes runners: the settings on the forge do. list_runners reads them.'
  },
  {
    words: /\bcancel (?:merge request )?auto merge\b/,
    tools: [],
    says: 'No tool cancels an automatic merge: the page of the merge request on the forge does.'
  },
  {
    words: /\b(?:approve|reject) deployments?\b/,
    tools: ['get_deployment'],
    says: 'No tool approves deployments: the page of the deployment on the forge does. get_deployment reads one.'
  },
  {
    words: /\bfeature flags?\b/,
    tools: [],
    says: 'No tool reads or changes feature flags: the pages of the project on the forge do.'
  }
]

/** The words of a name; none if there are more than any tool has. */
function wordsOf(name: string): readonly string[] {
  const words = name
    .slice(0, MAX_CHARS)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toLowerCase()
    .replaceAll(/(?<![a-z])(?:pull_?request|[mp]r)(?=s?(?![a-z]))/g, 'merge_request')
    .split(/[^a-z\d]+/, MAX_WORDS + 1)
  return words.length > MAX_WORDS ? [] : words
}

/**
 * What to do instead of calling a tool of this name, if no tool does the same, as a sentence; undefined for other
 * names.
 */
function otherWay(given: readonly string[], usable: ReadonlySet<string>): string | undefined {
  const name = given.join(' ')
  return otherWays.find(({ words, tools }) => words.test(name) && tools.every(tool => usable.has(tool)))?.says
}

/** Verbs of other servers, mapped to the ones used here. */
const verbs: ReadonlyMap<string, string> = new Map(
  Object.entries({
    get: 'read show view fetch retrieve describe',
    list: 'find search',
    update: 'edit change modify',
    create: 'add write new'
  }).flatMap(([ours, theirs]) => theirs.split(' ').map(verb => [verb, ours] as const))
)

/** The name with the verb that is used here, and for a plural also with both verbs that read (get and list). */
function withOurVerb([verb = '', ...noun]: readonly string[]): readonly string[] {
  const ours = verbs.get(verb) ?? verb
  const other = noun.at(-1)?.endsWith('s') ? { get: 'list', list: 'get' }[ours] : undefined
  return [verb, ours, other].flatMap(verb => (verb === undefined ? [] : [[verb, ...noun].join('_')]))
}

/** First words of names that say nothing of what a tool does; a server's name may begin with them, too. */
const owners: readonly string[] = ['git', 'issue', 'my']

/** Words that say what a tool does, or that it does not. */
const doing: ReadonlySet<string> = new Set([
  ...verbs.keys(),
  ...Object.keys(otherTools)
    .map(name => name.split('_', 1)[0]!)
    .filter(word => !owners.includes(word)),
  ...['cannot', 'not', 'no', 'never']
])

/**
 * The tool here that is called by this name elsewhere. Other names for a merge request and other verbs with the same
 * meaning are recognized, and the server's name that model hosts put in front is ignored (mcp__forge__get_issue).
 * Undefined if the tool is not usable, or no such name is known.
 */
function toolMeant(words: readonly string[], usable: ReadonlySet<string>): string | undefined {
  for (let from = 0; from < words.length; from++) {
    const before = words[from - 1]
    // A word that says what is done is not part of a server's name.
    if (before !== undefined && doing.has(before)) return undefined
    const left = words.slice(from)
    const names = [left, left.filter(word => !places.has(word))].flatMap(withOurVerb)
    for (const ours of names) {
      const meant = usable.has(ours) ? ours : byName.get(ours)
      if (meant !== undefined && usable.has(meant)) return meant
    }
  }
  return undefined
}

/** Other servers have one tool for each of these; here one tool takes project_id or group_id. */
const places = new Set(['group', 'project'])

/** From this length on, in letters, two letters of a word may be wrong. */
const LONG_CHARS = 8

function isMisspelt(given: string, word: string): boolean {
  if (Math.abs(given.length - word.length) > 2) return false
  const steps = distance(given, word)
  return steps <= 1 || (steps === 2 && (word.length >= LONG_CHARS || hasSameLetters(given, word)))
}

/**
 * The tool whose name may be misspelt, word by word. A known verb is never a misspelling of another: somebody who wants
 * to delete something is not told to get it, nor somebody who wants to get a member to set one.
 */
function toolMisspelt(
  name: string,
  given: readonly string[],
  usable: ReadonlySet<string>
): string | undefined {
  const tools = [...usable].map(tool => ({ tool, ours: tool.split('_') }))
  const known = new Set([...verbs.keys(), ...tools.map(({ ours }) => ours[0]!)])
  const [verb = ''] = given
  const joined = given.join('')
  const near = tools.filter(
    ({ ours }) =>
      (verb === ours[0] || !known.has(verb)) &&
      (given.length === ours.length
        ? given.every((word, at) => isMisspelt(word, ours[at]!))
        : isMisspelt(joined, ours.join('')))
  )
  return nearest(
    name,
    near.map(({ tool }) => tool)
  )
}

/** The tool that was meant by an unknown name: by another name for it, or by its own name misspelt. */
export function toolLike(name: string, usable: ReadonlySet<string>): string | undefined {
  const given = wordsOf(name)
  return toolMeant(given, usable) ?? toolMisspelt(name, given, usable)
}

/** What to do instead of calling a tool that does not exist, as a sentence; undefined if nothing is near. */
export function insteadOf(name: string, usable: ReadonlySet<string>): string | undefined {
  const given = wordsOf(name)
  const meant = toolMeant(given, usable)
  const way = meant === undefined ? otherWay(given, usable) : undefined
  if (way !== undefined) return way
  const near = meant ?? toolMisspelt(name, given, usable)
  return near && `Did you mean ${near}?`
}
