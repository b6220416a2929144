import t from 'tap'
import { listen } from '../support/listen.ts'
import { load } from './load.ts'

const answers = (body: string, status = 200) =>
  listen(t, (_, response) => {
    response.statusCode = status
    response.end(body)
  })
/** No time is too short, however busy the machine is: each connection sends once. */
const send = (url: string, least = 10) =>
  load({ url, seconds: 0, clients: [{ headers: {}, messages: [{ text: '{}', least }] }] })

t.test('answers count where they are good', async t => {
  const { latencies, failures } = await send(await answers('{"result":{"content":[]}}'))
  t.ok(latencies.length > 0)
  t.same(failures, [])
})

for (const [what, url] of [
  ['that say of an error', answers('{"result":{"content":[{"text":"busy"}],"isError":true}}')],
  ['that are too short', answers('{}')],
  ['of another status', answers('{"result":{"content":[]}}', 503)]
] as const)
  t.test(`answers ${what} are failures, as a server that refuses is a fast one`, async t => {
    const { latencies, failures } = await send(await url)
    t.equal(latencies.length, 0)
    t.ok(failures.length > 0)
  })
