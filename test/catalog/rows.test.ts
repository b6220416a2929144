import t from 'tap'
import { describeTool } from '../../src/catalog/describe.ts'
import { glossary } from '../../src/catalog/glossary.ts'
import type { ToolRow } from '../../src/catalog/row.ts'
import { toolsetIds } from '../../src/catalog/toolset-id.ts'
import { dependencyProxy } from '../../tools/dependency-proxy/index.ts'
import { discoverTools } from '../../tools/discovery/index.ts'
import { issues } from '../../tools/issues/index.ts'
import { mergeRequests } from '../../tools/merge-requests/index.ts'
import { pipelines } from '../../tools/pipelines/index.ts'
import { catalogNames } from '../support/catalog-names.ts'

const toolsets = [mergeRequests, issues, pipelines, dependencyProxy]
const byDefault: ToolRow[] = [...mergeRequests.rows, ...issues.rows, discoverTools]
const rows: ToolRow[] = [...byDefault, ...pipelines.rows, ...dependencyProxy.rows]

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

t.test('what destroys is said to', async t => {
  t.same(
    rows.filter(row => row.class === 'destructive').map(({ name }) => name),
    [
      'merge_merge_request',
      'delete_merge_request_note',
      'delete_merge_request_discussion_note',
      'delete_draft_note',
      'delete_merge_request_emoji_reaction',
      'delete_merge_request_note_emoji_reaction',
      'delete_issue',
      'delete_issue_link',
      'delete_issue_emoji_reaction',
      'delete_issue_note_emoji_reaction',
      'purge_dependency_proxy_cache'
    ]
  )
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
  'a listing has every argument, and leaves out bounds and fields that few calls have a use for',
  async t => {
    for (const row of rows) {
      const all = row.input as SchemaNode
      const schema = describeTool(row).inputSchema as SchemaNode
      t.same(Object.keys(schema.properties!), Object.keys(all.properties!), row.name)
      t.same(schema.required, all.required, row.name)
    }
    const { inputSchema } = describeTool(rows.find(({ name }) => name === 'create_draft_note')!)
    t.same(inputSchema.properties!.position, {
      type: 'object',
      required: ['base_sha', 'start_sha', 'head_sha'],
      properties: {
        base_sha: { type: 'string' },
        start_sha: { type: 'string' },
        head_sha: { type: 'string' },
        old_path: { type: 'string' },
        new_path: { type: 'string' },
        old_line: { type: 'integer' },
        new_line: { type: 'integer' }
      }
    })
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
      'items',
      'properties',
      'required',
      'type'
    ])
  }
)

t.test('listing costs little: 500 bytes a tool, the whole answer counted', async t => {
  /** What is around the list in the revision that has most of it. */
  const AROUND = 200
  for (const list of [rows, byDefault]) {
    const bytes = AROUND + Buffer.byteLength(JSON.stringify(list.map(describeTool)))
    t.comment(`${Math.round(bytes / list.length)} bytes a tool, ${bytes} in all`)
    t.ok(bytes / list.length <= 500)
  }
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
