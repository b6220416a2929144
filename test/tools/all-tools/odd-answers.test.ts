import t from 'tap'
import { Catalog } from '../../../src/catalog/catalog.ts'
import { PatternMatcher } from '../../../src/engine/patterns.ts'
import type { ToolRow } from '../../../src/engine/rows/row.ts'
import { toolsets } from '../../../tools/index.ts'
import { toolRunner } from '../../support/run-tool.ts'
import { sampleArguments } from '../../support/sample-arguments.ts'
import { ScriptedDispatcher, type ScriptedReply } from '../../support/scripted-dispatcher.ts'

/* Every tool, of a forge that answers all requests with the same thing, which is no answer to any of them. */

/** Words alone: of a change, they may be how it ended. */
const inWords: ScriptedReply = { body: { message: 'x' } }

const odd: readonly ScriptedReply[] = [
  ...['null', '{}', '[null]', '[1,2]', '"text"', '1', 'true', '[{"id":1,"na', ''].map(body => ({ body })),
  inWords,
  { body: { error: 'x' } },
  { body: { errors: ['x'] } },
  { body: { success: false, detail: 'x' } },
  { status: 204 },
  { status: 206, body: { id: 1 } },
  { body: '<!doctype html><title>Log in</title>', headers: { 'content-type': 'text/html' } }
]

/** Arguments that may be left out, without which many tools have nothing to ask for. */
const often = [
  'project_id',
  'merge_request_iid',
  'user_id',
  'pipeline_id',
  'description',
  'new_name',
  'value'
]

const rows = toolsets.flatMap(({ rows }) => rows)
const catalog = new Catalog({ defaultProject: '1' })
for (const toolset of toolsets) catalog.add(toolset)
const patterns = new PatternMatcher()
t.teardown(() => patterns.close())

async function run({ name, input }: ToolRow, reply: ScriptedReply) {
  const dispatcher = new ScriptedDispatcher(() => reply)
  const done = await toolRunner({ catalog, dispatcher, patterns })(name, sampleArguments(input, often))
  return { done, asked: dispatcher.sent.length > 0 }
}

/** Whether anything may be what was asked for: the text of a file or log. */
const readsText = (row: ToolRow): boolean =>
  (row.kind === 'rest' && row.file !== undefined) ||
  ['get_job_artifact_file', 'get_merge_request_raw_diff', 'get_pipeline_job_output'].includes(row.name)

/** Whether the forge has nothing to say but that it is done, or nothing there is. */
const saysNothing = (row: ToolRow): boolean =>
  row.kind === 'rest' &&
  (row.done !== undefined ||
    ['add_merge_request_to_merge_train', 'play_pipeline_schedule', 'set_user_status'].includes(row.name))

const isRefusal = ({ body }: ScriptedReply): boolean => typeof body === 'object'

/** Whether a change is said to be accepted, as its status says, and no more. */
const isAccepted = (row: ToolRow, reply: ScriptedReply, content: string): boolean =>
  row.class !== 'read' &&
  ['null', '{}', ''].includes(reply.body as string) &&
  content.includes('The forge accepted the request, and sent no record of it.')

/**
 * Whether a change that gives no record, or words in its place, is told with the words of the forge. A schedule is
 * played by any success, whatever they are.
 */
const isTold = (row: ToolRow, reply: ScriptedReply, content: string): boolean =>
  row.name === 'play_pipeline_schedule'
    ? content.includes('x\\"')
    : reply === inWords &&
      (saysNothing(row) || row.name === 'set_member') &&
      /(?:The forge said: |"message\\":)\\"x\\"/.test(content)

t.test('no tool takes what is no answer for one, nor fails by it', async t => {
  const wrong: string[] = []
  const asked = new Set<string>()
  for (const row of rows)
    for (const reply of odd) {
      const { done, asked: isAsked } = await run(row, reply)
      if (isAsked) asked.add(row.name)
      const is = `${row.name}, ${JSON.stringify(reply.body)}: `
      if (done.outcome === 'fault') wrong.push(`${is}${done.error}`)
      if (done.outcome !== 'ok') continue
      if (reply.status === 204 ? row.class !== 'read' : readsText(row)) continue
      if (!isAsked || (saysNothing(row) && !isRefusal(reply))) continue
      const content = JSON.stringify(done.result.content)
      if (!isAccepted(row, reply, content) && !isTold(row, reply, content)) wrong.push(`${is}${content}`)
    }
  t.same(wrong, [])
  t.ok(asked.size > 195, `${asked.size} tools have asked the forge`)
})
