import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { Agent, type Dispatcher } from 'undici'
import { runTool } from '../../src/calls/run.ts'
import { Catalog } from '../../src/catalog/catalog.ts'
import type { ConfirmPolicy } from '../../src/engine/consent/consent.ts'
import { KnownFacts } from '../../src/engine/facts/known.ts'
import { Names } from '../../src/engine/facts/names.ts'
import { PatternMatcher } from '../../src/engine/patterns.ts'
import type { Toolset } from '../../src/engine/rows/toolset.ts'
import { reader } from '../../src/engine/web-urls/reader.ts'
import { writeResult } from '../../src/results/result.ts'
import { CallerForgeClient } from '../../src/upstream/forge.ts'
import { apiBase } from '../../src/upstream/hosts/url.ts'
import { type Forge, type ForgeOptions, startForge } from '../forge/index.ts'
import { quietContext } from './quiet-context.ts'
import { textsOf } from './texts.ts'

/** What a call gave: the first block parsed where it is JSON, the others as they are. */
export interface Called {
  // biome-ignore lint/suspicious/noExplicitAny: records of every kind are looked into
  value: any
  notices: string[]
  /** The text of a result with isError. */
  error?: string
}

export type Call = (tool: string, args?: Record<string, unknown>) => Promise<Called>

/** What calls wait by, in milliseconds. */
export interface Clock {
  now(): number
  pause(ms: number): Promise<unknown>
}

/** A clock that goes so many times faster than the machine's. */
export const fasterClock = (times: number): Clock => ({
  now: () => performance.now() * times,
  pause: ms => sleep(ms / times)
})

/** A clock that stands but while somebody waits by it: how busy the machine is makes no difference. */
export const steppedClock = (): Clock => {
  let now = Date.now()
  return {
    now: () => now,
    pause: async ms => {
      now += ms
    }
  }
}

/** @returns calls in that person's name */
export type As = (name: string) => Call

export interface StoryOptions extends ForgeOptions {
  downloadDir?: string
  /** FORGE_CONFIRM; nobody can be asked, so that it is by the argument. */
  confirm?: ConfirmPolicy
  /** Of the calls and the forge; default one each, of which that of the calls hurries. */
  clock?: Clock
}

/**
 * A test that runs tools against a sandbox forge with sample data, over real HTTP. At its end no request may
 * have broken the published contract.
 */
export function story(
  title: string,
  toolsets: readonly Toolset[],
  tell: (t: Test, as: As, forge: Forge) => Promise<void>,
  { downloadDir = '/dev/null/none', confirm = 'off', clock, ...options }: StoryOptions = {}
): void {
  t.test(title, async t => {
    const forge = await startForge({ sample: true, ...(clock && { now: clock.now }), ...options })
    const dispatcher = new Agent()
    const patterns = new PatternMatcher()
    t.teardown(() => Promise.all([patterns.close(), dispatcher.destroy(), forge.close()]))
    const catalog = new Catalog({ confirm })
    for (const toolset of toolsets) catalog.add(toolset)
    const as: As = name =>
      callerOf({
        apiUrl: forge.apiUrl,
        token: forge.tokens[name] ?? 'glpat-nobody-nobody-1',
        name,
        catalog,
        dispatcher,
        patterns,
        downloadDir,
        ...(clock && { clock })
      })
    await tell(t, as, forge)
    t.same(forge.violations, [], 'no request broke the published contract')
  })
}

export interface CallerParts {
  apiUrl: string
  token: string
  name: string
  catalog: Catalog
  dispatcher: Dispatcher
  patterns: PatternMatcher
  downloadDir: string
  /** Default one that hurries: what calls wait for takes milliseconds. */
  clock?: Clock
  /** How long the forge may take for a request. */
  deadlineMs?: number
}

/** @returns calls of tools by one person at one forge, whatever answers in its place */
export function callerOf({ apiUrl, token, name, ...parts }: CallerParts): Call {
  const { catalog, dispatcher, patterns, downloadDir, clock = fasterClock(50), deadlineMs = 5_000 } = parts
  const upstream = {
    base: apiBase(apiUrl),
    dispatcher,
    limits: { maxBytes: 10_000_000, deadlineMs },
    userAgent: 'test'
  }
  const credential = { kind: 'private-token', token } as const
  const quiet = quietContext(catalog, { caller: name, downloadDir })
  const known = new KnownFacts().of(name)
  return async (tool, args = {}) => {
    const found = catalog.find(tool)
    if (found === undefined) throw new Error(`no tool ${tool}`)
    const forge = new CallerForgeClient(upstream, credential)
    const run = await runTool(
      found,
      args,
      {
        ...quiet,
        forge,
        readWebUrl: reader(forge.webUrl, {}),
        known,
        names: new Names(known, found.class !== 'read'),
        patterns,
        pause: async ms => void (await clock.pause(ms)),
        nextPart: async () => {},
        now: clock.now,
        maxChars: 200_000
      },
      { output: 'compact', maxChars: 200_000 },
      { write: writeResult }
    )
    if (run.outcome === 'fault') throw run.error
    if (run.outcome === 'tool_error') return { value: undefined, notices: [], error: run.problem }
    const [first, ...notices] = textsOf(run.result)
    return { value: parsed(first!), notices }
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
