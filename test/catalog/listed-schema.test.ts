import t from 'tap'
import { Type } from 'typebox'
import { mirroredArguments } from '../../src/catalog/describe.ts'
import { listed } from '../../src/catalog/listed-schema.ts'
import { custom } from '../../src/catalog/row.ts'

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
        same: { type: 'string', enum: ['a', 'ab', 'b'], description: 'As word', toldElsewhere: true },
        few: { type: 'string', enum: ['a', 'ab'], description: 'As word', toldElsewhere: true },
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
    t.same(listed(schema, false), {
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
      listed({ type: 'array', items: record, description: 'Each as in a_tool', toldElsewhere: true }, false),
      {
        type: 'array',
        items: { type: 'object', properties: { iid: { type: 'string' } }, required: ['iid'] },
        description: 'Each as in a_tool'
      }
    )
    t.same(listed({ ...record, description: 'Instead of path', toldElsewhere: true }, false), {
      type: 'object',
      properties: { iid: { type: 'string' } },
      description: 'Instead of path'
    })
  }
)

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
