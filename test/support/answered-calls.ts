import { setImmediate } from 'node:timers/promises'
import { Catalog } from '../../src/catalog/catalog.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { Names } from '../../src/engine/facts/names.ts'
import { LookupBudget } from '../../src/engine/lookup-budget.ts'
import { reader } from '../../src/engine/web-urls/reader.ts'
import { UnseenBudget } from '../../src/results/unseen-in-names.ts'
import { toolsets } from '../../tools/index.ts'
import { inTurns } from './in-turns.ts'
import { unaskable } from './unaskable.ts'

/* Calls of tools whose answers are ready at once, so that only the tool's own work takes time. */

export const catalog = new Catalog()
for (const toolset of toolsets) catalog.add(toolset)

/**
 * A context whose forge gives fixed answers.
 * @param answers by the end of a request's path; GraphQL gets all of them. An Error is thrown
 * @param file the text of any file
 */
export const answeredContext = (answers: Record<string, unknown>, file = '') => {
  const answerTo = (path: string) => {
    const value = Object.entries(answers).find(([end]) => path.split('?', 1)[0]!.endsWith(end))?.[1]
    if (value instanceof Error) throw value
    return value
  }
  const forge = {
    webUrl: 'https://forge.example',
    keep: () => {},
    send: async ({ path }: { path: string }) => ({ value: answerTo(path), headers: {}, size: 0 }),
    graphql: async () => answers,
    stream: async (_: unknown, take: (answer: object) => unknown) => {
      const read = await take({ headers: {}, body: () => pieces(file) })
      await setImmediate()
      return read
    },
    ...inTurns
  }
  const patterns = {
    match: async ({ entries }: { entries: object[] }) => structuredClone(entries).map(() => true)
  }
  const known = {
    remember: (_: string, ask: () => unknown) => ask(),
    recall: () => undefined,
    changes: 0,
    changed: () => {}
  }
  return {
    admitted: () => undefined,
    forge,
    known,
    names: new Names(known as never, true),
    lookups: new LookupBudget(),
    unseenBudget: new UnseenBudget(),
    readWebUrl: reader(forge.webUrl, {}),
    patterns,
    checkText: () => {},
    client: unaskable,
    mayRun: () => true,
    checkShown: () => undefined,
    checkStill: () => undefined,
    follow: () => undefined,
    serves: () => true,
    nextPart: () => setImmediate(),
    maxChars: 60_000
  }
}

async function* pieces(text: string) {
  for (let at = 0; at < text.length; at += 64 * 1024) {
    yield Buffer.from(text.slice(at, at + 64 * 1024))
    await setImmediate()
  }
}

export const calling =
  (tool: string, args: object, answers: Record<string, unknown>, file?: string) => (): Promise<unknown> =>
    catalog.find(tool)!.run(args, answeredContext(answers, file) as unknown as ToolContext)
