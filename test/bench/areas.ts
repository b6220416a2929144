import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/* Where the processor's time goes, from a CPU profile: its samples by the part of the program that they fell into. */

/** What of a CPU profile, as `node --cpu-prof` writes one, is read here. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[]
  /** Node ids, and the microseconds since the sample before. */
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

interface ProfileNode {
  readonly id: number
  readonly children?: readonly number[]
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
}

/** Shares of the time in which the program was not idle. */
export type Shares = Readonly<Record<string, number>>

/** By the name that V8 gives what has no file. */
const byFunction: readonly (readonly [pattern: RegExp, area: string])[] = [
  [/^write(v|Buffer|(Utf8|Latin1|Ucs2|Ascii)?String)$/, 'writing to sockets'],
  [/^\(garbage collector\)$/, 'collecting garbage'],
  [/^\(program\)$|^runMicrotasks$/, 'Node: sockets, streams, promises']
]

/** By the file that a function stands in; the first that fits. */
const byFile: readonly (readonly [pattern: RegExp, area: string])[] = [
  [/^node:.*http/, 'Node: HTTP'],
  [/^node:.*crypto/, 'sessions, sealing'],
  [/^node:/, 'Node: sockets, streams, promises'],
  [/node_modules\/undici\//, 'undici'],
  [/node_modules\/(fastify|@fastify|find-my-way|secure-json-parse|avvio|light-my-request)\//, 'Fastify'],
  [/^src\/upstream\/(answers|reading)\//, 'answers of the forge, as JSON'],
  [/^src\/results\//, 'results: what is shown of records'],
  [
    /^src\/(seal|session)\/|^plugins\/(sessions\/(sealer|store)|mcp\/(call-session|session-forge))/,
    'sessions, sealing'
  ],
  [/^src\/(base|collections|edge|fairness|load|upstream)\//, 'bounds, fairness, the way to the forge'],
  [/^(src\/(engine|catalog|protocol|tool-calls|call-context|outcome)|tools\/)/, 'tools and protocol'],
  [/^(src|plugins)\//, 'hooks, log, metrics'],
  [/floor\.js$/, 'the floor’s own']
]

const OTHER = 'all else'

/** Every area, in the order in which they are told. */
export const areas: readonly string[] = [
  ...new Set([...byFunction, ...byFile].map(([, area]) => area)),
  OTHER
]

/**
 * The share of each area in the last seconds in which a program was busy.
 * @param seconds what came before, such as its start, does not count
 * @param readText of a file by its URL, to know what a bundle is made of
 */
export function sharesOf(
  { nodes, samples, timeDeltas }: CpuProfile,
  seconds: number,
  readText = (url: string): string => readFileSync(fileURLToPath(url), 'utf8')
): Shares {
  const areaOf = areasOf(nodes, sourcesBy(readText))
  const spent: Record<string, number> = {}
  let left = seconds * 1e6
  let busy = 0
  let begun = false
  for (let at = samples.length - 1; at >= 0 && left > 0; at--) {
    const area = areaOf(samples[at]!)
    const took = timeDeltas[at]!
    // From its last call to its end a program does nothing.
    begun ||= area !== undefined
    if (begun) left -= took
    if (area === undefined) continue
    busy += took
    spent[area] = (spent[area] ?? 0) + took
  }
  return Object.fromEntries(Object.entries(spent).map(([area, took]) => [area, took / busy]))
}

/** @returns undefined of a node for idle time */
function areasOf(
  nodes: readonly ProfileNode[],
  sourceOf: (url: string, line: number) => string
): (id: number) => string | undefined {
  const known = new Map<number, string | undefined>()
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map(child => [child, id] as const))
  )
  // A node comes after the one that it is a child of.
  for (const { id, callFrame } of nodes) {
    const { functionName, url, lineNumber } = callFrame
    const source = url.startsWith('file:') ? sourceOf(url, lineNumber) : url
    const named = byFunction.find(([pattern]) => url === '' && pattern.test(functionName))
    // What has no file works for what called it: a parser of JSON, a regular expression, WebAssembly.
    const placed = named ?? byFile.find(([pattern]) => pattern.test(source))
    known.set(
      id,
      functionName === '(idle)' ? undefined : (placed?.[1] ?? known.get(parents.get(id) ?? -1) ?? OTHER)
    )
  }
  return id => known.get(id)
}

/** The file that a line of a bundle was made of: the build writes its name before its text. */
function sourcesBy(readText: (url: string) => string): (url: string, line: number) => string {
  const known = new Map<string, readonly string[]>()
  return (url, line) => {
    let sources = known.get(url)
    if (sources === undefined) {
      let source = url
      sources = readText(url)
        .split('\n')
        .map(text => {
          source = /^\/\/ ((?:[\w.@-]+\/)+[\w.@-]+\.\w+)$/.exec(text)?.[1] ?? source
          return source
        })
      known.set(url, sources)
    }
    return sources[line] ?? url
  }
}
