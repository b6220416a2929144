import t from 'tap'
import { filesOf, textOf } from '../support/sources.ts'

/** What is not measured within this process: it says when, or compares with what others say. */
const dates: Readonly<Record<string, readonly string[]>> = {
  'is sealed, on any replica, and spent as long as that is good': [
    'plugins/mcp/service.ts',
    'plugins/sessions/sealer.ts',
    'plugins/sessions/store.ts',
    'src/oauth/storage/sealed-storage.ts'
  ],
  'is beside the times of files': ['plugins/features/downloads.ts'],
  'is beside dates of a forge': [
    'src/doctor/doctor.ts',
    'src/doctor/forge.ts',
    'src/engine/rows/checks.ts',
    'src/oauth/forge/credential-check.ts',
    'src/oauth/forge/forge-oauth.ts',
    'src/upstream/forge-stream.ts',
    'src/upstream/guard/guard.ts',
    'src/upstream/refused.ts',
    'tools/people/you.ts',
    'tools/projects/events.ts'
  ],
  'is shown': [
    'plugins/routes/registration.ts',
    'src/engine/arguments/arguments.ts',
    'src/log/line-writer.ts',
    'src/log/log.ts'
  ]
}

t.test(
  'only what says when reads the clock of the machine, which may be set: ages are those of performance.now',
  async t => {
    t.same(
      filesOf('src', 'plugins', 'tools', 'prompts', 'resources', 'completions')
        .filter(file => /\bDate\.now\b|\bnew Date\(\)/.test(textOf(file)))
        .toSorted(),
      Object.values(dates).flat().toSorted()
    )
  }
)
