import t from 'tap'
import { keptForge, reply, yes } from '../support/asked.ts'
import { envelope } from '../support/modern.ts'
import { call, initialize, request } from '../support/server.ts'
import { stdioServer } from '../support/stdio.ts'

const issue = { project_id: '1', issue_iid: '7' }
const settings = { FORGE_CONFIRM: 'destructive' }
const deleted = ['DELETE /api/v4/projects/1/issues/7']

t.test('over stdio a person is asked among the other messages', async t => {
  const { state, url } = await keptForge(t)
  const { write, next } = await stdioServer(t, url, settings)
  const opening = initialize()
  write({ ...opening, params: { ...(opening.params as object), capabilities: { elicitation: {} } } })
  await next()
  write(call('delete_issue', issue, 2))
  const { id, method } = await next()
  t.equal(method, 'elicitation/create')
  write(request('ping', undefined, 3))
  t.match(await next(), { id: 3 }, 'other messages are served meanwhile')
  t.same(state.changes, [])
  write(reply(id, yes))
  t.match(await next(), { id: 2, result: { content: [{ text: /The issue is deleted/ }] } })
  t.same(state.changes, deleted)
})

t.test('a client that goes while its person is asked is waited for no longer', async t => {
  const { state, url } = await keptForge(t)
  const { write, next, input, state: served, server } = await stdioServer(t, url, settings)
  const opening = initialize()
  write({ ...opening, params: { ...(opening.params as object), capabilities: { elicitation: {} } } })
  await next()
  write(call('delete_issue', issue, 2))
  await next()
  input.end()
  t.match(await next(), { method: 'notifications/cancelled' })
  t.match(await next(), { id: 2, result: { content: [{ text: /is shutting down/ }] } })
  while (!served.ended) await new Promise(resolve => setTimeout(resolve, 10))
  t.same([state.changes, server.mcp.questions.size], [[], 0])
})

t.test('on 2026-07-28 it is the round trip', async t => {
  const { state, url } = await keptForge(t)
  const { write, next } = await stdioServer(t, url, settings)
  const _meta = envelope({ 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } })
  const params = { name: 'delete_issue', arguments: issue, _meta }
  write(request('tools/call', params))
  const { result } = await next()
  t.match(result, { resultType: 'input_required', inputRequests: { confirm: {} } })
  const { requestState } = result
  write(request('tools/call', { ...params, requestState, inputResponses: { confirm: yes } }, 2))
  t.match(await next(), { id: 2, result: { resultType: 'complete' } })
  t.same(state.changes, deleted)
})
