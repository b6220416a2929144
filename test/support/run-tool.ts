import { setTimeout as sleep } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { runTool } from '../../src/calls/run.ts'
import type { Catalog } from '../../src/catalog/catalog.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { KnownFacts } from '../../src/engine/facts/known.ts'
import { Names } from '../../src/engine/facts/names.ts'
import { reader } from '../../src/engine/web-urls/reader.ts'
import { writeResult } from '../../src/results/result.ts'
import type { CredentialKind } from '../../src/session/credential.ts'
import { CallerForgeClient } from '../../src/upstream/forge.ts'
import { apiBase } from '../../src/upstream/hosts/url.ts'
import { quietContext } from './quiet-context.ts'
import { upstreamOf } from './upstream.ts'

/** The clock of calls, in milliseconds. */
export interface Clock {
  now(): number
  pause(ms: number): Promise<unknown>
}

/** A clock that runs this many times faster than the machine's. */
export const fasterClock = (times: number): Clock => ({
  now: () => performance.now() * times,
  pause: ms => sleep(ms / times)
})

/** A clock that only advances when somebody pauses, so it does not depend on how busy the machine is. */
export const steppedClock = (): Clock => {
  let now = Date.now()
  return {
    now: () => now,
    pause: async ms => {
      now += ms
    }
  }
}

export interface RunnerParts {
  catalog: Catalog
  dispatcher: Dispatcher
  patterns: ToolContext['patterns']
  apiUrl?: string
  token?: string
  kind?: CredentialKind
  /** The caller of the tools. */
  caller?: string
  downloadDir?: string
  clock?: Clock
  /** How long the forge may take for a request. */
  deadlineMs?: number
  output?: 'compact' | 'full'
  maxChars?: number
  /** Overrides parts of the quiet context. */
  context?: Partial<ToolContext>
}

/**
 * Runs tools as one caller at one forge. A call knows what earlier calls have found.
 * @returns a function that runs a tool with arguments and gives the outcome; it throws if the catalog has no such tool
 */
export function toolRunner({
  catalog,
  dispatcher,
  patterns,
  apiUrl = 'https://forge.example/api/v4',
  token = 'glpat-table-table-table',
  kind = 'private-token',
  caller = 'ada',
  downloadDir = '/dev/null/none',
  clock = steppedClock(),
  deadlineMs = 30_000,
  output = 'compact',
  maxChars = 200_000,
  context = {}
}: RunnerParts) {
  const upstream = upstreamOf({
    base: apiBase(apiUrl),
    dispatcher,
    limits: { maxBytes: 10_000_000, deadlineMs },
    userAgent: 'test'
  })
  const quiet = quietContext(catalog, { caller, downloadDir })
  const known = new KnownFacts().of(caller)
  return async (name: string, args: object) => {
    const tool = catalog.find(name)
    if (tool === undefined) throw new Error(`no tool ${name}`)
    const forge = new CallerForgeClient(upstream, { kind, token })
    const run = await runTool(
      tool,
      args,
      {
        ...quiet,
        forge,
        readWebUrl: reader(forge.webUrl, {}),
        known,
        names: new Names(known, tool.class !== 'read'),
        patterns,
        pause: async ms => void (await clock.pause(ms)),
        nextPart: async () => {},
        now: clock.now,
        maxChars,
        ...context
      },
      { output, maxChars },
      { write: writeResult }
    )
    forge.release()
    return run
  }
}

/** A text of a result, parsed if it is JSON. */
export function parsedText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
