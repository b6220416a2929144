import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import ts from 'typescript'
import { composedIn, ofSchemas, type Pattern } from './support/composed-patterns.ts'
import { cpuMsOf, TICK_MS, yardstick } from './support/event-loop.ts'

/*
 * Regular expressions read what callers and forges send, so none may take out of proportion to its text. Each literal of
 * the sources, each that is composed where they are loaded, and each of a row's schema is tried with one part repeated, of
 * those that are in it and of what texts have most, and with ends by which it fails. What reads a text that is cut first may
 * be written so that it need not be; what a schema bounds is tried all the same, as a bound may go.
 */

const root = fileURLToPath(new URL('..', import.meta.url))

/** These read what is bounded elsewhere. */
const excused = new Map([
  [String.raw`/^(?:[a-z\d_]+[ ,]+)*(?:read_)?api(?:[ ,]+[a-z\d_]+)*$/`, 'the configuration'],
  [String.raw`/(?=[\w+=-]*\d)(?=[\w+=-]*[a-z])[\w+=-]{12,}|[a-z\d]{24,}/i`, 'the configuration'],
  ['/FORGE_PERSONAL_ACCESS_TOKEN .*callers bring/', 'words of this service'],
  ...['project', '(?:namespace|group)', 'tag', 'release', 'file', 'tree', 'label'].map(
    (noun): [string, string] => [
      String.raw`/\b${noun}\b.*\bnot found/i`,
      'refusals, of which 500 characters are looked at'
    ]
  ),
  [
    String.raw`/\b(?:commit|branch|tree|ref|reference|revision)\b.*\bnot found|invalid reference|target (?:\S{1,255} )?is invalid|does not exist|is ambiguous|are on a branch|set the default branch/i`,
    'the same'
  ],
  [
    String.raw`/(?::?"((?:[^"\\]|\\.)*)"\s?=>\s?|:?(\w+)(?:=>|:\s))(\[(?:"((?:[^"\\]|\\.)*)"(?:,\s?"((?:[^"\\]|\\.)*)")*)?\])/g`,
    'a printed hash, of a refusal that is cut'
  ],
  ...['', 'g'].map((flags): [string, string] => [String.raw`/"((?:[^"\\]|\\.)*)"/${flags}`, 'the same']),
  [
    String.raw`/(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")(?:\s*,\s*|$)/suy`,
    'one item of a list, from where the last ended: the first that fails ends it'
  ]
])

const files = ['src', 'plugins', 'tools', 'prompts', 'resources', 'completions'].flatMap(room =>
  readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .map(file => join(room, file))
)
const composed = await composedIn(root, async () => {
  for (const file of files)
    if (readFileSync(join(root, file), 'utf8').includes('new RegExp(')) await import(join(root, file))
  const { uriTemplate } = await import('../src/resources/uri-template.ts')
  const { resources } = await import('../resources/index.ts')
  for (const { uri } of resources) uriTemplate(uri)
})
const { toolsets } = await import('../tools/index.ts')

/** By their texts: many are written in several places. */
const patterns = new Map<string, Pattern>(
  [...files.flatMap(patternsIn), ...composed, ...ofSchemas(toolsets.flatMap(({ rows }) => rows))].map(
    pattern => [pattern.text, pattern]
  )
)

function patternsIn(file: string): Pattern[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(root, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true
  )
  const found: Pattern[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push({ where: file, text: node.text })
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const common = [
  ' ',
  'a',
  'A',
  '0',
  '-',
  '_',
  '/',
  '.',
  ',',
  '\n',
  '\t',
  '"',
  "'",
  '<',
  '>',
  '[',
  '(',
  '`',
  '~',
  '#',
  '!',
  '@',
  '&',
  '%',
  '=',
  '\\',
  '\\"',
  'é',
  '|',
  '+',
  '*',
  ':',
  ';',
  '{',
  '\r\n',
  ' \n',
  'a ',
  'a.',
  'a-',
  'a/',
  '0.',
  '\u200b',
  '${',
  '%2F',
  '..',
  '//',
  '<!--',
  '](',
  '![',
  '0:',
  '1d'
]
const beginnings = ['', 'a', '<']
const ends = ['', '\n!', '\u2028!']

/** What a pattern wants none of: a text that matches up to there fails at its end. */
const unwantedIn = (pattern: string): readonly string[] =>
  [...pattern.matchAll(/\[\^(\\?.)\]/g)].flatMap(([, one]) => (one!.length === 1 ? [one!] : []))

/** The words of a pattern, and each with what comes between words. */
const wordsIn = (pattern: string): ReadonlySet<string> =>
  new Set(
    (pattern.match(/[^\\[\](){}?*+|^$.]{2,}/g) ?? [])
      .flatMap(word => [word, `${word} `])
      .filter(word => !common.includes(word))
  )

const SHORT = 4_000
const LONG = 128_000
/** How many times longer each text is than the one before. */
const STEP = 4
/** What is faster at the short length, in milliseconds, is not looked at again. */
const SUSPECT_MS = 0.08
/** Milliseconds of a machine of 2023 that the long text may take: usual are one or two, and the square of it is minutes. */
const MOST_MS = 8

/** A text of any length, of one part on and on. */
interface Trial {
  readonly name: string
  /** At the short length: most patterns see no more of it. */
  readonly short: string
  textOf(chars: number): string
}

function* trials(parts: Iterable<string>, ends: readonly string[]): Generator<Trial> {
  for (const part of parts)
    for (const beginning of beginnings)
      for (const end of ends) {
        const textOf = (chars: number) => beginning + part.repeat(Math.ceil(chars / part.length)) + end
        yield { name: JSON.stringify(`${beginning}${part}…${end}`), short: textOf(SHORT), textOf }
      }
}

/** Those for every pattern: to make them takes as long as most patterns do. */
const commonTrials = [...trials(common, ends)]

function* trialsOf(pattern: string): Generator<Trial> {
  const unwanted = unwantedIn(pattern)
  yield* commonTrials
  yield* trials(common, unwanted)
  yield* trials(wordsIn(pattern), [...ends, ...unwanted])
}

const run = (regex: RegExp, text: string): void => {
  regex.lastIndex = 0
  if (regex.global) text.replace(regex, '')
  else regex.test(text)
}

function isSuspect(regex: RegExp, text: string): boolean {
  // The first runs of a pattern compile it.
  for (let turn = 0; turn < 3; turn++) {
    const started = performance.now()
    run(regex, text)
    if (performance.now() - started < SUSPECT_MS) return false
  }
  return true
}

/** How much longer a text takes than its quarter does four times: as long where it takes in proportion, and of a square four times. */
const GROWS = 2.5

/**
 * Tries longer and longer texts, as those of a square would not end. A busy machine makes any slow, but none grow; what
 * seems to is measured once more.
 */
async function isSlow(regex: RegExp, textOf: (chars: number) => string, allowedMs: number): Promise<boolean> {
  const grows = async (chars: number) => {
    const ms = await leastOf(regex, textOf(chars), 1, allowedMs)
    return ms > allowedMs && ms > GROWS * (await leastOf(regex, textOf(chars / 4), 4))
  }
  for (let chars = SHORT * 2; chars <= LONG; chars *= STEP)
    if ((await grows(chars)) && (await grows(chars))) return true
  return false
}

/** Milliseconds of some runs; the least of three, or of those up to one that is as short as allowed. */
async function leastOf(regex: RegExp, text: string, times: number, allowedMs = 0): Promise<number> {
  const runs = () => {
    for (let at = 0; at < times; at++) run(regex, text)
  }
  let least = Infinity
  for (let turn = 0; turn < 3 && least > allowedMs; turn++) least = Math.min(least, await cpuMsOf(runs))
  return least
}

/** The text that takes a pattern out of proportion, as far as one is found. */
async function slowTextOf({ text: written }: Pattern, allowedMs: number): Promise<string | undefined> {
  const slash = written.lastIndexOf('/')
  const [source, flags] = [written.slice(1, slash), written.slice(slash + 1).replace('y', '')]
  const regex = new RegExp(source, flags)
  for (const { name, short, textOf } of trialsOf(source))
    if (isSuspect(regex, short) && (await isSlow(regex, textOf, allowedMs))) return name
  return undefined
}

const allowedMs = ((await yardstick()) * MOST_MS) / 10 + TICK_MS

t.test('a pattern that takes a square of its text is found', async t => {
  for (const text of ['/a+>$/', '/<[^>]*>/g']) t.ok(await slowTextOf({ where: '', text }, allowedMs), text)
})

t.test('no pattern takes out of proportion to its text', async t => {
  const slow: string[] = []
  for (const pattern of patterns.values()) {
    if (excused.has(pattern.text)) continue
    const text = await slowTextOf(pattern, allowedMs)
    if (text !== undefined) slow.push(`${pattern.where}: ${pattern.text} with ${text}`)
  }
  t.same(slow, [])
})

t.test('each that is excused is there', async t => {
  t.same(
    [...excused.keys()].filter(text => !patterns.has(text)),
    []
  )
})
