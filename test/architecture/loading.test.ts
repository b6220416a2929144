import { build } from 'esbuild'
import t from 'tap'
import { options } from '../../esbuild.config.ts'
import { reachOf, root } from '../support/sources.ts'

t.test('--version and --help load next to nothing', async t => {
  const needs = (file: string) => [...reachOf(file)].filter(to => !to.startsWith('node:')).sort()
  t.same(needs('src/main.ts'), ['src/config/config-error.ts', 'src/main.ts', 'src/version.ts'])
  t.same(needs('src/config/argv.ts'), [
    'fastest-levenshtein',
    'src/base/nearest.ts',
    'src/base/units.ts',
    'src/config/abbreviations.ts',
    'src/config/argv.ts',
    'src/config/env-files/named-in.ts',
    'src/config/flag-meant.ts',
    'src/config/meant-variable.ts',
    'src/config/misspelt.ts',
    'src/config/policies.ts',
    'src/config/quotation-marks.ts',
    'src/config/schema.ts',
    'src/config/shown.ts',
    'src/json/records.ts',
    'src/log/proxy-credentials.ts',
    'src/log/without-tokens.ts',
    'src/results/is-record.ts',
    'src/session/other-tokens.ts',
    'typebox'
  ])
})

t.test('a start over HTTP loads nothing of ours that only some use later', async t => {
  const reached = reachOf('src/serve.ts')
  t.ok(reached.has('src/app.ts'))
  t.same(
    [...reached].filter(file =>
      /^(src\/(doctor|kubernetes|tracing\/sdk)\/|src\/stdio\/serve\.ts|(prompts|resources|completions)\/)/.test(
        file
      )
    ),
    []
  )
})

/** Packages that no start needs: what is checked then is compiled by the build, the rest is for what few use. */
const LATER = /^(ajv|@opentelemetry\/.*|prom-client)$/

t.test('what is built loads at its start no package that only some use later', async t => {
  const { metafile } = await build({ ...options, outdir: 'dist', write: false, absWorkingDir: root })
  const loaded = new Set<string>()
  const load = (path: string) => {
    if (loaded.has(path)) return
    loaded.add(path)
    for (const { kind, path: next, external } of metafile.outputs[path]!.imports)
      if (kind === 'import-statement' && !external) load(next)
  }
  load('dist/cli.js')
  load('dist/server.js')
  const packages = [...loaded]
    .flatMap(path => Object.keys(metafile.outputs[path]!.inputs))
    .flatMap(input => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? [])
  t.ok(packages.includes('fastify'))
  t.same(
    packages.filter(name => LATER.test(name)),
    []
  )
})
