import { runTool } from '../../src/calls/run.ts'
import type { Catalog } from '../../src/catalog/catalog.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { KnownFacts } from '../../src/engine/facts/known.ts'
import { Names } from '../../src/engine/facts/names.ts'
import { reader } from '../../src/engine/web-urls/reader.ts'
import { writeResult } from '../../src/results/result.ts'
import { CallerForgeClient } from '../../src/upstream/forge.ts'
import { apiBase } from '../../src/upstream/hosts/url.ts'
import { quietContext } from './quiet-context.ts'
import type { ScriptedDispatcher } from './scripted-dispatcher.ts'

/**
 * Runs a tool at a forge of scripted answers. Its pauses take no time, but move its clock.
 * @param more of its context
 */
export async function toolAt(
  dispatcher: ScriptedDispatcher,
  catalog: Catalog,
  name: string,
  args: object,
  more: Pick<ToolContext, 'patterns'> & Partial<ToolContext>
) {
  const upstream = {
    base: apiBase('https://forge.example/api/v4'),
    dispatcher,
    limits: { maxBytes: 1_000_000, deadlineMs: 30_000 },
    userAgent: 'test'
  }
  const forge = new CallerForgeClient(upstream, { kind: 'private-token', token: 'glpat-table-table-table' })
  const known = new KnownFacts().of('ada')
  let time = 0
  const done = await runTool(
    catalog.find(name)!,
    args,
    {
      ...quietContext(catalog, { caller: 'ada', downloadDir: '/dev/null/none' }),
      forge,
      readWebUrl: reader(forge.webUrl, {}),
      known,
      names: new Names(known, true),
      pause: async ms => {
        time += ms
      },
      nextPart: async () => {},
      now: () => time,
      maxChars: 200_000,
      ...more
    },
    { output: 'compact', maxChars: 200_000 },
    { write: writeResult }
  )
  forge.release()
  return done
}
