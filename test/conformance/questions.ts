import { type TObject, Type } from 'typebox'
import type { Question, Questions, Replies } from '../../src/engine/consent/question.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import type { ToolRow } from '../../src/engine/rows/row.ts'
import type { ToolOutput } from '../../src/results/result.ts'

/* The tools of the official suite that ask its client something; their names and questions are its own. */

const ask = (message: string, properties: object, required?: string[]): Question => ({
  method: 'elicitation/create',
  params: {
    message,
    requestedSchema: { type: 'object', properties, ...(required !== undefined && { required }) }
  }
})

const sample = (text: string, maxTokens: number): Question => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens }
})

const roots: Question = { method: 'roots/list', params: {} }

const oneText = (message: string, name: string) => ask(message, { [name]: { type: 'string' } }, [name])
const yourName = oneText('What is your name?', 'name')
const isFine = ask('Please confirm', { ok: { type: 'boolean' } }, ['ok'])

const defaults = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true }
}

const options = ['option1', 'option2', 'option3']
const titled = (noun: string) =>
  ['First', 'Second', 'Third'].map((which, at) => ({ const: `value${at + 1}`, title: `${which} ${noun}` }))
const choices = {
  untitledSingle: { type: 'string', enum: options },
  titledSingle: { type: 'string', oneOf: titled('Option') },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three']
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
  titledMulti: { type: 'array', items: { anyOf: titled('Choice') } }
}

type Say = (replies: Replies) => string

const elicited: Say = ({ asked }) =>
  `Elicitation completed: action=${asked!.action}, content=${JSON.stringify(asked!.content)}`

const told: Say = replies => JSON.stringify(replies)

type Run = (args: Readonly<Record<string, string>>, context: ToolContext) => Promise<ToolOutput>

const tool = (name: string, run: Run, input: TObject = Type.Object({})): ToolRow =>
  ({
    kind: 'custom',
    name,
    class: 'read',
    title: name,
    summary: 'Do what the conformance suite wants.',
    input,
    idempotent: true,
    run
  }) as unknown as ToolRow

/** A tool that asks once, and says what it was told. */
const asking = (name: string, questions: Questions, say: Say = told): ToolRow =>
  tool(name, async (_args, { client }) => ({ text: say(await client.ask(questions)) }))

export const askingTools: readonly ToolRow[] = [
  tool(
    'test_elicitation',
    async ({ message }, { client }) => {
      const properties = {
        username: { type: 'string', description: 'Your name here' },
        email: { type: 'string', description: 'Your address' }
      }
      const { asked } = await client.ask({ asked: ask(message!, properties, ['username', 'email']) })
      return { text: `User response: ${JSON.stringify(asked)}` }
    },
    Type.Object({ message: Type.String() })
  ),
  tool(
    'test_sampling',
    async ({ prompt }, { client }) => {
      const { asked } = await client.ask({ asked: sample(prompt!, 100) })
      return { text: `LLM response: ${(asked!.content as { text: string }).text}` }
    },
    Type.Object({ prompt: Type.String() })
  ),
  asking('test_missing_capability', { asked: sample('Say hello', 10) }, told),
  asking('test_elicitation_sep1034_defaults', { asked: ask('Who are you?', defaults) }, elicited),
  asking('test_elicitation_sep1330_enums', { asked: ask('Please choose', choices) }, elicited),
  // On 2026-07-28 what it asks is its answer, and nothing is asked on its stream.
  tool('test_streaming_elicitation', async (_args, context) => {
    context.progress('about to ask', 1)
    return { text: told(await context.client.ask({ confirm: isFine })) }
  }),
  asking('test_input_required_result_elicitation', { user_name: yourName }, ({ user_name: reply }) => {
    const { name } = reply!.content as { name: string }
    return `Hello, ${name}!`
  }),
  asking('test_input_required_result_sampling', {
    capital_question: sample('What is the capital of France?', 100)
  }),
  asking('test_input_required_result_list_roots', { client_roots: roots }),
  asking('test_input_required_result_request_state', { confirm: isFine }, () => 'state-ok'),
  asking('test_input_required_result_tampered_state', { confirm: isFine }),
  asking('test_input_required_result_multiple_inputs', {
    user_name: yourName,
    greeting: sample('Generate a greeting', 50),
    client_roots: roots
  }),
  tool('test_input_required_result_multi_round', async (_args, { client }) => {
    const first = await client.ask({ step1: oneText('Step 1: What is your name?', 'name') })
    const second = await client.ask({ step2: oneText('Step 2: What is your favorite color?', 'color') })
    return { text: told({ ...first, ...second }) }
  }),
  tool('test_input_required_result_capabilities', async (_args, { client }) => {
    const possible = {
      ...(client.can('elicitation') && { user_name: yourName }),
      ...(client.can('sampling') && { greeting: sample('Generate a greeting', 50) })
    }
    return { text: told(await client.ask(possible)) }
  })
]
