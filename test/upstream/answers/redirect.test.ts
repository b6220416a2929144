import t from 'tap'
import { withoutRest } from '../../../src/upstream/answers/redirect.ts'

t.test('of a redirect nothing is kept but where it leads', async t => {
  const long = 'x'.repeat(20_000)
  t.same(withoutRest({ status: 302, headers: { location: '/api/v4/b', etag: long }, body: long }), {
    status: 302,
    headers: { location: '/api/v4/b' },
    body: ''
  })
  t.same(withoutRest({ status: 302, headers: { etag: long }, body: long }).headers, {}, 'or to nowhere')
})

t.test('any other answer is kept as it is', async t => {
  const reply = { status: 200, headers: { etag: 'x' }, body: '{}' }
  t.equal(withoutRest(reply), reply)
})
