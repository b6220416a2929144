import t from 'tap'
import { answersOf, asking, reply, send, session } from '../../support/asked.ts'
import { modernHeaders, modernRequest } from '../../support/modern.ts'
import { secretOf } from '../../support/sealing.ts'
import { request } from '../../support/server.ts'

const review = { name: 'review_merge_request', arguments: { project_id: 'acme/rocket' } }
const able = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } }
const form = {
  method: 'elicitation/create',
  params: {
    message: /review_merge_request needs/,
    requestedSchema: {
      properties: { merge_request_iid: { type: 'string', description: String } },
      required: ['merge_request_iid']
    }
  }
}
const filled = { action: 'accept', content: { merge_request_iid: '7', project_id: 'other/place' } }
const given = { messages: [{ content: { text: /merge request !7 of project acme\/rocket/ } }] }

t.test('what a prompt lacks is asked of the person, on the stream of the request', async t => {
  const { url, server } = await asking(t)
  const client = await session(url)
  const stream = answersOf(await client.send(request('prompts/get', review)))
  const asked = (await stream.next()).value
  t.match(asked, form)
  t.same(Object.keys(asked.params.requestedSchema.properties), ['merge_request_iid'], 'and nothing else')
  await client.send(reply(asked.id, filled))
  t.match((await stream.next()).value, { id: 1, result: given })
  t.equal(server.mcp.questions.size, 0)
})

t.test('on 2026-07-28 by the round trip', async t => {
  const { url } = await asking(t)
  const get = async (more: object = {}, meta: object = able) => {
    const response = await send(url, modernRequest('prompts/get', { ...review, ...more }, meta), {
      headers: modernHeaders('prompts/get', review.name)
    })
    // biome-ignore lint/suspicious/noExplicitAny: results of every kind are looked into
    return (await response.json()) as any
  }
  const { result } = await get()
  t.match(result, { resultType: 'input_required', inputRequests: { arguments: form } })
  const { requestState } = result
  t.match(await get({ requestState, inputResponses: { arguments: filled } }), {
    result: { resultType: 'complete', ...given }
  })
  t.match(
    await get({
      requestState,
      inputResponses: { arguments: filled },
      arguments: { project_id: 'other/place' }
    }),
    { error: { code: -32602, message: /requestState/ } }
  )
  t.match(await get({}, {}), { error: { code: -32602, message: /merge_request_iid is required/ } })
})

t.test('who does not answer, or wrongly, gets the refusal that anybody gets', async t => {
  const { url } = await asking(t)
  const client = await session(url)
  for (const [answer, message] of [
    [{ action: 'decline' }, /merge_request_iid is required/],
    [{ action: 'accept', content: 'seven' }, /merge_request_iid is required/],
    [{ action: 'accept', content: { merge_request_iid: 7 } }, /must be a string/],
    [{ action: 'accept', content: { merge_request_iid: 'last' } }, /must be a number/],
    [undefined, /did not ask.* Invalid arguments: merge_request_iid is required\.$/]
  ] as const) {
    const stream = answersOf(await client.send(request('prompts/get', review)))
    const { id } = (await stream.next()).value
    await client.send(reply(id, answer ?? null))
    let last = (await stream.next()).value
    if (last.method === 'notifications/cancelled') last = (await stream.next()).value
    t.match(last, { error: { code: -32602, message } })
  }
})

t.test(
  'where another replica may get the answer, nobody is asked, and the refusal comes at once',
  async t => {
    const { url, server } = await asking(t, {
      OAUTH_STATELESS_MODE: 'true',
      OAUTH_STATELESS_SECRET: secretOf('one')
    })
    const client = await session(url)
    const stream = answersOf(await client.send(request('prompts/get', review)))
    t.match((await stream.next()).value, {
      error: { code: -32602, message: /merge_request_iid is required/ }
    })
    t.equal(server.mcp.questions.size, 0)
  }
)

t.test('a prompt that lacks nothing, or that there is not, asks nothing', async t => {
  const { url } = await asking(t, { FORGE_PROJECT_ID: 'acme/rocket' })
  const client = await session(url)
  const first = async (params: object) =>
    (await answersOf(await client.send(request('prompts/get', params))).next()).value
  t.match(await first({ name: review.name, arguments: { merge_request_iid: '7' } }), { result: given })
  t.match(await first({ name: 'deploy' }), { error: { message: /^Unknown prompt/ } })
  t.match(await first({ name: review.name, arguments: 'now' }), { error: { code: -32602 } })
  for (const wrong of [{ nothing: 'x' }, { focus: 7 }, { focus: 'x'.repeat(2001) }])
    t.match(
      await first({ name: review.name, arguments: wrong }),
      { error: { code: -32602 } },
      JSON.stringify(wrong).slice(0, 20)
    )
})
