import MiniSearch from 'minisearch'
import type { Tool } from '../engine/tool.ts'
import type { ToolDefinition } from './describe.ts'
import { askings, sayings, synonyms } from './synonyms.ts'

/** They say nothing of what is looked for, or no more than their synonyms. */
const fillers = new Set(
  'a an and are at before by can do does find for has how i if in into is it its make me my of on or somebody someone that the this to what where who with'.split(
    ' '
  )
)

const replaced = (text: string, by: typeof sayings): string =>
  by.reduce((all, [said, word]) => all.replaceAll(said, word), text)

/** Text as it is looked for and looked in. */
const plain = (text: string): string => replaced(text.toLowerCase().replaceAll(/[_-]/g, ' '), sayings)

/** Where something is done, and not to what. */
const PLACE =
  /\b(?:of|to|in|into|from|for|on) +(?:(?:a|an|the|this|that|my|our) +)?(?:project|group|repository|repo)\b/g

/** Plural and singular are one. */
const stem = (word: string): string => word.toLowerCase().replace(/(?<=\w{3})s$/, '')

/** What a word of the query counts, and what it counts where it only means the same. */
const SAID = 1
const MEANT = 0.4
/** What is left of a tool of whose name nothing was said. */
const UNNAMED = 0.2
/** What is left of a tool that takes away what nobody spoke of taking away. */
const UNASKED = 0.4
const takesAway = new Set(['delete', 'remove', 'unprotect', 'purge'])

interface Entry {
  readonly name: string
  readonly words: string
  readonly title: string
  readonly summary: string
  readonly inputs: string
}

/** The words of a tool's name, and those that only its arguments have. */
interface Words {
  readonly parts: readonly string[]
  readonly inputs: ReadonlySet<string>
}

/** Finds tools by what they are for. The index is made when it is first asked for. */
export class ToolSearch {
  readonly #tools: () => Iterable<Tool>
  #index: MiniSearch<Entry> | undefined
  #words: ReadonlyMap<string, Words> = new Map()

  /** @param tools all of them; who may use which is decided where they are shown */
  constructor(tools: () => Iterable<Tool>) {
    this.#tools = tools
  }

  /**
   * Names of the tools that fit, best first: what the whole name of was said comes before what only has the words.
   * @param query words of any kind, in no grammar
   */
  find(query: string): readonly string[] {
    if (this.#index === undefined) {
      const tools = [...this.#tools()]
      this.#index = indexOf(tools)
      this.#words = new Map(tools.map(tool => [tool.name, wordsOf(tool)]))
    }
    const weights = weightsOf(query)
    return this.#index
      .search([...weights.keys()].join(' '), { boostTerm: term => weights.get(term) ?? MEANT })
      .map(({ id, score }) => ({
        name: String(id),
        score: score * named(this.#words.get(String(id))!, weights)
      }))
      .sort((a, b) => b.score - a.score)
      .map(({ name }) => name)
  }
}

/** Words of a query, and characters of a word, that are looked for: each is compared with all there are. */
const MOST_WORDS = 20
const MOST_CHARS = 30
/** Characters of a word that may be wrong: with five, twenty long words that mean nothing took three times as long. */
const MOST_WRONG = 2
/** Characters of a word that may have wrong ones: shorter words are often one character from another (gist, list). */
const FEWEST_CHARS = 6

function weightsOf(query: string): Map<string, number> {
  const all = replaced(plain(query.slice(0, MOST_WORDS * MOST_CHARS)), askings)
  const apart = all.replaceAll(PLACE, ' ')
  const said = /[\p{L}\p{N}]/u.test(apart) ? apart : all
  const words = (said.match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter(word => (!fillers.has(word) || synonyms.has(word)) && word.length <= MOST_CHARS)
    .slice(0, MOST_WORDS)
  const meant = words.flatMap(
    word => (synonyms.get(word) ?? synonyms.get(stem(word)) ?? '').match(/[\w]+/g) ?? []
  )
  return new Map([
    ...meant.map((word): [string, number] => [stem(word), MEANT]),
    ...words.filter(word => !fillers.has(word)).map((word): [string, number] => [stem(word), SAID])
  ])
}

/** How much of a tool's name was said, where an argument that was said besides counts as a part of it. */
function named({ parts, inputs }: Words, weights: ReadonlyMap<string, number>): number {
  const said = parts.reduce((sum, part) => sum + (weights.get(part) ?? 0), 0)
  const more = [...inputs].filter(word => weights.get(word) === SAID).length
  const share = UNNAMED + (1 - UNNAMED) * ((said + more) / (parts.length + more)) ** 2
  return takesAway.has(parts[0]!) && !weights.has(parts[0]!) ? share * UNASKED : share
}

const wordsIn = (text: string): readonly string[] => plain(text).split(' ').map(stem)

function wordsOf({ name, inputs }: Tool): Words {
  const parts = wordsIn(name)
  return { parts, inputs: new Set(wordsIn([...inputs].join(' ')).filter(word => !parts.includes(word))) }
}

function indexOf(tools: readonly Tool[]): MiniSearch<Entry> {
  const names = new Set(tools.map(({ name }) => name))
  const index = new MiniSearch<Entry>({
    idField: 'name',
    fields: ['words', 'title', 'summary', 'inputs'],
    processTerm: stem,
    searchOptions: {
      boost: { words: 4, title: 3, summary: 2 },
      prefix: term => term.length > 3,
      fuzzy: term => (term.length < FEWEST_CHARS ? false : 0.15),
      maxFuzzy: MOST_WRONG
    }
  })
  for (const tool of tools) {
    const { name, inputs } = tool
    const { title, description } = JSON.parse(tool.definition(names)) as ToolDefinition
    index.add({
      name,
      words: plain(name),
      title: plain(title),
      summary: plain(description),
      inputs: plain([...inputs].join(' '))
    })
  }
  return index
}
