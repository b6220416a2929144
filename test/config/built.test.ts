import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import t from 'tap'
import { options } from '../../esbuild.config.ts'
import { checkSettings, type Settings } from '../../src/config/load.ts'

/** The configuration, or what is wrong. */
const outcomeOf = (check: typeof checkSettings, settings: Settings): unknown => {
  try {
    return check(settings)
  } catch (error) {
    return (error as { problems: readonly string[] }).problems
  }
}

t.test('the check of settings that the build compiles says what the library says', async t => {
  const folder = t.testdir()
  await build({ ...options, entryPoints: ['src/config/load.ts'], splitting: false, outdir: folder })
  const built: { checkSettings: typeof checkSettings } = await import(
    pathToFileURL(join(folder, 'load.js')).href
  )
  const cases: Settings[] = [
    {},
    { PORT: '70000', DRAIN_SECONDS: '-1', MAX_SESSIONS: 'many' },
    { STREAMABLE_HTTP: 'maybe', FORGE_READ_ONLY_MODE: '1' },
    { LOG_LEVEL: 'loud', FORGE_CONFIRM: 'never' },
    { PORT: '8080', FORGE_READ_ONLY_MODE: 'true', LOG_LEVEL: 'warn', METRICS_PORT: '9090' }
  ]
  for (const settings of cases)
    t.same(
      outcomeOf(built.checkSettings, settings),
      outcomeOf(checkSettings, settings),
      JSON.stringify(settings)
    )
  t.match(outcomeOf(built.checkSettings, cases[1]!), { length: 3 })
  t.match(outcomeOf(built.checkSettings, cases[4]!), {
    PORT: 8080,
    FORGE_READ_ONLY_MODE: true,
    DRAIN_SECONDS: 5
  })
})
