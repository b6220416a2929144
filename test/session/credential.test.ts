import t from 'tap'
import {
  type Credential,
  credentialHeader,
  principalOf,
  readCredential
} from '../../src/session/credential.ts'

const token = 'glpat-0123456789abcdef'

t.test('Private-Token comes before JOB-TOKEN, and that before Authorization', async t => {
  t.match(
    readCredential([
      'Authorization',
      `Bearer ${token}1`,
      'job-token',
      `${token}2`,
      'PRIVATE-TOKEN',
      `${token}3`
    ]),
    {
      credential: { kind: 'private-token', token: `${token}3` }
    }
  )
  t.match(readCredential(['Authorization', `Bearer ${token}1`, 'JOB-TOKEN', `${token}2`]), {
    credential: { kind: 'job-token', token: `${token}2` }
  })
})

t.test('a header sent twice is refused, whether Node would join or drop it', async t => {
  for (const name of ['Private-Token', 'JOB-TOKEN'])
    t.match(readCredential([name, token, name.toLowerCase(), token]), { found: 'bad', why: /more than once/ })
  t.match(readCredential(['Authorization', `Bearer ${token}`, 'authorization', `Bearer ${token}`]), {
    found: 'bad'
  })
})

t.test('a variable that the client did not fill in is told as one, and not repeated', async t => {
  const values = [
    `\${FORGE_TOKEN}`,
    '$FORGE_TOKEN',
    `\${env:FORGE_TOKEN_OF_MINE}`,
    '{env:FORGE_TOKEN}',
    '%FORGE_TOKEN%'
  ]
  for (const value of values)
    for (const headers of [
      ['Private-Token', value],
      ['Authorization', `Bearer ${value}`]
    ])
      t.match(readCredential(headers), { found: 'bad', why: /^The header has the name of a variable/ }, value)
})

t.test('what a token cannot be is told by what is wrong with it, and not repeated', async t => {
  const says = {
    'glpat-…': /^A token has 20 to 2048 characters, and this one 7\.$/,
    [`Bearer ${token}`]: /the token alone, with no word before it/,
    [`"${token}"`]: /in quotation marks: leave them out/,
    [`\u00EF\u00BB\u00BF${token}`]: /begins with a byte order mark: save its file without/,
    [`\uFEFF${token}`]: /begins with a byte order mark: save its file without/,
    '<your token>': /has a placeholder in angle brackets/,
    [`<${token}>`]: /has a placeholder in angle brackets/,
    [`oauth2:${token}`]: /a name and a colon before it: give the part behind the colon alone/,
    [`GITLAB_TOKEN=${token}`]: /a name and a = before it: give the part behind the = alone/,
    [`_gitlab_session=${token}`]: /cookie of a browser: make an access token/,
    [`${token} 1`]: /characters that no token has, such as blanks/
  }
  for (const [value, why] of Object.entries(says)) {
    const reading = readCredential(['Private-Token', value])
    t.match(reading, { found: 'bad', why })
    t.notMatch(JSON.stringify(reading), token)
  }
})

t.test('no credential header is no credential', async t => {
  t.same(readCredential(['Host', 'x', 'X-Private-Token', token]), { found: 'none' })
})

t.test('a header that was left empty is none', async t => {
  t.same(readCredential(['Private-Token', '', 'Authorization', '']), { found: 'none' })
  t.match(readCredential(['Private-Token', '', 'Authorization', `Bearer ${token}`]), {
    credential: { kind: 'bearer', token }
  })
})

t.test('what goes to the forge is one header of the kind that came', async t => {
  t.same(credentialHeader({ kind: 'bearer', token }), ['authorization', `Bearer ${token}`])
  t.same(credentialHeader({ kind: 'job-token', token }), ['job-token', token])
  t.same(credentialHeader({ kind: 'private-token', token }), ['private-token', token])
})

t.test('a principal depends on the token alone, and is remembered for a credential', async t => {
  const token = 'glpat-one-one-one-one-one'
  const credential: Credential = { kind: 'bearer', token }
  const principal = principalOf(credential)
  t.match(principal, /^[\da-f]{16}$/)
  t.equal(credential.principal, principal)
  t.equal(principalOf({ kind: 'private-token', token }), principal)
  t.not(principalOf({ kind: 'bearer', token: `${token}2` }), principal)
})
