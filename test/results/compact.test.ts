import t from 'tap'
import { compact } from '../../src/results/compact.ts'

t.test('what lets somebody in is left out of a record, whatever it is', async t => {
  for (const name of ['feed_token', 'approval_password', 'runners_token', 'token'])
    for (const value of ['secret', ['secret'], 1])
      t.same(JSON.stringify(compact({ id: 1, [name]: value })), '{"id":1}', `${name}: ${value}`)
  t.same(JSON.stringify(compact({ feed_token: { of: 'secret' } })), '{}')
})

t.test('facts about a token are no token', async t => {
  t.same(compact({ token: { id: 1, scopes: ['api'] } }), { token: { id: 1, scopes: ['api'] } })
})
