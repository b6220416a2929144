import { readFileSync } from 'node:fs'
import t from 'tap'
import { describeTool, mirroredArguments } from '../../src/engine/rows/describe.ts'
import { FORGE_DEFAULT, MIRROR, PROJECT_MIRROR } from '../../src/engine/rows/listed-schema.ts'
import type { ToolRow } from '../../src/engine/rows/row.ts'
import { toolsetIds } from '../../src/engine/rows/toolset-id.ts'
import { discoverTools } from '../../tools/discovery/index.ts'
import { toolsets } from '../../tools/index.ts'
import { operations } from '../forge/contract.ts'
import { catalogNames } from '../support/catalog-names.ts'
import { othersOf } from '../support/others-of.ts'

const rows: ToolRow[] = [...toolsets.flatMap(({ rows }) => rows), discoverTools]

t.test('every name of the catalog is there, in its toolset, once', async t => {
  t.same(
    toolsets.map(({ id }) => id),
    toolsetIds,
    'tools/index.ts has each toolset of src/engine/rows/toolset-id.ts, in its order'
  )
  t.same(
    toolsetIds.filter(id => !(id in catalogNames)),
    [],
    'test/support/catalog-names.ts has the names of each toolset'
  )
  for (const [id, names] of Object.entries(catalogNames)) {
    const there = new Set(toolsets.find(one => one.id === id)?.rows.map(({ name }) => name))
    t.same(
      names.filter(name => !there.has(name)),
      [],
      `${id} lacks none`
    )
  }
  t.equal(new Set(rows.map(({ name }) => name)).size, rows.length)
})

/** Of a REST row. */
const verbsOf = (row: ToolRow): string[] =>
  row.kind === 'rest' ? [row.request].flat().map(request => request.split(' ', 1)[0]!) : []
const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']

const rules: [title: string, holds: (row: ToolRow, told: ReturnType<typeof describeTool>) => boolean][] = [
  ['a name of small letters', (_, { name }) => /^[a-z_]{3,40}$/.test(name)],
  ['a title without a period', (_, { title }) => /^[A-Z].{3,60}[^.]$/.test(title)],
  [
    'a sentence that starts with a verb',
    (_, { description }) => /^[A-Z][a-z]+[ ,;].*\.$/.test(description ?? '')
  ],
  ['all hints', (_, { annotations }) => Object.keys(annotations).join() === hints.join()],
  [
    'hints that say yes or no',
    (_, { annotations }) => Object.values(annotations).every(hint => typeof hint === 'boolean')
  ],
  [
    'reads by GET, and GET only',
    row => row.kind !== 'rest' || verbsOf(row).every(verb => verb === 'GET') === (row.class === 'read')
  ],
  ['DELETE destroys', row => !verbsOf(row).includes('DELETE') || row.class === 'destructive'],
  [
    'what changes a record lists no default, as what is left out stays as it is',
    row =>
      !verbsOf(row).includes('PUT') ||
      Object.values(row.input.properties).every(argument => !(FORGE_DEFAULT in argument))
  ],
  [
    'a list has pages, or takes the first of them for all of it',
    ({ name, input }) =>
      !name.startsWith('list_') ||
      ['page', 'page_token', 'first'].some(argument => argument in input.properties) ||
      'isWhole' in input
  ]
]

for (const [title, holds] of rules)
  t.test(`every row: ${title}`, async t => {
    const others = rows.filter(row => !holds(row, describeTool(row)))
    t.same(
      others.map(({ name }) => name),
      []
    )
  })

t.test('no two tools have the same title', async t => {
  const titles = rows.map(row => describeTool(row).title)
  t.same([...new Set(titles)], titles)
})

t.test('what destroys is said to: what deletes, takes away or merges, and nothing else', async t => {
  const destroys =
    /^(delete|remove|erase|purge|unprotect)_|^merge_merge_request$|^add_merge_request_to_merge_train$/
  t.same(
    rows.filter(({ class: of }) => of === 'destructive').map(({ name }) => name),
    rows.map(({ name }) => name).filter(name => destroys.test(name))
  )
})

t.test('every text that a writing tool takes says whether the forge carries out lines of it', async t => {
  const named = /(^|_)(body|note|comment|description)s?$/
  const unsaid: string[] = []
  for (const row of rows.filter(({ class: of }) => of !== 'read'))
    for (const [path, schema] of textsIn(row.input))
      if (named.test(path) && typeof schema.quickActions !== 'boolean')
        unsaid.push(`${row.name} ${path}: markdown() or inert()`)
  t.same(unsaid, [])
})

t.test('every project_id is mirrored in a header, by which a gateway polices', async t => {
  const ofProject = rows.filter(({ input }) => input.properties.project_id !== undefined)
  t.ok(ofProject.length > 100)
  t.same(
    ofProject
      .filter(row => mirroredArguments(row).get('project_id') !== PROJECT_MIRROR)
      .map(({ name }) => name),
    []
  )
})

t.test('what a forge hands to Git does not look like an option', async t => {
  const named = /^(ref|dry_run_ref|sha|branch|branch_name|(source|target|start)_branch|start_sha|tag_name)$/
  /** Compared with what a forge has in its database, or the head of a branch, or no name of Git. */
  const compared =
    /^(list_(pipelines|deployments|merge_requests)|.*_registry_tag|merge_merge_request|add_merge_request_to_merge_train|approve_merge_request|submit_review|get_failed_jobs)\.|^(create_merge_request_thread|(create|update)_draft_note)\.start_sha$/
  const open: string[] = []
  for (const row of rows)
    for (const [name, schema] of textsIn(row.input)) {
      const isBranchOfMergeRequest = name === 'source_branch' && row.name !== 'create_merge_request'
      if (!named.test(name) || compared.test(`${row.name}.${name}`) || isBranchOfMergeRequest) continue
      if (new RegExp(schema.pattern ?? '').test('--output=x')) open.push(`${row.name}.${name}: revision()`)
    }
  t.same(open, [])
})

interface Text {
  type?: string
  quickActions?: boolean
  pattern?: string
  items?: Text
  properties?: Record<string, Text>
}

/** Every text among the arguments, at any depth. */
function textsIn(schema: Text, path = ''): [path: string, schema: Text][] {
  if (schema.type === 'string') return [[path, schema]]
  if (schema.items !== undefined) return textsIn(schema.items, path)
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => textsIn(part, name))
}

/** The keywords of JSON Schema that rows use. */
const keywords = new Set(
  'type properties required items enum const anyOf additionalProperties description default pattern format minimum maximum minLength maxLength minItems maxItems uniqueItems minProperties writeOnly'.split(
    ' '
  )
)

/** What ArgumentFlags declares: types are erased, so its text is read. */
function declaredFlags(): ReadonlySet<string> {
  const file = new URL('../../src/engine/arguments/argument-flags.ts', import.meta.url)
  const [, declared] = /^export interface ArgumentFlags \{\n(.*?)^\}/ms.exec(readFileSync(file, 'utf8'))!
  const named = [...declared!.matchAll(/^ {2}readonly (\w+)\?:/gm)].map(([, name]) => name!)
  return new Set([...named, FORGE_DEFAULT, MIRROR])
}

/** Every schema within a schema, and itself. */
function schemasIn(schema: object, path: string): [path: string, schema: object][] {
  const { properties = {}, items, anyOf = [] } = schema as Record<string, object | undefined>
  return [
    [path, schema],
    ...Object.entries(properties).flatMap(([name, part]) => schemasIn(part, `${path}.${name}`)),
    ...(items === undefined ? [] : schemasIn(items, path)),
    ...(anyOf as object[]).flatMap(part => schemasIn(part, path))
  ]
}

t.test('an argument says nothing but keywords of JSON Schema and the flags that are declared', async t => {
  const flags = declaredFlags()
  t.ok(flags.has('quickActions'))
  t.same(
    rows
      .flatMap(({ name, input }) => schemasIn(input, name))
      .flatMap(([path, schema]) => Object.keys(schema).map(keyword => ({ path, keyword })))
      .filter(({ keyword }) => !flags.has(keyword) && !keywords.has(keyword))
      .map(({ path, keyword }) => `${path}: ${keyword}`),
    []
  )
})

t.test('a tool whose text is carried out is said to do anything, unless it is refused', async t => {
  const comment = rows.find(({ name }) => name === 'create_issue_note')!
  const { destructiveHint, idempotentHint } = describeTool(comment).annotations
  t.same([destructiveHint, idempotentHint], [true, false])
  const update = rows.find(({ name }) => name === 'update_issue')!
  t.same(describeTool(update).annotations.idempotentHint, false)
  t.same(describeTool(update, { actions: false }).annotations, {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true
  })
})

t.test('a tool that deletes by a number asks for the name of what it deletes', async t => {
  /** Deletions of the first catalog, whose arguments its document fixes. */
  const older = new Set(toolsets.slice(0, 4).flatMap(({ id }) => catalogNames[id]))
  for (const row of rows.filter(({ name, class: of }) => of === 'destructive' && !older.has(name))) {
    const names = Object.keys(row.input.properties)
    if (names.some(name => /_id$/.test(name) && !/^(project|group|pipeline|repository|job)_id$/.test(name)))
      t.ok(names.includes('confirm'), row.name)
  }
})

t.test('a row says only what holds: its keys go together', async t => {
  for (const row of rows) {
    const names = Object.keys(row.input.properties)
    if (row.confirm !== undefined) t.ok(names.includes('confirm'), `${row.name} takes confirm`)
    if (row.kind === 'rest' && row.confirm !== undefined)
      t.ok(row.local?.includes('confirm'), `${row.name} keeps confirm to itself`)
    for (const { fill, by } of [row.lookup ?? []].flat())
      t.ok(names.includes(fill) && names.includes(by), `${row.name} takes what its lookup is about`)
  }
})

t.test('an argument that asks for secret values is one that an operator can take away', async t => {
  const asks = /^(include|with|show|reveal|return)_.*(value|secret|token|password|credential)/
  const asking: string[] = []
  for (const row of rows) {
    const names = Object.keys(row.input.properties)
    for (const name of row.reveals ?? []) {
      t.ok(names.includes(name), `${row.name} takes ${name}`)
      t.equal(
        (row.input.properties[name] as { type?: string }).type,
        'boolean',
        `${row.name}: ${name} is a flag`
      )
    }
    for (const name of names)
      if (asks.test(name) && !row.reveals?.includes(name)) asking.push(`${row.name}.${name}`)
  }
  t.same(asking, [])
})

t.test('at most one tool in eight has code of its own', async t => {
  const all = toolsets.flatMap(({ rows }) => rows)
  const own = all.filter(({ kind }) => kind === 'custom').map(({ name }) => name)
  t.ok(own.length <= all.length / 8, `${own.length} of ${all.length}: ${own.join(', ')}`)
})

/** Whether a request, whose places in braces may be parts of a segment, is one that the contract publishes. */
function isPublished(request: string): boolean {
  const [verb, path] = request.split(' ')
  const segments = `/api/v4${path}`.split('/').map(part => part.replaceAll(/\{[+.]?\w+\}/g, '.+'))
  return operations.some(({ method, path }) => {
    const published = path.split('/')
    const isIt = (part: string, at: number) =>
      part.startsWith('{') || new RegExp(`^${segments[at]}$`).test(part)
    return method === verb && published.length === segments.length && published.every(isIt)
  })
}

t.test('each request of a row is one of the published contract, which the sandbox plays', async t => {
  const requests = rows.flatMap(row => (row.kind === 'rest' ? row.request : []))
  t.ok(requests.length > 150)
  t.same(
    requests
      .flatMap(request => ['/projects/{id}', '/groups/{id}'].map(place => request.replace('{PG}', place)))
      .filter(request => !isPublished(request)),
    []
  )
})

t.test('a tool that does the work of others names those that there are', async t => {
  const all = new Set(rows.map(({ name }) => name))
  for (const row of rows) {
    const shown = Object.values(row.shows ?? {}).flat()
    for (const other of [...othersOf(row), ...shown]) t.ok(all.has(other), `${row.name}: ${other}`)
    for (const [argument, of] of Object.entries(row.doesWith ?? {})) {
      const schema = row.input.properties[argument] as { enum?: readonly string[] } | undefined
      t.ok(schema, `${row.name}: ${argument}`)
      if (typeof of === 'object')
        for (const value of Object.keys(of))
          t.ok((schema?.enum ?? ['true']).includes(value), `${row.name}: ${argument}=${value}`)
    }
  }
})

/** Two tools of one route of which neither does the other's work. */
const sharedFor: Readonly<Record<string, string>> = {
  'list_merge_request_changed_files list_merge_request_diffs': 'paths alone',
  'get_pipeline_schedule update_pipeline_schedule': 'shown after a change of its variables, as after any',
  'get_release list_releases': 'one of them',
  'search search_code': 'the scope of code alone, which search has not'
}

t.test('tools that share a route say whether one does the work of the other', async t => {
  const byRoute = new Map<string, Set<ToolRow>>()
  for (const row of rows)
    for (const request of row.kind === 'rest' ? [row.request].flat() : [])
      for (const place of ['/projects/{project_id}', '/groups/{group_id}']) {
        const route = request.replace('{PG}', place).replaceAll(/\{[+.]?\w+\}/g, '{}')
        byRoute.set(route, (byRoute.get(route) ?? new Set()).add(row))
      }
  const shared = new Set<string>()
  for (const sharing of byRoute.values())
    for (const one of sharing)
      for (const other of sharing)
        if (
          one.name < other.name &&
          !othersOf(one).includes(other.name) &&
          !othersOf(other).includes(one.name)
        )
          shared.add(`${one.name} ${other.name}`)
  t.same([...shared].sort(), Object.keys(sharedFor).sort())
})
