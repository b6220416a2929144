import MiniSearch from 'minisearch'
import type { ToolRow } from '../../engine/rows/row.ts'
import { phrases } from './phrases.ts'
import { queryPhrases } from './query-phrases.ts'
import { synonyms } from './words-of-queries.ts'

/** Words that say nothing about the subject of a search, or no more than their synonyms do. */
const fillers = new Set(
  'a an and are at before by can do does find for has how i if in into is it its make me my of on or somebody someone that the this to what where who with'.split(
    ' '
  )
)

const replaced = (text: string, by: typeof phrases): string =>
  by.reduce((all, [said, word]) => all.replaceAll(said, word), text)

/** Normalizes a query, or a text that is searched. */
const plain = (text: string): string => replaced(text.toLowerCase().replaceAll(/[_-]/g, ' '), phrases)

/** Matches phrases that name the place of something, not the thing itself. */
const PLACE =
  /\b(?:of|to|in|into|from|for|on) +(?:(?:a|an|the|this|that|my|our|other|another) +)?(?:project|group|repository|repo)\b/g

/** Reduces plural and singular to one form. */
const stem = (word: string): string =>
  word
    .toLowerCase()
    .replace(/(?<=\w{2})ies$/, 'y')
    .replace(/(?<=\w{3})s$/, '')

/** Weight of a word that is in the query, and of a word that only has the same meaning. */
const SAID = 1
const MEANT = 0.4
/** Factor for the score of a tool if the query has no word of its name. */
const UNNAMED = 0.2
/** Factors for the score of a tool that changes something, if the query does not ask for a change, or is a question. */
const UNASKED = 0.4
const QUESTIONED = 0.15

interface Entry {
  readonly name: string
  readonly words: string
  readonly title: string
  readonly summary: string
  readonly inputs: string
}

/** The words of a tool's name, and those that occur only in its arguments. */
interface Words {
  readonly reads: boolean
  readonly parts: readonly string[]
  readonly inputs: ReadonlySet<string>
}

/** The parts of a row by which it is found. */
type Row = Pick<ToolRow, 'name' | 'class' | 'title' | 'summary' | 'input'>

/** Finds tools by their purpose. The index is made when it is first needed. */
export class ToolSearch {
  readonly #rows: () => Iterable<Row>
  #index: MiniSearch<Entry> | undefined
  #words: ReadonlyMap<string, Words> = new Map()
  /** The verbs of tools that change something. */
  #changing: ReadonlySet<string> = new Set()

  /** @param rows of all tools; the policy is applied where results are shown */
  constructor(rows: () => Iterable<Row>) {
    this.#rows = rows
  }

  /**
   * Names of the matching tools, best first. Tools whose whole name is in the query come first.
   * @param query words in any order, without a syntax
   */
  find(query: string): readonly string[] {
    const index = this.#made()
    const asked = askedBy(query, this.#changing)
    const { weights } = asked
    return index
      .search([...weights.keys()].join(' '), {
        boostTerm: term => weights.get(term) ?? MEANT,
        fuzzy: mayBeWrong(weights)
      })
      .map(({ id, score }) => ({
        name: String(id),
        score: score * named(this.#words.get(String(id))!, asked)
      }))
      .sort((a, b) => b.score - a.score)
      .map(({ name }) => name)
  }

  /**
   * The separate topics of a query, none of them empty.
   * @param query topics separated by semicolons or line breaks, or orders separated by commas or `and`, each with its
   *   object
   */
  things(query: string): readonly string[] {
    this.#made()
    const things = query.split(/[;\n]/).filter(thing => thing.trim() !== '')
    // A longer text is no list of orders, and each order is compared with all before it.
    return query.length > MAX_WORDS * MAX_CHARS
      ? things
      : things.flatMap(thing => ordersIn(thing, this.#changing))
  }

  #made(): MiniSearch<Entry> {
    if (this.#index === undefined) {
      const rows = [...this.#rows()]
      this.#index = indexOf(rows)
      this.#words = new Map(rows.map(row => [row.name, wordsOf(row)]))
      const changing = [...this.#words.values()].filter(({ reads }) => !reads)
      this.#changing = new Set(changing.map(({ parts }) => parts[0]!))
    }
    return this.#index
  }
}

/** Matches the text between two orders. */
const BETWEEN = /(, (?:and )?(?:then )?| and (?:then )?)/i
/** Matches words that refer to something named earlier: an order about it belongs to the earlier order. */
const NAMED_BEFORE = /\b(?:it|them|ones?|those|these)\b/i

/** Splits a text before each order that concerns another thing than the order before it. */
function ordersIn(text: string, changing: ReadonlySet<string>): readonly string[] {
  const [first = '', ...others] = text.split(BETWEEN)
  const orders = [first]
  for (let at = 0; at < others.length; at += 2) {
    const [joint = '', part = ''] = others.slice(at, at + 2)
    const before = orders.at(-1)!
    const isApart =
      isVerb(saidIn(part)[0] ?? '', changing) &&
      !NAMED_BEFORE.test(part) &&
      [before, part].every(order => isOfSomething(order, changing))
    if (isApart) orders.push(part)
    else orders[orders.length - 1] = before + joint + part
  }
  return orders
}

/**
 * Most words of a query, and most characters of a word, that are searched for: each word is compared with the whole
 * index.
 */
const MAX_WORDS = 20
const MAX_CHARS = 30
/**
 * Most characters of a word that may be wrong. With a limit of five, twenty long meaningless words took three times as
 * long.
 */
const MAX_WRONG = 2
/** Fewest characters of a word that may have wrong ones: shorter words often differ in one character (gist, list). */
const MIN_CHARS = 6
/** The fraction of a word's characters that may be wrong, and most words of a query that may have wrong characters. */
const WRONG_SHARE = 0.15
const MAX_MISSPELT = 10
/** Most words that are searched for, including synonyms, of which there can be four times as many. */
const MAX_TERMS = 40

/** How much of a word may be wrong. Only words of the query may be misspelt, and only words without known synonyms. */
function mayBeWrong(weights: ReadonlyMap<string, number>): (term: string) => number | false {
  const long = [...weights].filter(
    ([term, weight]) => weight === SAID && term.length >= MIN_CHARS && !synonyms.has(term)
  )
  const terms = new Set(long.slice(0, MAX_MISSPELT).map(([term]) => term))
  return term => terms.has(term) && WRONG_SHARE
}

/** A plural. Its singular may be a verb (label, test), but the plural does not ask for a change. */
const MANY = /\w{2}[^su]s$/

/** Matches the beginning of a question that asks for no change; "can you" asks for one. */
const QUESTION =
  /^(?:(?:tell|show) +me\b|(?:can|could|may|should) +(?!you\b)|(?:what|who|whose|which|when|where|why|did|does|is|are|am|was|were|has|have|how +(?:many|much))\b)/

interface Asked {
  /** Words to search for, with their weights. */
  readonly weights: ReadonlyMap<string, number>
  readonly isQuestion: boolean
  /** Whether the query asks for a change with this verb. */
  readonly asks: (verb: string) => boolean
}

/** @param changing the verbs of tools that change something */
function askedBy(query: string, changing: ReadonlySet<string>): Asked {
  const text = plain(query.slice(0, MAX_WORDS * MAX_CHARS))
  const all = replaced(text, queryPhrases)
  const apart = all.replaceAll(PLACE, ' ')
  const said = /[\p{L}\p{N}]/u.test(apart) ? apart : all
  const words = (said.match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter(word => (!fillers.has(word) || synonyms.has(word)) && word.length <= MAX_CHARS)
    .slice(0, MAX_WORDS)
  const many = words.filter(word => MANY.test(word))
  const alike = words.flatMap(meaningsOf)
  const meant = many.length > 0 && !isVerb(words[0] ?? '', changing) ? ['list', ...alike] : alike
  const own = new Set(words.filter(word => !fillers.has(word)).map(stem))
  const terms = [...new Set([...own, ...meant.map(stem)])].slice(0, MAX_TERMS)
  const weights = new Map(terms.map(term => [term, own.has(term) ? SAID : MEANT]))
  const isQuestion = QUESTION.test(text.trim())
  const nouns = new Set(many.map(stem))
  return { weights, isQuestion, asks: verb => !isQuestion && weights.has(verb) && !nouns.has(verb) }
}

/** Words with the same meaning. */
const meaningsOf = (word: string): readonly string[] =>
  (synonyms.get(word) ?? synonyms.get(stem(word)) ?? '').match(/\w+/g) ?? []

/** Whether a word names a change or another action. */
const isVerb = (word: string, changing: ReadonlySet<string>): boolean =>
  !MANY.test(word) && [word, ...meaningsOf(word)].some(meaning => changing.has(meaning))

const saidIn = (text: string): readonly string[] => plain(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** Whether a text has more than verbs. Its first word usually is one. */
const isOfSomething = (text: string, changing: ReadonlySet<string>): boolean =>
  saidIn(text).some((word, at) => at > 0 && !fillers.has(word) && !changing.has(word))

/** How much of a tool's name is in the query. An argument that is also in the query counts as a part of the name. */
function named({ reads, parts, inputs }: Words, { weights, isQuestion, asks }: Asked): number {
  const said = parts.reduce((sum, part) => sum + (weights.get(part) ?? 0), 0)
  const more = [...inputs].filter(word => weights.get(word) === SAID).length
  const share = UNNAMED + (1 - UNNAMED) * ((said + more) / (parts.length + more)) ** 2
  return reads || asks(parts[0]!) ? share : share * (isQuestion ? QUESTIONED : UNASKED)
}

const wordsIn = (text: string): readonly string[] => plain(text).split(' ').map(stem)

const inputsOf = ({ input }: Row): string => Object.keys(input.properties).join(' ')

function wordsOf(row: Row): Words {
  const { name, class: of } = row
  const parts = wordsIn(name)
  return {
    reads: of === 'read',
    parts,
    inputs: new Set(wordsIn(inputsOf(row)).filter(word => !parts.includes(word)))
  }
}

function indexOf(rows: readonly Row[]): MiniSearch<Entry> {
  const index = new MiniSearch<Entry>({
    idField: 'name',
    fields: ['words', 'title', 'summary', 'inputs'],
    processTerm: stem,
    searchOptions: {
      boost: { words: 4, title: 3, summary: 2 },
      prefix: term => term.length > 3,
      maxFuzzy: MAX_WRONG
    }
  })
  for (const row of rows)
    index.add({
      name: row.name,
      words: plain(row.name),
      title: plain(row.title),
      summary: plain(row.summary),
      inputs: plain(inputsOf(row))
    })
  return index
}
