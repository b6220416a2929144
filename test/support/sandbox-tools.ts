import t, { type Test } from 'tap'
import { Agent } from 'undici'
import { Catalog } from '../../src/catalog/catalog.ts'
import type { ConfirmPolicy } from '../../src/engine/consent/consent.ts'
import { PatternMatcher } from '../../src/engine/patterns.ts'
import type { Toolset } from '../../src/engine/rows/toolset.ts'
import { type Forge, type ForgeOptions, startForge } from '../forge/index.ts'
import { type Clock, fasterClock, parsedText, type RunnerParts, toolRunner } from './run-tool.ts'
import { textsOf } from './texts.ts'

/** The result of a call: the first block, parsed if it is JSON, and the others as texts. */
interface Called {
  // biome-ignore lint/suspicious/noExplicitAny: records of every kind are looked into
  value: any
  notices: string[]
  /** The text of a result with isError. */
  error?: string
}

export type Call = (tool: string, args?: Record<string, unknown>) => Promise<Called>

/** @returns a function that calls tools as that person */
export type As = (name: string) => Call

interface StoryOptions extends ForgeOptions {
  downloadDir?: string
  /** The setting FORGE_CONFIRM. Nobody can be asked, so calls confirm by the argument. */
  confirm?: ConfirmPolicy
  /** The clock of the calls and the forge. By default each has its own, and that of the calls runs fast. */
  clock?: Clock
}

/**
 * A test that runs tools against a sandbox forge with sample data, over real HTTP. At its end it checks that no request
 * has broken the published contract.
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

interface CallerParts extends Omit<RunnerParts, 'caller'> {
  name: string
}

/**
 * Calls tools as one person at one forge, or at any stand-in for it. By default the calls' clock runs fast, so that
 * waiting takes milliseconds.
 */
export function callerOf({ name, clock = fasterClock(50), ...parts }: CallerParts): Call {
  const runOf = toolRunner({ ...parts, caller: name, clock })
  return async (tool, args = {}) => {
    const run = await runOf(tool, args)
    if (run.outcome === 'fault') throw run.error
    if (run.outcome === 'tool_error') return { value: undefined, notices: [], error: run.problem }
    const [first, ...notices] = textsOf(run.result)
    return { value: parsedText(first!), notices }
  }
}
