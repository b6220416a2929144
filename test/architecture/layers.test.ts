import { readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import t from 'tap'
import { filesOf, type Import, importsOf, reachOf, root, textOf, valuesIn } from '../support/sources.ts'

const files = filesOf('src', 'plugins', 'tools', 'prompts', 'resources', 'completions')

/** Every import of a file of ours. */
const imports: Import[] = files.flatMap(importsOf)

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

const page = textOf('docs/architecture.md')

t.test('the table of layers on the page lists the floors from the highest to the ground', async t => {
  const folders = [...page.matchAll(/^\| [^|]+ \| ([^|]*) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`src\/([\w-]+)\/`/g)].map(([, folder]) => folder!)
  )
  t.same(folders, floors.toReversed())
})

t.test('every folder of src/upstream/ and src/engine/ is one of their rooms, and is on the page', async t => {
  for (const [folder, { rooms }] of Object.entries(stairs)) {
    const folders = readdirSync(join(root, folder), { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(({ name }) => name)
    t.same(folders.sort(), rooms.toSorted())
    t.same(
      folders.filter(name => !page.includes(`\`${name}/\``)),
      []
    )
  }
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
  'src/upstream': {
    rooms: ['hosts', 'pool', 'connections', 'answers', 'guard', 'reading'],
    also: ['errors.ts']
  },
  'src/engine': {
    rooms: 'requests arguments texts facts suggestions names consent rows web-urls files downloads'.split(
      ' '
    ),
    also: []
  }
}

/** The same of folders where types go no way up either. */
const strictStairs = {
  'src/edge': { rooms: ['callers', 'requests', 'connections', 'answers'], also: [] },
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

t.test('the rooms of edge/, protocol/, oauth/ and merge-requests/ know only those below them', async t => {
  for (const [folder, { rooms, also }] of Object.entries(strictStairs))
    for (const [at, room] of rooms.entries())
      t.same(upwards(folder, room, [...roomsUpTo(rooms, at), ...also], importsOf), [])
})

t.test('the rooms of catalog/ load neither each other nor what puts them together', async t => {
  for (const room of ['other-servers', 'policy', 'search'])
    t.same(upwards('src/catalog', room, [`${room}/`], valuesIn), [])
})

t.test('which hosts may be asked knows nothing of the connections to them, not even a type', async t => {
  t.same(upwards('src/upstream', 'hosts', ['hosts/'], importsOf), [])
  t.same(
    offending(({ from, to }) => from.startsWith('src/upstream/hosts/') && to === 'undici'),
    []
  )
})

t.test('answers know nothing of the client that gives them, not even a type', async t => {
  t.same(
    offending(({ from, to }) => from.startsWith('src/upstream/answers/') && to === 'src/upstream/client.ts'),
    []
  )
})

t.test('every file of protocol/ and oauth/ is in one of their rooms', async t => {
  for (const folder of ['src/protocol', 'src/oauth'] as const)
    t.same(readdirSync(join(root, folder)).sort(), strictStairs[folder].rooms.toSorted())
})

t.test('no folder of src/, plugins/ or tools/ has more than thirty files', async t => {
  const counts = new Map<string, number>()
  for (const file of filesOf('src', 'plugins', 'tools'))
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
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

t.test('what is exported, also a type, another file imports', async t => {
  const texts = new Map(
    [...files, ...filesOf('test', '.ci'), 'esbuild.config.ts'].map(file => [file, textOf(file)])
  )
  const taken = new Set([...texts].flatMap(([file, text]) => takenIn(text, file)))
  t.same(
    [...texts].flatMap(([file, text]) =>
      [
        ...text.matchAll(
          /^export (?:async )?(?:function\*?|const|let|(?:abstract )?class|type|interface) ([\w$]+)/gm
        )
      ]
        .map(([, name]) => `${file}: ${name}`)
        .filter(named => !taken.has(named) && !taken.has(`${file}: *`))
    ),
    []
  )
})

t.test('only the engine’s query.ts writes queries to the forge: it bounds them', async t => {
  const written = [...filesOf('src/engine', 'tools', 'resources', 'completions', 'prompts')].filter(file =>
    textOf(file).includes('new URLSearchParams')
  )
  t.same(written, ['src/engine/requests/query.ts'])
})

t.test('the headers of what is not to be kept stand in one place', async t => {
  t.same(
    filesOf('src', 'plugins').filter(file => textOf(file).includes("'no-store'")),
    ['src/edge/answers/no-store.ts']
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
