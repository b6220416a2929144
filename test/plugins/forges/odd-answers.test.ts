import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { listen } from '../../support/listen.ts'
import { captureLog } from '../../support/log.ts'
import { call, post, request, testServer } from '../../support/server.ts'

/* Forges whose answers are JSON and nothing that a forge sends: each is told of, and none is a fault of this service. */

type Schema = Readonly<Record<string, unknown>> & {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
}
interface Listed {
  readonly name: string
  readonly inputSchema: Schema
}

/** Fields that rows read, all of them of one value. */
const fields =
  'id iid name title path full_path path_with_namespace username state status description body content diff diffs new_path old_path web_url author assignee reviewers labels milestone notes position diff_refs sha target_branch source_branch pipeline jobs created_at updated_at data errors message project group commits commit parent_ids versions changes pageInfo nodes resolvable tag_name assets size file_path blob_id has_conflicts detailed_merge_status head_pipeline project_id merged_at'.split(
    ' '
  )
const recordOf = (value: unknown) => Object.fromEntries(fields.map(field => [field, value]))
const noText = { toString: 1, valueOf: 1, length: -1 }

const shapes: [title: string, answer: unknown][] = [
  ['records where texts are meant', recordOf(noText)],
  ['a list of records with numbers where records and lists are meant', [recordOf(5)]],
  ['lists of nothing, of numbers and of texts', recordOf([null, 1, 'a', {}, []])],
  ['lists of records without texts', recordOf([recordOf(noText)])],
  ['a list of nothing', [null, null]]
]

function sampleOf(schema: Schema, name: string): unknown {
  const { const: only, enum: values, items, minimum } = schema
  const any = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  const type = [schema.type].flat()[0]
  if (only !== undefined) return only
  if (Array.isArray(values)) return values[0]
  if (any !== undefined) return sampleOf(any[0]!, name)
  if (type === 'integer' || type === 'number') return Math.max(Number(minimum ?? 1), 1)
  if (type === 'boolean') return true
  if (type === 'array') return [sampleOf(items ?? {}, name)]
  if (type === 'object' || schema.properties !== undefined) return argumentsOf(schema)
  if (/(?:^|_|i)id$/.test(name)) return '1'
  if (name.endsWith('sha')) return 'a'.repeat(40)
  return /date|_at$/.test(name) ? '2024-01-01' : 'main'
}

const argumentsOf = ({ properties = {}, required = [] }: Schema): Record<string, unknown> =>
  Object.fromEntries(required.map(name => [name, sampleOf(properties[name] ?? {}, name)]))

async function scene(t: Test, answer: () => unknown) {
  const sent: string[] = []
  const forge = await listen(t, (incoming, response) => {
    incoming.on('data', chunk => sent.push(String(chunk)))
    sent.push(decodeURIComponent(incoming.url!))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answer()))
  })
  const log = captureLog()
  const settings = { FORGE_API_URL: forge, FORGE_TOOLSETS: 'all', MAX_REQUESTS_PER_MINUTE: '0' }
  return { log, sent, server: await testServer(t, { ...settings, LOG_LEVEL: 'warn' }, log.stream) }
}

const said = async (server: FastifyInstance, body: unknown) => (await post(server, { body })).payload

t.test('no tool fails by what a forge answers', async t => {
  let answer: unknown
  const { server } = await scene(t, () => answer)
  const tools: Listed[] = JSON.parse(await said(server, request('tools/list'))).result.tools
  // These would wait for what never comes.
  const asked = tools.filter(({ name }) => !name.startsWith('wait_for_'))
  t.ok(asked.length > 200)
  for (const [title, shape] of shapes) {
    answer = shape
    const failed: string[] = []
    for (const { name, inputSchema } of asked) {
      const payload = await said(server, call(name, argumentsOf(inputSchema)))
      if (!payload.includes('"result":')) failed.push(`${name}: ${payload.slice(0, 100)}`)
    }
    t.same(failed, [], title)
  }
})

t.test('of what is no text no sentence of ours is made, nor a request', async t => {
  const a = { a: 1 }
  const odd = Object.fromEntries([...fields, 'import_status', 'merge_error'].map(field => [field, a]))
  const known = { ...odd, id: 1, iid: 1, sha: 'a'.repeat(40), path: 'a', full_path: 'a/b' }
  let answer: unknown
  const { sent, server } = await scene(t, () => answer)
  const tools: Listed[] = JSON.parse(await said(server, request('tools/list'))).result.tools
  const faults: string[] = []
  for (const shape of [odd, known, [odd], [known]]) {
    answer = shape
    for (const { name, inputSchema } of tools.filter(({ name }) => !name.startsWith('wait_for_'))) {
      sent.length = 0
      const payload = await said(server, call(name, argumentsOf(inputSchema)))
      for (const text of [payload, ...sent])
        if (/\[object Object\]|=undefined/.test(text)) faults.push(`${name}: ${text.slice(0, 300)}`)
    }
  }
  t.same(faults, [])
  const release = { project_id: '1', tag_name: 'v1', generate_notes: true }
  answer = [{ id: 'a', tag_name: 'v0', commit: { id: 'a' }, merge_commit_sha: 'a', iid: 1, title: a }]
  t.match(await said(server, call('create_release', release)), /The forge's answer lacks title/)
})

t.test('a text or number in the place of a record or list is shown as neither', async t => {
  let answer: unknown
  const { server } = await scene(t, () => answer)
  const calls = [
    call('list_projects', {}),
    call('get_project', { project_id: '1' }),
    call('get_commit_diff', { project_id: '1', sha: 'a' }),
    call('get_file_blame', { project_id: '1', path: 'a', ref: 'main' })
  ]
  for (answer of ['x', 5, true])
    for (const one of calls) t.match(await said(server, one), /not a (?:record|list)\.".*"isError":true/)
  answer = {}
  for (const one of calls.slice(2)) t.match(await said(server, one), /not a list.*"isError":true/)
})

t.test(
  'a change whose answer is of another kind is not told as made, and one without a record as accepted',
  async t => {
    let answer: unknown
    const { server } = await scene(t, () => answer)
    const calls = [
      call('create_issue', { project_id: '1', title: 'a' }),
      call('create_branch', { project_id: '1', branch: 'a', ref: 'main' }),
      call('set_variable', { project_id: '1', key: 'A', value: 'b' })
    ]
    for (answer of ['x', 5, true, [], { message: 'x' }, { error: 'x' }])
      for (const one of calls.slice(0, Object(answer).message === undefined ? 3 : 2))
        t.match(await said(server, one), /look before you repeat.*"isError":true/)
    for (answer of [null, {}])
      for (const one of calls) {
        const text = await said(server, one)
        t.match(text, /accepted the request, and sent no record of it/)
        t.notMatch(text, /isError/)
      }
    answer = []
    const train = call('add_merge_request_to_merge_train', { project_id: '1', merge_request_iid: '1' })
    t.match(await said(server, train), /The forge accepted the request/, 'there may be nothing on it yet')
  }
)

t.test(
  'an answer that a tool cannot read is told of in words, and to the operator with its cause',
  async t => {
    // As large as what a worker reads and writes: smaller ones are looked at before a tool has them.
    const { log, server } = await scene(t, () => 'x'.repeat(400_000))
    const issue = { project_id: '1', issue_iid: '1' }
    const read = JSON.parse(await said(server, call('get_issue', issue))).result
    t.equal(read.isError, true)
    t.match(read.content[0].text, /^The forge’s answer is not of the shape that this tool can read\./)
    t.notMatch(read.content[0].text, /look before you repeat/)
    const written = await said(server, call('update_issue', { ...issue, title: 'a' }))
    t.match(written, /look before you repeat/)
    t.match(log.lines('a tool could not read what a forge answered'), [
      { tool: 'get_issue', err: { type: 'TypeError', stack: /not of records/ } }
    ])
    for (let calls = 0; calls < 10; calls++) await said(server, call('get_issue', issue))
    t.equal(log.lines('a tool could not read what a forge answered').length, 5, 'of many the first ones')
  }
)

t.test('paths that are no texts end no worker in which all patterns are tried', async t => {
  const { log, server } = await scene(t, () => [{ old_path: noText, new_path: 'a.ts', diff: '' }])
  const diff = { project_id: '1', sha: 'a'.repeat(40) }
  const patterns = ['^docs/', '\\.ts$']
  t.match(
    await said(server, call('get_commit_diff', { ...diff, excluded_file_patterns: patterns })),
    /"\[\]"/
  )
  t.same(log.lines('request failed'), [])
})

t.test('what completes an argument, and a resource, fail in no other way', async t => {
  const { server } = await scene(t, () => [recordOf(noText)])
  const completed = await said(
    server,
    request('completion/complete', {
      ref: { type: 'ref/prompt', name: 'review_merge_request' },
      argument: { name: 'project_id', value: 'a' }
    })
  )
  t.match(completed, /"values":\[\]/)
  const uri = 'forge://projects/1/merge_requests/1'
  t.match(await said(server, request('resources/read', { uri })), /"contents"|The forge/)
})
