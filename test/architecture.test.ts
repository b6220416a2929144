import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import t from 'tap'
import { options } from '../esbuild.config.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Import {
  from: string
  to: string
}

const filesOf = (...rooms: string[]): string[] =>
  rooms.flatMap(room =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.ts'))
      .map(file => join(room, file))
  )

const files = filesOf('src', 'plugins', 'tools', 'prompts', 'resources', 'completions')

/** Every import of a file of ours, packages by name and own files by their path from the root. */
const imports: Import[] = files.flatMap(importsOf)

function importsOf(from: string): Import[] {
  return importsIn(readFileSync(join(root, from), 'utf8'), from)
}

function importsIn(text: string, from: string): Import[] {
  return [...text.matchAll(/(?:from|import) '([^']+)'/g)].map(([, target]) => ({
    from,
    to: target!.startsWith('.') ? relative(root, join(root, dirname(from), target!)) : target!
  }))
}

/** Imports that stay when types are erased, by file. */
const values = new Map<string, Import[]>()

const offending = (wrong: (edge: Import) => boolean) =>
  imports.filter(wrong).map(({ from, to }) => `${from} → ${to}`)
const composition = new Set(['src/app.ts', 'src/server.ts'])

t.test('src/ is free of Fastify, plugins/ and the rooms of rows, but for the composition root', async t => {
  t.same(
    offending(
      ({ from, to }) =>
        from.startsWith('src/') &&
        !composition.has(from) &&
        /^(fastify|fastify-plugin|@fastify\/|plugins\/|tools\/|prompts\/|resources\/|completions\/)/.test(to)
    ),
    []
  )
  t.same(
    offending(
      ({ from, to }) =>
        from.startsWith('src/') &&
        from !== 'src/app.ts' &&
        /^(plugins|tools|prompts|resources|completions)\//.test(to)
    ),
    []
  )
})

/** Each stands on those before it. */
const floors =
  'base fairness seal session edge upstream results engine prompts resources catalog protocol oauth completions calls'.split(
    ' '
  )

t.test('each floor, from the ground to calls, loads nothing that stands on it', async t => {
  for (const [at, floor] of floors.entries()) {
    const above = ['stdio', 'doctor', ...floors.slice(at + 1)]
    t.same(
      filesOf(`src/${floor}`).flatMap(file =>
        [...reachOf(file)]
          .filter(reached => above.some(room => reached.startsWith(`src/${room}/`)))
          .map(reached => `${file} → ${reached}`)
      ),
      []
    )
  }
})

const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')

t.test('the table of layers on the page lists the floors from the highest to the ground', async t => {
  const folders = [...page.matchAll(/^\| [^|]+ \| ([^|]*) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`src\/([\w-]+)\/`/g)].map(([, folder]) => folder!)
  )
  t.same(folders, floors.toReversed())
})

t.test('every folder of src/, and every file beside them, is on the page', async t => {
  t.same(
    readdirSync(join(root, 'src'), { withFileTypes: true })
      .map(entry => (entry.isDirectory() ? `src/${entry.name}/` : entry.name))
      .filter(name => !page.includes(`\`${name}\``) && !page.includes(`\`src/${name}\``)),
    []
  )
})

t.test('only the worker thread loads its jobs, which take from every layer', async t => {
  t.same(
    filesOf('src', 'plugins').filter(file => valuesIn(file).some(({ to }) => to === 'src/workers/jobs.ts')),
    ['src/workers/worker.ts']
  )
})

t.test('what is in base/ imports nothing of ours, not even a type', async t => {
  t.same(
    offending(({ from, to }) => from.startsWith('src/base/') && to.startsWith('src/')),
    []
  )
})

t.test('fairness knows neither HTTP, forges nor protocol: only what is kept, and the ground', async t => {
  t.same(
    offending(
      ({ from, to }) =>
        from.startsWith('src/fairness/') && /^src\/(?!(?:base|collections|fairness)\/)/.test(to)
    ),
    []
  )
})

/** The rooms of a folder, each of which loads those before it alone, and of the folder itself what is named. */
const stairs = {
  'src/upstream': { rooms: ['hosts', 'connections', 'answers', 'guard', 'reading'], also: ['errors.ts'] },
  'src/engine': {
    rooms: ['requests', 'arguments', 'facts', 'near', 'names', 'consent', 'rows', 'addresses'],
    also: []
  }
}

/** The same of folders where types go no way up either. */
const strictStairs = {
  'src/protocol': { rooms: ['messages', 'questions', 'exchange', 'transport', 'methods', 'eras'], also: [] },
  'src/oauth': { rooms: ['rules', 'storage', 'clients', 'forge', 'credentials', 'endpoints'], also: [] },
  'tools/merge-requests': {
    rooms: ['diffs', 'notes', 'drafts', 'approvals', 'merging', 'review'],
    also: ['one.ts', 'by-source-branch.ts', 'whole-sha.ts']
  }
}

/** Imports of a room, within its folder, of anything but what is named. */
const upwards = (folder: string, room: string, below: string[], importsOf: (file: string) => Import[]) =>
  filesOf(`${folder}/${room}`).flatMap(file =>
    importsOf(file)
      .map(({ to }) => to)
      .filter(to => to.startsWith(`${folder}/`) && !below.some(name => to.startsWith(`${folder}/${name}`)))
      .map(to => `${file} → ${to}`)
  )

const roomsUpTo = (rooms: string[], at: number) => rooms.slice(0, at + 1).map(name => `${name}/`)

t.test('the rooms of upstream/ and engine/ load only those below them, and not what runs them', async t => {
  for (const [folder, { rooms, also }] of Object.entries(stairs))
    for (const [at, room] of rooms.entries())
      t.same(upwards(folder, room, [...roomsUpTo(rooms, at), ...also], valuesIn), [])
})

t.test('the rooms of protocol/, oauth/ and merge-requests/ know only those below them', async t => {
  for (const [folder, { rooms, also }] of Object.entries(strictStairs))
    for (const [at, room] of rooms.entries())
      t.same(upwards(folder, room, [...roomsUpTo(rooms, at), ...also], importsOf), [])
})

t.test('which hosts may be asked knows nothing of the connections to them, not even a type', async t => {
  t.same(upwards('src/upstream', 'hosts', ['hosts/'], importsOf), [])
  t.same(
    offending(({ from, to }) => from.startsWith('src/upstream/hosts/') && to === 'undici'),
    []
  )
})

t.test('every file of protocol/ and oauth/ is in one of their rooms', async t => {
  for (const folder of ['src/protocol', 'src/oauth'] as const)
    t.same(readdirSync(join(root, folder)).sort(), strictStairs[folder].rooms.toSorted())
})

t.test('no folder of src/ or tools/ has more than thirty files', async t => {
  const counts = new Map<string, number>()
  for (const file of filesOf('src', 'tools')) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  t.same(
    [...counts].filter(([, count]) => count > 30),
    []
  )
})

t.test('no file needs itself, not even for a type', async t => {
  const needed = new Map(files.map(file => [file, importsOf(file).map(({ to }) => to)]))
  const reached = (file: string, seen = new Set<string>()): Set<string> => {
    for (const to of needed.get(file) ?? [])
      if (!seen.has(to)) {
        seen.add(to)
        reached(to, seen)
      }
    return seen
  }
  t.same(
    files.filter(file => reached(file).has(file)),
    []
  )
})

t.test('the engine knows nothing of what is offered, not even its types', async t => {
  t.same(
    offending(({ from, to }) => from.startsWith('src/engine/') && to.startsWith('src/catalog/')),
    []
  )
})

/** The names that a file takes, each behind the file it is of, or a star for all of that file. */
function takenIn(text: string, from: string): string[] {
  const of = (target: string) => relative(root, join(root, dirname(from), target))
  return [
    ...[...text.matchAll(/^(?:import|export)\b([^'"]*?) from '(\.[^']+)'/gm)].flatMap(([, names, target]) =>
      [...names!.matchAll(/\*|[{,]\s*(?:type )?([\w$]+)/g)].map(
        ([, name]) => `${of(target!)}: ${name ?? '*'}`
      )
    ),
    ...[...text.matchAll(/\bimport\('(\.[^']+)'\)/g)].map(([, target]) => `${of(target!)}: *`)
  ]
}

t.test('what is exported is a type, or something that another file imports', async t => {
  const texts = new Map(
    [...files, ...filesOf('test', '.ci'), 'esbuild.config.ts'].map(file => [
      file,
      readFileSync(join(root, file), 'utf8')
    ])
  )
  const taken = new Set([...texts].flatMap(([file, text]) => takenIn(text, file)))
  t.same(
    [...texts].flatMap(([file, text]) =>
      [...text.matchAll(/^export (?:async )?(?:function\*?|const|let|class) ([\w$]+)/gm)]
        .map(([, name]) => `${file}: ${name}`)
        .filter(named => !taken.has(named) && !taken.has(`${file}: *`))
    ),
    []
  )
})

t.test('only the engine’s query.ts writes queries to the forge: it bounds them', async t => {
  const written = [...filesOf('src/engine', 'tools', 'resources', 'completions', 'prompts')].filter(file =>
    readFileSync(join(root, file), 'utf8').includes('new URLSearchParams')
  )
  t.same(written, ['src/engine/requests/query.ts'])
})

t.test('the headers of what is not to be kept stand in one place', async t => {
  t.same(
    filesOf('src', 'plugins').filter(file => readFileSync(join(root, file), 'utf8').includes("'no-store'")),
    ['src/edge/no-store.ts']
  )
})

t.test('plugins import src/ only, never each other or rows', async t => {
  t.same(
    offending(
      ({ from, to }) =>
        from.startsWith('plugins/') && /^(plugins|tools|prompts|resources|completions)\//.test(to)
    ),
    []
  )
})

t.test('tools import engine and results only', async t => {
  t.same(
    offending(
      ({ from, to }) => from.startsWith('tools/') && /^(src\/(?!(?:engine|results)\/)|plugins\/)/.test(to)
    ),
    []
  )
})

t.test('each other room of rows imports the one of its name in src/', async t => {
  for (const room of ['prompts/', 'resources/', 'completions/'])
    t.same(
      offending(
        ({ from, to }) =>
          from.startsWith(room) &&
          /^(src|plugins|tools|prompts|resources|completions)\//.test(to) &&
          ![room, `src/${room}`].some(own => to.startsWith(own))
      ),
      []
    )
})

t.test(
  'protocol, catalog, engine, results, prompts, resources and completions know neither plugins nor the transport’s framework',
  async t => {
    t.same(
      offending(
        ({ from, to }) =>
          /^src\/(protocol|catalog|engine|results|prompts|resources|completions)\//.test(from) &&
          /^(undici|fastify)/.test(to)
      ),
      []
    )
  }
)

t.test(
  'OpenTelemetry is imported in one folder, which is imported by nothing that is always loaded',
  async t => {
    const within = (file: string) => file.startsWith('src/tracing/sdk/')
    t.same(
      offending(({ from, to }) => !within(from) && /^@opentelemetry\//.test(to)),
      []
    )
    t.same(
      offending(({ from, to }) => !within(from) && within(to)),
      []
    )
  }
)

/** What a file needs to be loaded, and so on: types are erased, and `import()` waits. */
function reachOf(file: string, reached = new Set<string>()): Set<string> {
  if (reached.has(file)) return reached
  reached.add(file)
  for (const { to } of valuesIn(file)) reachOf(to, reached)
  return reached
}

function valuesIn(file: string): Import[] {
  if (!file.endsWith('.ts')) return []
  let found = values.get(file)
  if (found === undefined) {
    const text = readFileSync(join(root, file), 'utf8')
    found = importsIn(text.replaceAll(/^(?:import|export) type [^']*'[^']*'$/gm, ''), file)
    values.set(file, found)
  }
  return found
}

t.test('--version and --help load next to nothing', async t => {
  const needs = (file: string) => [...reachOf(file)].filter(to => !to.startsWith('node:')).sort()
  t.same(needs('src/main.ts'), ['src/config/config-error.ts', 'src/main.ts', 'src/version.ts'])
  t.same(needs('src/config/argv.ts'), [
    'fastest-levenshtein',
    'src/base/nearest.ts',
    'src/config/argv.ts',
    'src/config/in-short.ts',
    'src/config/schema.ts',
    'src/config/shown.ts',
    'src/log/proxy-credentials.ts',
    'src/log/without-tokens.ts',
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

t.test('the fp name of a plugin is its path in plugins/', async t => {
  t.same(
    filesOf('plugins').filter(
      file => !readFileSync(join(root, file), 'utf8').includes(`name: '${file.slice('plugins/'.length, -3)}'`)
    ),
    []
  )
})

t.test('a plugin names each plugin whose decorator it uses, as Fastify checks no other', async t => {
  const texts = filesOf('plugins').map(file => ({ file, text: readFileSync(join(root, file), 'utf8') }))
  const provider = new Map<string, string>()
  const nameOf = (text: string) => /\bname: '([^']+)'/.exec(text.slice(text.indexOf("fastify: '5.x'")))![1]!
  for (const { text } of texts)
    for (const [, decorator] of text.matchAll(/fastify\s*\.decorate\(\s*'(\w+)'/g))
      provider.set(decorator!, nameOf(text))
  t.equal(provider.get('forges'), 'upstream')
  const missing = texts.flatMap(({ file, text }) => {
    const taken = [...text.matchAll(/const \{([^}]*)\} = fastify$/gm)].flatMap(([, names]) =>
      names!.split(',').map(name => name.trim().split(':', 1)[0]!)
    )
    const passed = [...text.matchAll(/\{([\w\s,]*)\}: FastifyInstance/g)].flatMap(([, names]) =>
      names!.split(',').map(name => name.trim())
    )
    const read = [...text.matchAll(/\b(?:fastify|server)\.(\w+)/g)].map(([, name]) => name!)
    const named = /dependencies: \[([^\]]*)\]/.exec(text)?.[1] ?? ''
    const needs = new Set([...taken, ...passed, ...read].flatMap(name => provider.get(name) ?? []))
    needs.delete(nameOf(text))
    return [...needs].filter(plugin => !named.includes(`'${plugin}'`)).map(plugin => `${file} → ${plugin}`)
  })
  t.same(missing, [])
})

t.test('an MCP route outside the guarded scope does not start', async t => {
  const { default: Fastify } = await import('fastify')
  const { default: mcp } = await import('../plugins/routes/mcp.ts')
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await t.rejects(
    async () => {
      await fastify.register(mcp)
      await fastify.ready()
    },
    { message: /bearer-guard|caller/ }
  )
})
