import { setTimeout as sleep } from 'node:timers/promises'
import { type TObject, Type } from 'typebox'
import type { ToolContext } from '../../src/engine/context.ts'
import type { ToolRow } from '../../src/engine/rows/row.ts'
import type { ListName } from '../../src/protocol/exchange/list-changes.ts'
import type { OutputBlock } from '../../src/results/blocks.ts'
import type { ToolOutput } from '../../src/results/result.ts'
import { askingTools } from './questions.ts'

/** What the rows need of the server that they are added to. */
export interface Served {
  /** Its CallProblem. */
  readonly CallProblem: new (
    message: string
  ) => Error
  readonly changed: (list: ListName) => void
}

/** A red dot. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64'
)
/** A tenth of nothing to hear. */
const wav = Buffer.from('UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=', 'base64')

export const image: OutputBlock = { type: 'image', bytes: png, mimeType: 'image/png' }
export const embedded = (uri: string, mimeType: string, text: string): OutputBlock => ({
  type: 'resource',
  uri,
  mimeType,
  text
})

/** The dialect's keywords that a listing has to keep. */
const wide = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } }
    }
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' }
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false
} as unknown as TObject

type Run = (context: ToolContext) => ToolOutput | Promise<ToolOutput>

/** The tools that the official suite calls; their names and what they do are its own. */
export function diagnostics({ CallProblem, changed }: Served): ToolRow[] {
  const tool = (name: string, run: Run, more: Partial<ToolRow> = {}): ToolRow =>
    ({
      kind: 'custom',
      name,
      class: 'read',
      title: name,
      summary: 'Do what the conformance suite wants.',
      input: Type.Object({}),
      idempotent: true,
      run: async (_args: never, context: ToolContext) => run(context),
      ...more
    }) as ToolRow
  return [
    tool('test_simple_text', () => ({ text: 'This is a simple text response for testing.' })),
    tool('test_image_content', () => ({ blocks: [image] })),
    tool('test_audio_content', () => ({ blocks: [{ type: 'audio', bytes: wav, mimeType: 'audio/wav' }] })),
    tool('test_embedded_resource', () => ({
      blocks: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')]
    })),
    tool('test_multiple_content_types', () => ({
      text: 'Multiple content types test:',
      blocks: [
        image,
        embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}')
      ]
    })),
    tool('test_error_handling', () => {
      throw new CallProblem('This tool intentionally returns an error for testing')
    }),
    tool('test_tool_with_progress', async context => {
      for (const done of [0, 50, 100]) {
        context.progress(`${done} of 100`, done, 100)
        await sleep(60)
      }
      return { text: 'done' }
    }),
    ...['test_tool_with_logging', 'test_logging_tool'].map(name =>
      tool(name, async context => {
        for (const text of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
          context.log('info', text)
          await sleep(60)
        }
        return { text: 'done' }
      })
    ),
    ...(['tool', 'prompt'] as const).map(list =>
      tool(`test_trigger_${list}_change`, () => {
        changed(`${list}s`)
        return { text: 'done' }
      })
    ),
    tool('json_schema_2020_12_tool', () => ({ text: 'done' }), { input: wide }),
    ...askingTools
  ]
}
