import t from 'tap'
import { glossary } from '../../src/catalog/glossary.ts'
import { instructions } from '../../src/catalog/instructions.ts'
import { presets } from '../../src/catalog/policy/presets.ts'
import { describeTool } from '../../src/engine/rows/describe.ts'
import type { ToolRow } from '../../src/engine/rows/row.ts'
import type { ToolsetId } from '../../src/engine/rows/toolset-id.ts'
import { discoverTools } from '../../tools/discovery/index.ts'
import { searchSurface } from '../../tools/discovery/search-surface.ts'
import { toolsets } from '../../tools/index.ts'

/* What clients are listed of the rows: that it is enough to write a call, and little to read. */

const rows: ToolRow[] = [...toolsets.flatMap(({ rows }) => rows), discoverTools]
const byDefault: ToolRow[] = [
  ...toolsets.filter(({ id }) => presets.default!.toolsets.includes(id)).flatMap(({ rows }) => rows),
  discoverTools
]

const unsupported = ['$ref', '$defs', 'anyOf', 'oneOf', 'allOf', 'not', 'const']

/** What a client would stumble over. */
function* faultsOf(node: SchemaNode): Generator<string> {
  for (const key of unsupported) if (key in node) yield `has ${key}`
  if (typeof node.type !== 'string') yield 'has not one type'
  if (node.type === 'array' && !node.items) yield 'does not type its items'
  if (node.type === 'object' && !node.properties) yield 'does not name its fields'
  for (const name of node.required ?? [])
    if (!node.properties?.[name]) yield `needs ${name}, which it has not`
  if (node.enum && node.type !== 'string') yield 'is no string enum'
}

/** One other character makes a string of two bytes for each: the listing took twice as long to write for each caller. */
t.test('what is listed is ASCII', async t => {
  for (const row of [...rows, ...searchSurface])
    t.match(JSON.stringify(describeTool(row)), /^[\x20-\x7e]*$/, row.name)
})

t.test('every schema is one that every client accepts', async t => {
  const faults = rows.flatMap(row => {
    const schema = JSON.parse(JSON.stringify(describeTool(row).inputSchema))
    const found = [...nodesOf(schema, row.name)].flatMap(([place, node]) =>
      [...faultsOf(node)].map(fault => `${place} ${fault}`)
    )
    return schema.type === 'object' ? found : [`${row.name} takes no object`, ...found]
  })
  t.same(faults, [])
})

t.test(
  'a listing has every argument but those marked, which no call needs, and no keyword of our own',
  async t => {
    const faults = rows.flatMap(row => {
      const all = row.input as SchemaNode
      const schema = describeTool(row).inputSchema as SchemaNode
      const [marked, others] = [true, false].map(unlisted =>
        Object.keys(all.properties!).filter(name => (all.properties![name]!.unlisted === true) === unlisted)
      )
      return [
        `${Object.keys(schema.properties!)}` === `${others}`
          ? ''
          : `lists ${Object.keys(schema.properties!)}`,
        `${schema.required}` === `${all.required}` ? '' : `needs ${schema.required}`,
        ...marked!.map(name => (all.required?.includes(name) ? `does not without ${name}` : ''))
      ]
        .filter(fault => fault !== '')
        .map(fault => `${row.name} ${fault}`)
    })
    t.same(faults, [])
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
      'maxItems',
      'maxLength',
      'maximum',
      'properties',
      'required',
      'type'
    ])
  }
)

t.test('no listed schema is one for which Gemini refuses all tools of a request', async t => {
  const refused = rows.flatMap(row =>
    [...nodesOf(describeTool(row).inputSchema as SchemaNode, row.name)].flatMap(([place, node]) => {
      const { type, properties = {}, additionalProperties, required = [], enum: words } = node
      const fields = Object.keys(properties)
      const isEmpty = type === 'object' && fields.length === 0 && place.includes('.')
      return [
        typeof type !== 'string' && 'has not one type',
        // Names that are the caller's own cannot be listed.
        isEmpty && additionalProperties !== true && 'is an object without fields',
        required.some(name => !fields.includes(name)) && 'requires what it does not have',
        words !== undefined && (type !== 'string' || (words as string[]).includes('')) && 'has odd words',
        'format' in node && 'has a format'
      ]
        .filter(fault => fault !== false)
        .map(fault => `${place} ${fault}`)
    })
  )
  t.same(refused, [])
})

t.test('names of tools and arguments are such as every API of a model takes', t => {
  for (const row of rows) {
    t.match(row.name, /^[a-z][a-z0-9_]{0,63}$/)
    const { properties = {} } = describeTool(row).inputSchema as SchemaNode
    for (const name of Object.keys(properties)) t.match(name, /^[a-z][a-z0-9_]{0,63}$/, row.name)
  }
  t.end()
})

t.test('numbers of the catalog are listed as numbers, whatever else is taken', async t => {
  const { properties } = describeTool(rows.find(({ name }) => name === 'list_todos')!)
    .inputSchema as SchemaNode
  for (const name of ['author_id', 'project_id', 'group_id'])
    t.equal(properties![name]!.type, 'integer', name)
})

t.test('an argument of the catalog that has no effect is listed too, and says so', async t => {
  for (const [tool, name] of [
    ['get_merge_request_diffs', 'view'],
    ['get_pipeline_job', 'limit'],
    ['update_draft_note', 'resolve_discussion']
  ] as const) {
    const { inputSchema } = describeTool(rows.find(({ name }) => name === tool)!)
    t.match(inputSchema.properties?.[name]?.description, /\bno|\bnot\b/i, `${tool} ${name}`)
  }
})

t.test('every default that the catalog names is listed', async t => {
  const propertyOf = (tool: string, name: string) =>
    (describeTool(rows.find(row => row.name === tool)!).inputSchema as SchemaNode).properties![name]!
  for (const { name, input } of rows.filter(({ input }) => 'page' in input.properties)) {
    t.match(propertyOf(name, 'page'), { default: 1 }, `page of ${name}`)
    if ('per_page' in input.properties)
      t.match(propertyOf(name, 'per_page'), { default: 20, maximum: 100 }, `per_page of ${name}`)
  }
  for (const [tool, name, value] of [
    ['list_merge_request_diffs', 'unidiff', false],
    ['get_merge_request_file_diff', 'unidiff', false],
    ['get_merge_request_version', 'unidiff', false],
    ['get_branch_diffs', 'straight', false],
    ['update_issue_description_patch', 'allow_multiple', false],
    ['my_issues', 'state', 'opened'],
    ['create_issue_link', 'link_type', 'relates_to'],
    ['get_pipeline_job_output', 'limit', 1000],
    ['get_pipeline_job_output', 'offset', 0]
  ] as const)
    t.equal(propertyOf(tool, name).default, value, `${name} of ${tool}`)
})

const bytesOf = (list: readonly ToolRow[]): number =>
  Buffer.byteLength(JSON.stringify(list.map(row => describeTool(row))))

/** Those that are over 610: a few tools, each with the filters and settings of many. */
const dearer: Partial<Record<ToolsetId, number>> = {
  projects: 780,
  search: 1060,
  ci: 630,
  releases: 630,
  webhooks: 700,
  work_items: 1090,
  security: 670
}

t.test('listing costs little: 610 bytes a tool, of all tools and of each toolset but some named', async t => {
  for (const [name, list] of [
    ['all', rows],
    ...toolsets.map(({ id, rows }) => [id, rows] as const)
  ] as const) {
    const bytes = bytesOf(list) / list.length
    const most = dearer[name as ToolsetId] ?? 610
    t.ok(bytes <= most, `${name}: ${Math.round(bytes)} bytes a tool, at most ${most}`)
  }
  for (const [name, most] of Object.entries(dearer)) {
    const { rows: list } = toolsets.find(({ id }) => id === name)!
    t.ok(bytesOf(list) / list.length > most - 40, `${name}: its figure is no larger than it must be`)
  }
})

/** As docs/efficiency.md counts; published tokenizers count 3.9 to 4.2 bytes of such a listing a token. */
const BYTES_A_TOKEN = 4

t.test('the default list is at most 12,000 tokens', async t => {
  const bytes = bytesOf(byDefault)
  const most = 12_000 * BYTES_A_TOKEN
  const over = `${bytes} of ${most} bytes: put a new tool into another toolset, or shorten descriptions, or take unlisted for what few need`
  t.ok(bytes <= most, over)
})

/** Names whose meaning is their name, to who knows forges and what a tool is for. */
const plain = new Set(
  `actions active allow_collaboration author_email include_jobs non_archived
  allow_force_push archived base_sha branch branch_name ci_config_path commit_message confidential
  content created_at default_branch description discussion_locked draft enable_ssl_verification enabled
  exclude_subgroups file_path filename files first head_sha import_url
  include_ancestor_groups
  initialize_with_readme key links max_cases merge_when_pipeline_succeeds message name new_line new_name new_path old_path only_allow_merge_if_all_discussions_are_resolved
  only_allow_merge_if_pipeline_succeeds owned path paused query recursive ref remove_labels replace remove_source_branch
  remove_source_branch_after_merge resolved search secret sha should_remove_source_branch squash squash_commit_message stats
  merge_commit_message stage starred start_branch start_line start_sha tag_name target_branch title top_level_only
  topic topics unidiff url value variables with_labels_details weight with_programming_language body destroy iids noteable_iid
  target_issue_iid noteable_type since until username author_username assignee_username reviewer_username
  merge_user_username`
    .trim()
    .split(/\s+/)
)

t.test('every listed argument says what its name does not, or the instructions do', async t => {
  const told = new Set(instructions.match(/\b[a-z_]+\b/g))
  const spare = new Set(plain)
  const unsaid: string[] = []
  for (const row of rows) {
    const elsewhere = [...listedFieldsOf(row.input as SchemaNode)]
      .filter(([, { toldElsewhere }]) => toldElsewhere !== undefined)
      .map(([path]) => path)
    for (const [path, { description, enum: words }] of listedFieldsOf(
      describeTool(row).inputSchema as SchemaNode
    )) {
      const name = path.split('.').at(-1)!
      if (description !== undefined || elsewhere.some(told => path.startsWith(`${told}.`))) continue
      spare.delete(name)
      const isId = /_ids?$/.test(name)
      const isTime = /_(before|after|date)$/.test(name)
      if (!plain.has(name) && !told.has(name) && words === undefined && !isId && !isTime)
        unsaid.push(`${row.name}.${path}`)
    }
  }
  t.same(unsaid, [])
  t.same([...spare], [], 'and no other name is taken for one that does')
})

t.test('every argument is explained to who reads the reference, in its row or in the glossary', async t => {
  const used = new Set<string>()
  const unexplained: string[] = []
  for (const row of rows)
    for (const [name, { description }] of fieldsOf(row.input as SchemaNode)) {
      const own = `${row.name}.${name}`
      if (!(glossary[own] ?? description ?? glossary[name])) unexplained.push(own)
      used.add(own)
      if (glossary[own] === undefined && description === undefined) used.add(name)
    }
  t.same(unexplained, [])
  t.same(
    Object.keys(glossary).filter(name => !used.has(name)),
    [],
    'and nothing else is'
  )
})

/** The fields of a schema and of the objects in it, by their names as the reference prints them. */
function* fieldsOf({ properties = {} }: SchemaNode, prefix = ''): Generator<[string, SchemaNode]> {
  for (const [name, child] of Object.entries(properties)) {
    yield [prefix + name, child]
    yield* fieldsOf(child, `${prefix}${name}.`)
  }
}

/** The same with those of the objects in arrays, and each array with what its items say. */
function* listedFieldsOf(schema: SchemaNode, prefix = ''): Generator<[string, SchemaNode]> {
  for (const [path, field] of fieldsOf(schema, prefix)) {
    const { items } = field
    yield [path, items === undefined ? field : { ...items, ...field }]
    if (items !== undefined) yield* listedFieldsOf(items, `${path}.`)
  }
}

interface SchemaNode {
  type?: unknown
  unlisted?: boolean
  additionalProperties?: boolean
  toldElsewhere?: object
  description?: string
  default?: unknown
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
