import t from 'tap'
import { type Credential, principalOf } from '../../src/session/credential.ts'
import { standingByCalls, standingByUser } from '../../src/session/standing.ts'
import type { LiveSession } from '../../src/session/store.ts'

const credentialOf = (name: string): Credential => ({ kind: 'bearer', token: name.padEnd(20, 'x') })

const sessionOf = (more: Partial<LiveSession> = {}): LiveSession => ({
  key: 'key',
  credential: credentialOf('first'),
  apiUrl: undefined,
  activated: 0,
  version: '2025-11-25',
  ...more
})

t.test('where the forge is asked about every credential, and names users', async t => {
  const session = sessionOf({ user: '1' })
  t.test('a renewed one of the same user holds the session', async t => {
    t.equal(standingByUser(session, credentialOf('second'), '1'), 'holder')
  })

  t.test('one of another user, or of nobody knows whom, is a stranger', async t => {
    t.equal(standingByUser(session, credentialOf('second'), '2'), 'stranger')
    t.equal(standingByUser(session, credentialOf('second'), undefined), 'stranger')
    t.equal(standingByUser(sessionOf(), credentialOf('second'), undefined), 'stranger')
  })

  t.test('the same one goes on, also where the forge names no user', async t => {
    t.equal(standingByUser(sessionOf(), credentialOf('first'), undefined), 'holder')
  })
})

t.test('where nobody asks, or the forge names nobody', async t => {
  const nobody = () => undefined
  const second = principalOf(credentialOf('second'))

  t.test('any token holds a session in which no call was served yet', async t => {
    t.equal(standingByCalls(sessionOf(), credentialOf('second'), nobody), 'holder')
  })

  t.test('another one is a guest, until the forge has served a call with it', async t => {
    const servedTo = principalOf(credentialOf('first'))
    t.equal(standingByCalls(sessionOf({ servedTo }), credentialOf('first'), nobody), 'holder')
    t.equal(standingByCalls(sessionOf({ servedTo }), credentialOf('second'), nobody), 'guest')
    t.equal(standingByCalls(sessionOf({ servedTo: second }), credentialOf('second'), nobody), 'holder')
  })

  t.test('one whose user is known to be another is a stranger', async t => {
    const session = sessionOf({ servedTo: second })
    const named = (other: string) => (principal: string) => (principal === second ? other : 'ada')
    t.equal(standingByCalls(session, credentialOf('second'), named('linus')), 'stranger')
    t.equal(standingByCalls(session, credentialOf('second'), named('ada')), 'holder')
  })
})
