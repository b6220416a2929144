import { distance } from 'fastest-levenshtein'
import { nearest } from '../nearest.ts'
import { otherTools } from './other-tool-names.ts'

const byName = new Map(Object.entries(otherTools))

/** Most characters of a name that are read: no tool has more. */
const MAX_CHARS = 100

/** Things that no tool reads, as words of a tool's name, with the nearest tool and how to use it instead. */
const otherWays: readonly {
  readonly words: readonly string[]
  readonly tool: string
  readonly says: string
}[] = [
  {
    words: ['board', 'boards'],
    tool: 'list_issues',
    says: 'No tool reads boards: a list of a board is the issues with its label, which list_issues gives by labels.'
  }
]

const wordsOf = (name: string): readonly string[] =>
  name
    .slice(0, MAX_CHARS)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toLowerCase()
    .replaceAll(/(?<![a-z])(?:pull_?request|[mp]r)(?=s?(?![a-z]))/g, 'merge_request')
    .split(/[^a-z\d]+/)

/**
 * What to do instead of calling a tool of this name, if no tool does the same, as a sentence; undefined for other
 * names.
 */
export function otherWay(name: string, usable: ReadonlySet<string>): string | undefined {
  const given = wordsOf(name)
  return otherWays.find(({ words, tool }) => usable.has(tool) && words.some(word => given.includes(word)))
    ?.says
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

/** Words that say what a tool does, or that it does not. */
const doing: ReadonlySet<string> = new Set([
  ...verbs.keys(),
  ...Object.keys(otherTools).map(name => name.split('_', 1)[0]!),
  ...['cannot', 'not', 'no', 'never']
])

/**
 * The tool here that is called by this name elsewhere. Other names for a merge request and other verbs with the same
 * meaning are recognized, and the server's name that model hosts put in front is ignored (mcp__forge__get_issue).
 * Undefined if the tool is not usable, or no such name is known.
 */
export function toolMeant(name: string, usable: ReadonlySet<string>): string | undefined {
  const words = wordsOf(name)
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
const sorted = (word: string): string => [...word].sort().join('')

function isMisspelt(given: string, word: string): boolean {
  const steps = distance(given, word)
  return steps <= 1 || (steps === 2 && (word.length >= LONG_CHARS || sorted(given) === sorted(word)))
}

/**
 * Whether a name may be a misspelling of a tool's name, word by word. A known verb is never a misspelling of another:
 * somebody who wants to delete something is not told to get it, nor somebody who wants to get a member to set one.
 */
function mayBeMeant(name: string, tool: string, known: ReadonlySet<string>): boolean {
  const [given, ours] = [wordsOf(name), tool.split('_')]
  if (given[0] !== ours[0] && known.has(given[0]!)) return false
  return given.length === ours.length
    ? given.every((word, at) => isMisspelt(word, ours[at]!))
    : isMisspelt(given.join(''), ours.join(''))
}

/** The tool that was meant by an unknown name: by another name for it, or by its own name misspelt. */
export function toolLike(name: string, usable: readonly string[]): string | undefined {
  const meant = toolMeant(name, new Set(usable))
  if (meant !== undefined) return meant
  const known = new Set([...verbs.keys(), ...usable.map(tool => tool.split('_')[0]!)])
  return nearest(
    name,
    usable.filter(tool => mayBeMeant(name, tool, known))
  )
}
