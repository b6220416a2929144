import t from 'tap'
import { describeTool } from '../../src/catalog/describe.ts'
import { glossary } from '../../src/catalog/glossary.ts'
import { presets } from '../../src/catalog/presets.ts'
import type { ToolRow } from '../../src/catalog/row.ts'
import { toolsetIds } from '../../src/catalog/toolset-id.ts'
import { discoverTools } from '../../tools/discovery/index.ts'
import { toolsets } from '../../tools/index.ts'
import { catalogNames } from '../support/catalog-names.ts'

const rows: ToolRow[] = [...toolsets.flatMap(({ rows }) => rows), discoverTools]
const byDefault: ToolRow[] = [
  ...toolsets.filter(({ id }) => presets.default!.toolsets.includes(id)).flatMap(({ rows }) => rows),
  discoverTools
]

t.test('every name of the catalog is there, in its toolset, once', async t => {
  t.same(
    toolsets.map(({ id }) => id),
    toolsetIds
  )
  for (const { id, rows } of toolsets)
    for (const name of catalogNames[id])
      t.ok(
        rows.some(row => row.name === name),
        `${id} has ${name}`
      )
  t.equal(new Set(rows.map(({ name }) => name)).size, rows.length)
})

t.test('every row', async t => {
  for (const row of rows) {
    const { name, title, description, annotations } = describeTool(row)
    t.match(name, /^[a-z_]{3,40}$/)
    t.match(title, /^[A-Z].{3,60}[^.]$/, name)
    t.match(description, /^[A-Z][a-z]+[ ,;].*\.$/, `${name}: a sentence that starts with a verb`)
    t.same(Object.keys(annotations), ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'])
    t.ok(Object.values(annotations).every(hint => typeof hint === 'boolean'))
    if (row.kind === 'rest') {
      const verbs = [row.request].flat().map(request => request.split(' ', 1)[0])
      t.equal(
        verbs.every(verb => verb === 'GET'),
        row.class === 'read',
        `${name}: reads by GET, and GET only`
      )
      if (verbs.includes('DELETE')) t.equal(row.class, 'destructive', name)
    }
  }
})

t.test('no two tools have the same title', async t => {
  const titles = rows.map(row => describeTool(row).title)
  t.same([...new Set(titles)], titles)
})

t.test('what destroys is said to: what deletes, takes away or merges, and nothing else', async t => {
  const destroys =
    /^(delete|remove|erase|purge|unprotect)_|^merge_merge_request$|^add_merge_request_to_merge_train$/
  for (const { name, class: toolClass } of rows)
    t.equal(toolClass === 'destructive', destroys.test(name), name)
})

t.test('every text that a writing tool takes says whether the forge carries out lines of it', async t => {
  const named = /(^|_)(body|note|comment|description)s?$/
  for (const row of rows.filter(({ class: of }) => of !== 'read'))
    for (const [path, schema] of textsIn(row.input))
      if (named.test(path))
        t.type(schema.quickActions, 'boolean', `${row.name} ${path}: markdown() or inert()`)
})

interface Text {
  type?: string
  quickActions?: boolean
  items?: Text
  properties?: Record<string, Text>
}

/** Every text among the arguments, at any depth. */
function textsIn(schema: Text, path = ''): [path: string, schema: Text][] {
  if (schema.type === 'string') return [[path, schema]]
  if (schema.items !== undefined) return textsIn(schema.items, path)
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => textsIn(part, name))
}

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
    t.same(
      names.filter(name => asks.test(name) && !row.reveals?.includes(name)),
      [],
      row.name
    )
  }
})

t.test('at most one tool in eight has code of its own', async t => {
  const all = toolsets.flatMap(({ rows }) => rows)
  const own = all.filter(({ kind }) => kind === 'custom').map(({ name }) => name)
  t.ok(own.length <= all.length / 8, `${own.length} of ${all.length}: ${own.join(', ')}`)
})

t.test('every schema is one that every client accepts', async t => {
  for (const row of rows) {
    const schema = JSON.parse(JSON.stringify(describeTool(row).inputSchema))
    t.equal(schema.type, 'object', row.name)
    t.ok(typeof schema.properties === 'object', row.name)
    for (const [place, node] of nodesOf(schema, row.name)) {
      for (const key of ['$ref', '$defs', 'anyOf', 'oneOf', 'allOf', 'not', 'const'])
        t.notOk(key in node, `${place} has no ${key}`)
      t.equal(typeof node.type, 'string', `${place} has one type`)
      if (node.type === 'array') t.ok(node.items, `${place} types its items`)
      if (node.type === 'object') t.ok(node.properties, `${place} names its fields`)
      if (node.enum) t.equal(node.type, 'string', `${place} is a string enum`)
    }
  }
})

t.test(
  'a listing has every argument but those marked, which no call needs, and no keyword of our own',
  async t => {
    for (const row of rows) {
      const all = row.input as SchemaNode
      const schema = describeTool(row).inputSchema as SchemaNode
      const marked = Object.entries(all.properties!).filter(([, { unlisted }]) => unlisted === true)
      t.same(
        Object.keys(schema.properties!),
        Object.keys(all.properties!).filter(name => !marked.some(([other]) => other === name)),
        row.name
      )
      t.same(schema.required, all.required, row.name)
      for (const [name] of marked) t.notOk(all.required?.includes(name), `${row.name} does without ${name}`)
    }
    const keys = new Set(
      rows.flatMap(row => {
        const { inputSchema, outputSchema } = describeTool(row)
        return [inputSchema, outputSchema ?? {}].flatMap(schema =>
          [...nodesOf(schema as SchemaNode, row.name)].flatMap(([, node]) => Object.keys(node))
        )
      })
    )
    t.same([...keys].sort(), [
      'additionalProperties',
      'default',
      'description',
      'enum',
      'format',
      'items',
      'maxItems',
      'maxLength',
      'maximum',
      'properties',
      'required',
      'type'
    ])
  }
)

t.test('an argument without effect is not listed', async t => {
  for (const [tool, name] of [
    ['get_merge_request_diffs', 'view'],
    ['get_pipeline_job', 'limit'],
    ['get_pipeline_job', 'offset'],
    ['list_issue_note_emoji_reactions', 'discussion_id'],
    ['update_draft_note', 'resolve_discussion']
  ] as const) {
    const row = rows.find(({ name }) => name === tool)!
    t.ok(name in row.input.properties, `${tool} takes ${name}`)
    t.notOk(name in describeTool(row).inputSchema.properties!, `${tool} does not list ${name}`)
  }
})

/** What is around the list in the revision that has most of it. */
const AROUND = 200
const bytesOf = (list: readonly ToolRow[]): number =>
  AROUND + Buffer.byteLength(JSON.stringify(list.map(row => describeTool(row))))

t.test('listing costs little: 600 bytes a tool, the whole answer counted', async t => {
  const bytes = bytesOf(rows)
  t.comment(`${Math.round(bytes / rows.length)} bytes a tool, ${bytes} in all`)
  t.ok(bytes / rows.length <= 600)
})

/** Published tokenizers count 3.9 to 4.2 bytes of such a listing a token. */
const BYTES_A_TOKEN = 3.9

t.test('the default list is at most 12,000 tokens', async t => {
  const bytes = bytesOf(byDefault)
  t.comment(`${bytes} bytes`)
  t.ok(bytes / BYTES_A_TOKEN <= 12_000)
})

t.test('every argument is explained to who reads the reference, in its row or in the glossary', async t => {
  const used = new Set<string>()
  for (const row of rows)
    for (const [name, description] of argumentsOf(row.input as SchemaNode)) {
      t.ok(glossary[`${row.name}.${name}`] ?? description ?? glossary[name], `${row.name}.${name}`)
      used.add(name).add(`${row.name}.${name}`)
    }
  t.same(
    Object.keys(glossary).filter(name => !used.has(name)),
    [],
    'and nothing else is'
  )
})

/** The names of a schema and of the objects in it, as the reference prints them, with their descriptions. */
function* argumentsOf({ properties = {} }: SchemaNode, prefix = ''): Generator<[string, string | undefined]> {
  for (const [name, child] of Object.entries(properties)) {
    yield [prefix + name, child.description]
    yield* argumentsOf(child, `${prefix}${name}.`)
  }
}

interface SchemaNode {
  type?: unknown
  unlisted?: boolean
  description?: string
  required?: readonly string[]
  enum?: unknown
  items?: SchemaNode
  properties?: Record<string, SchemaNode>
}

function* nodesOf(node: SchemaNode, place: string): Generator<[string, SchemaNode]> {
  yield [place, node]
  if (node.items) yield* nodesOf(node.items, `${place}[]`)
  for (const [name, child] of Object.entries(node.properties ?? {})) yield* nodesOf(child, `${place}.${name}`)
}
