import { Type } from 'typebox'
import { custom, type ToolRow } from '../../src/engine/rows/row.ts'
import type { PromptArgument } from '../../src/prompts/arguments.ts'
import { type PromptRow, prompt } from '../../src/prompts/row.ts'
import type { ResourceRow } from '../../src/resources/row.ts'
import { embedded, image } from './diagnostics.ts'

/* The prompts and resources that the official suite asks for; their names and what is in them are its own. */

const asItIs = (description: string): PromptArgument => ({
  description,
  required: true,
  read: (_name, value) => value
})

const shared = { description: 'What the conformance suite wants.', needs: [], steps: () => [] }

export const prompts: readonly PromptRow[] = [
  prompt({
    ...shared,
    name: 'test_simple_prompt',
    title: 'Simple',
    arguments: {},
    ask: () => 'This is a simple prompt for testing.'
  }),
  prompt({
    ...shared,
    name: 'test_prompt_with_arguments',
    title: 'With arguments',
    arguments: { arg1: asItIs('First'), arg2: asItIs('Second') },
    ask: () => "Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"
  }),
  prompt({
    ...shared,
    name: 'test_prompt_with_embedded_resource',
    title: 'With a resource',
    arguments: { resourceUri: asItIs('Its URI') },
    blocks: ({ resourceUri = '' }) => [
      embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.')
    ],
    ask: () => 'Please process the embedded resource above.'
  }),
  prompt({
    ...shared,
    name: 'test_prompt_with_image',
    title: 'With an image',
    arguments: {},
    blocks: () => [image],
    ask: () => 'Please analyze the image above.'
  }),
  prompt({
    ...shared,
    name: 'test_input_required_result_prompt',
    title: 'With what a person is asked for',
    arguments: { context: asItIs('What context should the prompt use?') },
    ask: () => 'Context: {context}'
  })
]

const read = {
  class: 'read',
  title: 'Resource',
  summary: 'Read what the suite wants.',
  idempotent: true
} as const

/** What reads the resources. */
export const readers: readonly ToolRow[] = [
  custom({
    ...read,
    name: 'test_static_text',
    input: Type.Object({}),
    run: async () => ({ text: 'This is the content of the static text resource.' })
  }),
  custom({
    ...read,
    name: 'test_static_binary',
    input: Type.Object({}),
    run: async () => ({ blocks: [image] })
  }),
  custom({
    ...read,
    name: 'test_template_data',
    input: Type.Object({ id: Type.String() }),
    run: async ({ id }) => ({ value: { id, templateTest: true, data: `Data for ID: ${id}` } })
  })
]

const resource = { title: 'Test', description: 'What the conformance suite wants.' }

export const resources: readonly ResourceRow[] = [
  {
    ...resource,
    name: 'static-text',
    uri: 'test://static-text',
    tool: 'test_static_text',
    shows: 'content',
    mimeType: 'text/plain'
  },
  {
    ...resource,
    name: 'static-binary',
    uri: 'test://static-binary',
    tool: 'test_static_binary',
    shows: 'content',
    mimeType: 'image/png'
  },
  {
    ...resource,
    name: 'template',
    uri: 'test://template/{id}/data',
    tool: 'test_template_data',
    shows: 'record'
  }
]
