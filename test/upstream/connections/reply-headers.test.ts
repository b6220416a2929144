import t from 'tap'
import { keptHeaders } from '../../../src/upstream/connections/reply-headers.ts'
import { exchange } from '../../../src/upstream/reading/exchange.ts'
import { ScriptedDispatcher } from '../../support/scripted-dispatcher.ts'

t.test(
  'of the headers of an answer those that are read are kept, at the length that such values have',
  async t => {
    const headers = {
      'x-next-page': '2',
      link: ['<https://forge.example/a>; rel="next"', '<https://forge.example/b>; rel="last"'],
      'x-gitlab-blob-id': 'b0',
      'x-gitlab-last-commit-id': 'c'.repeat(20_000),
      'x-other': 'y'
    }
    const { link } = headers
    t.same(keptHeaders(200, headers), { 'x-next-page': '2', link, 'x-gitlab-blob-id': 'b0' })
    t.same(keptHeaders(200, { link: ['x'.repeat(5_000), 'x'.repeat(5_000)] }), {}, 'of several together')
  }
)

t.test('where to go on is kept of a redirect alone', t => {
  const location = `/api/v4/${'p'.repeat(30_000)}`
  t.same(keptHeaders(301, { location }), { location })
  for (const status of [200, 201, 404, 500]) t.same(keptHeaders(status, { location }), {}, `${status}`)
  t.end()
})

t.test('of a coding that is longer than any its beginning is kept, as it says that the body has one', t => {
  const kept = keptHeaders(200, { 'content-encoding': 'x'.repeat(30_000) })
  t.same(kept, { 'content-encoding': 'x'.repeat(100) })
  t.same(keptHeaders(200, { 'content-encoding': 'gzip' }), { 'content-encoding': 'gzip' })
  t.end()
})

t.test('no more of them reaches whoever asks', async t => {
  const dispatcher = new ScriptedDispatcher([
    { headers: { 'x-big': 'h'.repeat(31_000), 'x-page': '1' }, body: {} }
  ])
  const asked = { origin: 'https://forge.example', path: '/', method: 'GET' } as const
  const { headers } = await exchange(dispatcher, asked, { maxBytes: 1_000, deadlineMs: 60_000 })
  t.equal(headers['x-big'], undefined)
  t.equal(headers['x-page'], '1')
})
