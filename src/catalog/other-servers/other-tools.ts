import { distance } from 'fastest-levenshtein'
import { hasSameLetters, nearest } from '../../base/nearest.ts'
import { withArticle } from '../../results/with-article.ts'
import { otherTools } from './other-tool-names.ts'
import { otherWay } from './other-ways.ts'
import {
  changeOfPart,
  verbs,
  withOurThings,
  withoutDetails,
  withoutFiller,
  withoutFillers
} from './words-of-names.ts'

const byName = new Map(Object.entries(otherTools))

/** Most characters and words of a name that are read: no tool has more, whatever a host puts before its name. */
const MAX_CHARS = 100
const MAX_WORDS = 16

/** The words of a name; none if there are more than any tool has. */
function wordsOf(name: string): readonly string[] {
  const words = name
    .slice(0, MAX_CHARS)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toLowerCase()
    .replaceAll(/(?<![a-z])(?:(?:pull|merge)_?request|[mp]r)(?=s?(?![a-z]))/g, 'merge_request')
    .split(/[^a-z\d]+/, MAX_WORDS + 1)
  return words.length > MAX_WORDS ? [] : words
}

/** First words of names that do not say what a tool does. The name of a server may also begin with them. */
const owners: readonly string[] = ['git', 'issue', 'label', 'my', 'schedule', 'time']

/** Words that say what a tool does, or that it does not do it. */
const doing: ReadonlySet<string> = new Set([
  ...verbs.keys(),
  ...verbs.values(),
  ...Object.keys(otherTools)
    .map(name => name.split('_', 1)[0]!)
    .filter(word => !owners.includes(word)),
  ...['fork', 'set', 'star', 'cannot', 'not', 'no', 'never']
])

/** Names of servers and clients, which hosts or callers put before the name of a tool. */
const servers: ReadonlySet<string> = new Set(['forge', 'gh', 'git', 'github', 'gitlab', 'glab', 'mcp'])

/** Other servers have separate tools for groups and projects. Here, one tool takes project_id or group_id. */
const places = new Set(['group', 'project'])
const withoutPlaces = (words: readonly string[]) => words.filter(word => !places.has(word))

/**
 * The name with the verb that is used here. Lists have plural names, and a plural may be read by either verb here (get
 * or list).
 */
function withOurVerb([verb = '', ...noun]: readonly string[]): readonly string[] {
  const ours = verbs.get(verb) ?? verb
  const isPlural = noun.at(-1)?.endsWith('s') === true
  const others = isPlural ? ({ get: ['list'], list: ['get'] }[ours] ?? []) : []
  const names = [verb, ours, ...others].map(verb => [verb, ...noun].join('_'))
  const set = ours === 'create' || ours === 'update' ? [['set', ...noun].join('_')] : []
  return ours === 'list' && !isPlural
    ? [...names, ...['list', 'get'].flatMap(verb => plurals([verb, ...noun].join('_')))]
    : [...names, ...set]
}

const plurals = (name: string): readonly string[] => [`${name}s`, `${name}es`, name.replace(/y$/, 'ies')]

/** Verbs for which there are several tools here. */
const severalWays = /^(?:save|upsert|write|manage)$/

/** Matches names that begin with a noun which looks like a verb: `merge_request_list`, `run_view`. */
const nounFirst = /^(?:merge requests?\b|runs? (?:list|view|rerun|cancel)$)/

const isVerb = (words: readonly string[]): boolean => doing.has(words[0]!) && !nounFirst.test(words.join(' '))

/**
 * The names that a tool with other words may have here, the most likely first.
 * @param acts the verbs of the existing tools
 * @param isWhole whether only the name of a server is before the words
 */
function namesHere(words: readonly string[], acts: ReadonlySet<string>, isWhole: boolean): readonly string[] {
  const change = changeOfPart(withOurThings(words))
  const last = words.at(-1)!
  const plain = withoutFiller(words)
  const isAct = words.length > 1 && (doing.has(last) || acts.has(last)) && !severalWays.test(last)
  const orders = isVerb(words)
    ? [words, ...(plain === undefined ? [] : [plain])]
    : [
        ...(isAct ? [[last, ...words.slice(0, -1)]] : []),
        ...(words.length > 2 && doing.has(words[1]!) ? [[words[1]!, words[0]!, ...words.slice(2)]] : []),
        words,
        ...(isWhole
          ? [
              ['get', ...words],
              ['list', ...words]
            ]
          : [])
      ]
  const spelled = orders.flatMap(order =>
    [order, withOurThings(order), withOurThings(withoutDetails(order))].flatMap(given => [
      given,
      withoutPlaces(given)
    ])
  )
  return [words.join('_'), ...(change === undefined ? [] : [change]), ...spelled.flatMap(withOurVerb)]
}

/** The tool with this name, here or elsewhere. A word before a single-word name may negate it: undo_merge. */
function toolOf(name: string, isWhole: boolean, usable: ReadonlySet<string>): string | undefined {
  if (usable.has(name)) return name
  const other = isWhole || name.includes('_') ? byName.get(name) : undefined
  return other !== undefined && usable.has(other) ? other : undefined
}

/**
 * The tool here that has this name elsewhere. Words of other forges are recognized (words-of-names.ts), and the server's
 * name that model hosts put in front is ignored (mcp__forge__get_issue). Undefined if the tool is not usable, or if no
 * such name is known.
 */
function toolMeant(words: readonly string[], usable: ReadonlySet<string>): string | undefined {
  const acts = new Set([...usable].map(tool => tool.split('_', 1)[0]!))
  for (let from = 0; from < words.length; from++) {
    const before = words.slice(0, from)
    // A word that names an action is not part of a server's name.
    if (doing.has(before.at(-1) ?? '')) return undefined
    const isWhole = before.every(word => servers.has(word))
    for (const name of namesHere(words.slice(from), acts, isWhole)) {
      const meant = toolOf(name, isWhole, usable)
      if (meant !== undefined) return meant
    }
  }
  return undefined
}

/** What the tool of each verb does, in words; the first one in a sentence names the thing. */
const ways: Readonly<Record<string, string>> = {
  create: 'makes',
  update: 'changes',
  set: 'sets',
  get: 'gets',
  delete: 'deletes',
  retry: 'retries',
  cancel: 'cancels'
}

/** The separate tools for the work that a tool of another server does depending on an argument, as a sentence. */
function toolsApart(given: readonly string[], usable: ReadonlySet<string>): string | undefined {
  const words = withOurThings(given.filter(word => !servers.has(word)))
  const [first = '', last = ''] = [words[0], words.at(-1)]
  const verb = [first, last].find(word => severalWays.test(word))
  if (verb === undefined) return undefined
  const noun = words
    .filter(word => word !== verb)
    .map((word, at, all) => (at === all.length - 1 ? word.replace(/s$/, '') : word))
  const found = Object.entries(ways)
    .slice(0, verb === 'manage' ? undefined : 3)
    .map(([way, does]) => ({ tool: [way, ...noun].join('_'), does }))
    .filter(({ tool }) => usable.has(tool))
  if (found.length < 2) return found[0] && `Did you mean ${found[0].tool}?`
  const thing = withArticle(noun.join(' '))
  return `${found.map(({ tool, does }, at) => `${tool} ${does} ${at === 0 ? thing : 'one'}`).join(', ')}.`
}

/** From this length on, in letters, two letters of a word may be wrong. */
const LONG_CHARS = 8

function isMisspelt(given: string, word: string): boolean {
  if (Math.abs(given.length - word.length) > 2) return false
  const steps = distance(given, word)
  return steps <= 1 || (steps === 2 && (word.length >= LONG_CHARS || hasSameLetters(given, word)))
}

/**
 * The tool whose name may be misspelt, word by word. A known verb is never taken for a misspelling of another: a caller
 * who wants to delete something is not told to get it, nor a caller who wants to get a member to set one.
 */
function toolMisspelt(given: readonly string[], usable: ReadonlySet<string>): string | undefined {
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
    given.join('_'),
    near.map(({ tool }) => tool)
  )
}

/** The tool meant by an unknown name: by another name for it, or by its own name misspelt. */
export function toolLike(name: string, usable: ReadonlySet<string>): string | undefined {
  const given = wordsOf(name)
  return toolMeant(given, usable) ?? toolMisspelt(given, usable)
}

/** What to do instead of calling a tool that does not exist, as a sentence; undefined if nothing is similar. */
export function insteadOfTool(name: string, usable: ReadonlySet<string>): string | undefined {
  const given = wordsOf(name)
  const meant = toolMeant(given, usable)
  const way = meant === undefined ? (otherWay(given, usable) ?? toolsApart(given, usable)) : undefined
  if (way !== undefined) return way
  const near = meant ?? toolMisspelt(given, usable)
  return near && `Did you mean ${near}?`
}

/** The tool with another name elsewhere that these words order, such as `push files`; undefined if there is none. */
export function toolCalled(query: string): string | undefined {
  const given = wordsOf(query)
  if (!isVerb(given)) return undefined
  return byName.get(given.join('_')) ?? byName.get(withoutFillers(given).join('_'))
}

/** What to do instead of the thing that these words ask for, if no tool does it, as a sentence. */
export function wayInstead(query: string, usable: ReadonlySet<string>): string | undefined {
  const given = wordsOf(query)
  return otherWay(given, usable) ?? otherWay(withoutFillers(given), usable)
}
