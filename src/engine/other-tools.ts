import { distance } from 'fastest-levenshtein'
import { nearest } from '../nearest.ts'
import { otherTools } from './other-tool-names.ts'

const byName = new Map(Object.entries(otherTools))

/** Characters of a name that is looked at: no tool has more. */
const MAX_CHARS = 100

/** What no tool reads, as a word of a name, with the tool that comes nearest and how that does. */
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

/** What to do instead of calling a tool of this name, where no tool does the same, as a sentence. */
export function otherWay(name: string, usable: ReadonlySet<string>): string | undefined {
  const given = wordsOf(name)
  return otherWays.find(({ words, tool }) => usable.has(tool) && words.some(word => given.includes(word)))
    ?.says
}

/** Verbs of other servers, by those of here. */
const verbs: ReadonlyMap<string, string> = new Map(
  Object.entries({
    get: 'read show view fetch retrieve describe',
    list: 'find search',
    update: 'edit change modify',
    create: 'add write new'
  }).flatMap(([ours, theirs]) => theirs.split(' ').map(verb => [verb, ours] as const))
)

/** A name with the verb that is used here, and where it is about several with the other one that reads. */
function withOurVerb([verb = '', ...noun]: readonly string[]): readonly string[] {
  const ours = verbs.get(verb) ?? verb
  const other = noun.at(-1)?.endsWith('s') ? { get: 'list', list: 'get' }[ours] : undefined
  return [verb, ours, other].flatMap(verb => (verb === undefined ? [] : [[verb, ...noun].join('_')]))
}

/** Words that say what a name does, or that it does not. */
const doing: ReadonlySet<string> = new Set([
  ...verbs.keys(),
  ...Object.keys(otherTools).map(name => name.split('_', 1)[0]!),
  ...['cannot', 'not', 'no', 'never']
])

/**
 * The tool that one of this name elsewhere is: a name of a merge request is as good as another, so is a verb that means
 * the same, and hosts of models put the server's before it (mcp__forge__get_issue). Undefined where it is not usable,
 * or no such name is known.
 */
export function toolMeant(name: string, usable: ReadonlySet<string>): string | undefined {
  const words = wordsOf(name)
  for (let from = 0; from < words.length; from++) {
    const before = words[from - 1]
    // The name of a server says nothing that is done.
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

/** Elsewhere there is a tool for each of the two: here one takes project_id or group_id. */
const places = new Set(['group', 'project'])

/** Letters of a word of which two may be wrong. */
const LONG_CHARS = 8
const sorted = (word: string): string => [...word].sort().join('')

function isMisspelt(given: string, word: string): boolean {
  const steps = distance(given, word)
  return steps <= 1 || (steps === 2 && (word.length >= LONG_CHARS || sorted(given) === sorted(word)))
}

/**
 * Whether a tool's name may be what was meant by another: each word as it is, or misspelt. Two verbs are no misspelling
 * of each other: who wants to delete something is not told to get it, nor who wants to get a member to set one.
 */
function mayBeMeant(name: string, tool: string, known: ReadonlySet<string>): boolean {
  const [given, ours] = [wordsOf(name), tool.split('_')]
  if (given[0] !== ours[0] && known.has(given[0]!)) return false
  return given.length === ours.length
    ? given.every((word, at) => isMisspelt(word, ours[at]!))
    : isMisspelt(given.join(''), ours.join(''))
}

/** The tool that was meant by a name that none has: another name for it, or its own misspelt. */
export function toolLike(name: string, usable: readonly string[]): string | undefined {
  const meant = toolMeant(name, new Set(usable))
  if (meant !== undefined) return meant
  const known = new Set([...verbs.keys(), ...usable.map(tool => tool.split('_')[0]!)])
  return nearest(
    name,
    usable.filter(tool => mayBeMeant(name, tool, known))
  )
}
