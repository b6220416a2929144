import t from 'tap'
import { runTool } from '../../../src/calls/run.ts'
import { Catalog } from '../../../src/catalog/catalog.ts'
import { KnownFacts } from '../../../src/engine/facts/known.ts'
import { Names } from '../../../src/engine/facts/names.ts'
import { PatternMatcher } from '../../../src/engine/patterns.ts'
import { reader } from '../../../src/engine/web-urls/reader.ts'
import { writeResult } from '../../../src/results/result.ts'
import { CallerForgeClient } from '../../../src/upstream/forge.ts'
import { apiBase } from '../../../src/upstream/hosts/url.ts'
import { issues } from '../../../tools/issues/index.ts'
import { repository } from '../../../tools/repository/index.ts'
import { quietContext } from '../../support/quiet-context.ts'
import { ScriptedDispatcher } from '../../support/scripted-dispatcher.ts'
import { upstreamOf } from '../../support/upstream.ts'

/* Texts that a tool makes of what the forge has and of a few arguments. Each may be many times as long as either. */

const patch = { project_id: 'acme/rocket', issue_iid: '3' }
const blocks = (search: string, replacement: string) => ({
  patch_type: 'search_replace',
  allow_multiple: true,
  patch: `<<<<<<< SEARCH\n${search}\n=======\n${replacement}\n>>>>>>> REPLACE`
})
const commit = { project_id: 'acme/rocket', branch: 'main', commit_message: 'Edit' }
/** One character needs two bytes, so that each takes two. */
const long = `\u4e00${'x'.repeat(1000)}`

const cases: readonly (readonly [
  how: string,
  stored: string,
  tool: string,
  args: Record<string, unknown>
])[] = [
  [
    'each of many places',
    'a'.repeat(100),
    'update_issue_description_patch',
    { ...patch, ...blocks('a', long) }
  ],
  [
    'line ends of two characters',
    '\r\n'.repeat(50_000),
    'update_issue_description_patch',
    { ...patch, ...blocks('\n\n', '\n') }
  ],
  [
    'lines of a diff',
    'a\n'.repeat(40_000),
    'update_issue_description_patch',
    { ...patch, patch_type: 'unified_diff', patch: `@@ -1,1 +1,1 @@\n-a\n+${long}` }
  ],
  [
    'each place in a file',
    'a'.repeat(100),
    'commit_files',
    {
      ...commit,
      actions: [{ action: 'edit', file_path: 'a.md', edits: [{ find: 'a', replace: long, all: true }] }]
    }
  ]
]

/** A forge that counts what a call says that it keeps. */
class CountedForge extends CallerForgeClient {
  kept = 0

  override keep(size: number): void {
    this.kept += size
    super.keep(size)
  }
}

for (const [how, stored, tool, args] of cases)
  t.test(`${tool}: a text with other words at ${how} counts before the forge is asked again`, async t => {
    const keptAt: number[] = []
    const dispatcher = new ScriptedDispatcher(({ path }) => {
      keptAt.push(forge.kept)
      return path.includes('/raw')
        ? { headers: { 'content-type': 'text/plain' }, body: stored }
        : { body: { id: 1, iid: 3, description: stored } }
    })
    const forge = new CountedForge(
      upstreamOf({
        base: apiBase('https://forge.example/api/v4'),
        dispatcher,
        limits: { maxBytes: 10_000_000, deadlineMs: 5_000 },
        userAgent: 'test'
      }),
      { kind: 'private-token', token: 'glpat-table-table-table' }
    )
    const catalog = new Catalog({})
    for (const toolset of [issues, repository]) catalog.add(toolset)
    const patterns = new PatternMatcher()
    t.teardown(() => patterns.close())
    const known = new KnownFacts().of('ada')
    const { outcome } = await runTool(
      catalog.find(tool)!,
      args,
      {
        ...quietContext(catalog, { caller: 'ada', downloadDir: '/dev/null/none' }),
        readWebUrl: reader(forge.webUrl, {}),
        forge,
        known,
        names: new Names(known, true),
        patterns,
        pause: async () => {},
        nextPart: async () => {},
        now: () => 0,
        maxChars: 200_000
      },
      { output: 'compact', maxChars: 200_000 },
      { write: writeResult }
    )
    t.equal(outcome, 'ok')
    const written = JSON.stringify(dispatcher.sent.find(({ body }) => body !== undefined)?.body)
    t.ok(keptAt[1]! >= written.length, `${keptAt[1]} bytes of a request of ${written.length} characters`)
  })
