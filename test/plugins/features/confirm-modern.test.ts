import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import t from 'tap'
import { asking, keptForge, send, yes } from '../../support/asked.ts'
import { modernHeaders, modernRequest } from '../../support/modern.ts'
import { secretOf } from '../../support/sealing.ts'
import { OTHER_TOKEN, TOKEN } from '../../support/server.ts'

const issue = { project_id: 'acme/rocket', issue_iid: '7' }
const deleted = ['DELETE /api/v4/projects/acme%2Frocket/issues/7']
const able = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } }
const stateless = { OAUTH_STATELESS_MODE: 'true', OAUTH_STATELESS_SECRET: secretOf('one') }

interface Asked {
  readonly name?: string
  readonly args?: object
  readonly more?: object
  readonly meta?: object
  readonly token?: string
  readonly headers?: Record<string, string>
}

/** Calls on 2026-07-28. */
async function ask(url: string, asked: Asked = {}) {
  const { name = 'delete_issue', args = issue, more = {}, meta = able, token = TOKEN, headers = {} } = asked
  const response = await send(url, modernRequest('tools/call', { name, arguments: args, ...more }, meta), {
    token,
    headers: { ...modernHeaders('tools/call', name), 'mcp-param-project-id': 'acme/rocket', ...headers }
  })
  return (await response.json()) as {
    // biome-ignore lint/suspicious/noExplicitAny: results of every kind are looked into
    result?: any
    error?: { code: number; message: string }
  }
}

const agreed = (requestState: string, answer: unknown = yes) => ({
  requestState,
  inputResponses: { confirm: answer }
})

t.test('the question is the answer, and any replica that has the secret goes on with it', async t => {
  const forge = await keptForge(t)
  const [one, other] = [await asking(t, stateless, forge), await asking(t, stateless, forge)]
  const { result } = await ask(one.url)
  t.match(result, {
    resultType: 'input_required',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'forge-tool-server' } },
    requestState: /^v1\.ask\./,
    inputRequests: {
      confirm: {
        method: 'elicitation/create',
        params: {
          message: /^Delete issue "Login fails"\?[\s\S]*This cannot be undone\.$/,
          requestedSchema: { properties: { agree: { type: 'boolean' } } }
        }
      }
    }
  })
  t.notOk('content' in result)
  t.same(forge.state.changes, [], 'nothing is sent before')
  t.match(one.log.lines('tool call'), [{ outcome: 'input_required', consent: 'asked' }])
  const done = await ask(other.url, { more: agreed(result.requestState) })
  t.match(done, { result: { resultType: 'complete', content: [{ text: /The issue is deleted/ }] } })
  t.same(forge.state.changes, deleted)
  t.match(other.log.lines('tool call'), [{ outcome: 'ok', consent: 'confirmed' }])
})

t.test('replicas without the mode share what is asked where they share the secret', async t => {
  const forge = await keptForge(t)
  const secret = { OAUTH_STATELESS_SECRET: secretOf('one') }
  const replicas = [
    await asking(t, secret, forge),
    await asking(t, secret, forge),
    await asking(t, {}, forge)
  ]
  const [first, second, alone] = replicas.map(({ url }) => url) as [string, string, string]
  const { requestState } = (await ask(first)).result
  t.match(await ask(alone, { more: agreed(requestState) }), { error: { code: -32602 } })
  t.match(await ask(second, { more: agreed(requestState) }), { result: { resultType: 'complete' } })
  const own = (await ask(alone)).result
  t.match(await ask(alone, { more: agreed(own.requestState) }), { result: { resultType: 'complete' } })
})

t.test('an answer to what is no longer asked does nothing, as it may be a no', async t => {
  const forge = await keptForge(t)
  const asks = await asking(t, stateless, forge)
  const asksNothing = await asking(t, { ...stateless, FORGE_CONFIRM: 'off' }, forge)
  const { requestState } = (await ask(asks.url)).result
  for (const answer of [yes, { action: 'decline' }, { action: 'accept', content: { agree: false } }])
    t.match(await ask(asksNothing.url, { more: agreed(requestState, answer) }), {
      error: { code: -32602, message: /Nothing is asked about this call now, and nothing was done/ }
    })
  t.same(forge.state.changes, [])
  t.match(await ask(asksNothing.url), { result: { resultType: 'complete' } })
})

t.test('a state is good for its own call alone', async t => {
  const forge = await keptForge(t)
  const { url } = await asking(t, { ...stateless, ENABLE_DYNAMIC_API_URL: 'true' }, forge)
  const { requestState } = (await ask(url)).result
  const more = agreed(requestState)
  const elsewhere = await keptForge(t)
  for (const [what, wrong] of [
    ['other arguments', { args: { ...issue, issue_iid: '8' } }],
    ['one argument more', { args: { ...issue, confirm: 'Login fails' } }],
    [
      'another tool',
      { name: 'merge_merge_request', args: { project_id: 'acme/rocket', merge_request_iid: '7' } }
    ],
    ['another caller', { token: OTHER_TOKEN }],
    ['another forge', { headers: { 'x-forge-api-url': elsewhere.url } }],
    ['a changed state', { more: agreed(`${requestState}-TAMPERED`) }],
    ['a state of no kind', { more: { ...more, requestState: 7 } }]
  ] as const)
    t.match(await ask(url, { more, ...wrong }), { error: { code: -32602, message: /requestState/ } }, what)
  t.same([forge.state.changes, elsewhere.state.changes], [[], []])
  const reordered = { issue_iid: issue.issue_iid, project_id: issue.project_id }
  t.match(await ask(url, { args: reordered, more }), { result: { resultType: 'complete' } })
  t.same(forge.state.changes, deleted)
})

t.test('answers without their state are refused, and such as are none are asked for again', async t => {
  const forge = await keptForge(t)
  const { url } = await asking(t, {}, forge)
  const { requestState } = (await ask(url)).result
  for (const more of [
    { requestState },
    { requestState, inputResponses: {} },
    { requestState, inputResponses: { other: yes } },
    { requestState, inputResponses: { confirm: 7 } }
  ])
    t.match(await ask(url, { more }), { result: { resultType: 'input_required' } }, JSON.stringify(more))
  for (const more of [{ inputResponses: { confirm: yes } }, { requestState, inputResponses: null }])
    t.match(await ask(url, { more }), { error: { code: -32602 } }, JSON.stringify(more))
  t.same(forge.state.changes, [])
})

t.test('a no is a result, with nothing sent', async t => {
  const forge = await keptForge(t)
  const { url, log } = await asking(t, {}, forge)
  for (const answer of [{ action: 'decline' }, { action: 'cancel' }, { action: 'accept', content: {} }]) {
    const { requestState } = (await ask(url)).result
    t.match(await ask(url, { more: agreed(requestState, answer) }), {
      result: { resultType: 'complete', isError: true, content: [{ text: /Nothing was done/ }] }
    })
  }
  t.same(forge.state.changes, [])
  t.same(
    log.lines('tool call').flatMap(({ outcome, consent }) => (outcome === 'declined' ? [consent] : [])),
    ['declined', 'cancelled', 'unanswered']
  )
})

t.test('a yes is to what was shown: what has another name by now is asked about anew', async t => {
  const forge = await keptForge(t)
  const { url } = await asking(t, {}, forge)
  const { requestState } = (await ask(url)).result
  forge.state.record = { title: 'The only backup' }
  const { result } = await ask(url, { more: agreed(requestState) })
  t.match(result.inputRequests.confirm.params.message, /"The only backup"/)
  t.same(forge.state.changes, [])
})

t.test('a client that has not declared elicitation is asked for the argument', async t => {
  const forge = await keptForge(t)
  const { url } = await asking(t, {}, forge)
  t.match(await ask(url, { meta: {} }), { result: { content: [{ text: /wants delete_issue confirmed/ }] } })
  const { requestState } = (await ask(url)).result
  t.match(await ask(url, { meta: {}, more: agreed(requestState) }), { result: { isError: true } })
  t.same(forge.state.changes, [])
  t.notOk((await ask(url, { meta: {}, args: { ...issue, confirm: 'Login fails' } })).result.isError)
  t.same(forge.state.changes, deleted)
})

t.test('the SDK’s clients ask their person in every mode', async t => {
  const forge = await keptForge(t)
  const { url } = await asking(t, {}, forge)
  const info = { name: 'flow', version: '1' }
  const headers = { 'Private-Token': TOKEN }
  const call = { name: 'delete_issue', arguments: issue }
  const told: string[] = []
  const v1 = new Client(info, { capabilities: { elicitation: {} } })
  v1.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    told.push(params.message)
    return { action: 'accept', content: { agree: true } }
  })
  await v1.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  t.notOk((await v1.callTool(call)).isError, 'v1')
  await v1.close()
  for (const mode of ['legacy', 'auto', { pin: '2026-07-28' }] as const) {
    const client = new ModernClient(info, {
      capabilities: { elicitation: {} },
      versionNegotiation: { mode }
    })
    client.setRequestHandler('elicitation/create', ({ params }) => {
      told.push(params.message)
      return { action: 'accept', content: { agree: true } }
    })
    await client.connect(new ModernTransport(new URL(url), { requestInit: { headers } }))
    t.notOk((await client.callTool(call)).isError, JSON.stringify(mode))
    await client.close()
  }
  t.equal(told.length, 4)
  t.same(forge.state.changes, [...deleted, ...deleted, ...deleted, ...deleted])
})
