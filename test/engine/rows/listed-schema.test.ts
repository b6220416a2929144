import t from 'tap'
import { Type } from 'typebox'
import { Catalog } from '../../../src/catalog/catalog.ts'
import { createDiscovery } from '../../../src/catalog/discovery.ts'
import { mirroredArguments, type ToolDefinition } from '../../../src/engine/rows/describe.ts'
import { toldElsewhere } from '../../../src/engine/rows/fields.ts'
import { explainersOf, listedSchemaOf } from '../../../src/engine/rows/listed-schema.ts'
import { custom } from '../../../src/engine/rows/row.ts'
import { toolsets } from '../../../tools/index.ts'

t.test(
  'what takes a caller to write a call is listed, at any depth, with bounds that say something',
  async t => {
    const address = {
      $anchor: 'address',
      type: 'object',
      properties: { zip: { type: 'string', contentEncoding: 'zip' } }
    }
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: { address },
      properties: {
        home: { $ref: '#/$defs/address' },
        count: { type: 'integer', minimum: 1, maximum: 9, default: 2, examples: [3] },
        word: { type: 'string', pattern: '^a', enum: ['a', 'ab'], writeOnly: true },
        list: { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 2, maxItems: 3 },
        size: { type: 'integer', minimum: 0, forgeDefault: 20 },
        hidden: { type: 'string', unlisted: true },
        same: { type: 'string', enum: ['a', 'ab', 'b'], description: 'As word', toldElsewhere: {} },
        few: { type: 'string', enum: ['a', 'ab'], description: 'As word', toldElsewhere: {} },
        day: { type: 'string', format: 'date', description: 'YYYY-MM-DD' },
        // A name is not a keyword.
        pattern: { type: 'string' }
      },
      required: ['home'],
      allOf: [{ anyOf: [{ required: ['word'] }, { properties: { count: { const: 2, minimum: 2 } } }] }],
      if: { properties: { word: { const: 'a' } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['count'] },
      else: { not: { required: ['count'] } },
      additionalProperties: false
    }
    t.same(listedSchemaOf(schema, false), {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: { address },
      properties: {
        home: { $ref: '#/$defs/address' },
        count: { type: 'integer', maximum: 9, default: 2, examples: [3] },
        word: { type: 'string', enum: ['a', 'ab'] },
        list: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 3 },
        size: { type: 'integer', default: 20 },
        same: { type: 'string', description: 'As word' },
        few: { type: 'string', enum: ['a', 'ab'], description: 'As word' },
        day: { type: 'string', description: 'YYYY-MM-DD' },
        pattern: { type: 'string' }
      },
      required: ['home'],
      allOf: [{ anyOf: [{ required: ['word'] }, { properties: { count: { const: 2, minimum: 2 } } }] }],
      if: { properties: { word: { const: 'a' } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['count'] },
      else: { not: { required: ['count'] } },
      additionalProperties: false
    })
  }
)

t.test(
  'of a record that is told elsewhere what it must have is listed by its type alone, or its first field',
  async t => {
    const record = {
      type: 'object',
      properties: {
        iid: { type: ['string', 'integer'], description: 'Its number' },
        title: { type: 'string' }
      },
      required: ['iid']
    }
    t.same(
      listedSchemaOf(
        { type: 'array', items: record, description: 'Each as in a_tool', toldElsewhere: { by: 'a_tool' } },
        false
      ),
      {
        type: 'array',
        items: { type: 'object', properties: { iid: { type: 'string' } }, required: ['iid'] },
        description: 'Each as in a_tool'
      }
    )
    t.same(
      listedSchemaOf({ ...record, description: 'Instead of path', toldElsewhere: { by: 'a_tool' } }, false),
      {
        type: 'object',
        properties: { iid: { type: 'string' } },
        description: 'Instead of path'
      }
    )
  }
)

t.test('what another tool explains is listed in full where that tool is not', async t => {
  const day = toldElsewhere(
    'a_tool',
    'As there',
    Type.String({ description: 'YYYY-MM-DD', enum: ['a', 'b', 'c'] })
  )
  const schema = Type.Object({
    day,
    bare: toldElsewhere('b_tool', undefined, Type.Integer({ description: 'A line' })),
    plain: toldElsewhere('b_tool', 'As of b_tool', Type.Integer())
  })
  t.same(explainersOf(schema), new Set(['a_tool', 'b_tool']))
  t.same(listedSchemaOf(schema, false).properties, {
    day: { type: 'string', description: 'As there' },
    bare: { type: 'integer' },
    plain: { type: 'integer', description: 'As of b_tool' }
  })
  t.same(listedSchemaOf(schema, false, () => false).properties, {
    day: { type: 'string', description: 'YYYY-MM-DD', enum: ['a', 'b', 'c'] },
    bare: { type: 'integer', description: 'A line' },
    plain: { type: 'integer' }
  })
})

t.test('a tool that leaves its words to another has them wherever that is not listed or found', async t => {
  const catalog = new Catalog({ extraTools: new Set(['update_issues']) })
  for (const toolset of toolsets) catalog.add(toolset)
  const view = (...names: string[]) => catalog.policy.viewOf(names)
  const inputsOf = (tools: unknown, tool: string) =>
    (tools as ToolDefinition[]).find(({ name }) => name === tool)!.inputSchema.properties!
  const issueFields = (tools: unknown) =>
    Object.keys(inputsOf(tools, 'update_issues').issues!.items!.properties!)
  t.same(issueFields(JSON.parse(catalog.list(view('issues')))), ['issue_iid'])
  const alone = inputsOf(JSON.parse(catalog.list(view('pipelines'))), 'update_issues').issues!.items!
  t.match(alone.properties, { labels: { type: 'array' }, due_date: { description: 'Empty for none' } })
  t.same(alone.required, ['issue_iid'])

  const found = (query: string) => createDiscovery(catalog, view('pipelines'), () => {}).search([query], 1)
  t.ok(issueFields(found('update several issues at once')).includes('add_labels'))
  t.match(inputsOf(found('create a draft note'), 'create_draft_note'), {
    path: { description: 'File to comment on' },
    position: { properties: { head_sha: {} } }
  })
  t.match(inputsOf(found('update a webhook'), 'update_webhook').events, {
    items: { enum: ['push'] }
  })
})

t.test('where what another tool explains is listed in full, that tool is not named', async t => {
  const rows = toolsets.flatMap(({ rows }) => rows)
  const sayers = rows.filter(({ input }) => explainersOf(input).size > 0)
  t.ok(sayers.length > 5)
  for (const { name, input } of sayers) {
    const alone = JSON.stringify(listedSchemaOf(input, false, () => false))
    for (const other of explainersOf(input)) t.notMatch(alone, other, name)
  }
})

t.test(
  'two arguments mirrored in one header are a row written wrongly: clients would leave the tool out',
  async t => {
    const row = (header: string) =>
      custom({
        name: 'a_tool',
        class: 'read',
        title: 'A tool',
        summary: 'Do it.',
        idempotent: true,
        input: Type.Object({
          one: Type.String({ 'x-mcp-header': 'Project-Id' }),
          other: Type.String({ 'x-mcp-header': header })
        }),
        run: async () => ({ text: '' })
      })
    t.throws(() => mirroredArguments(row('project-id')), /a_tool mirrors two arguments in one header/)
    t.same(
      [...mirroredArguments(row('Ref'))],
      [
        ['one', 'Project-Id'],
        ['other', 'Ref']
      ]
    )
  }
)
