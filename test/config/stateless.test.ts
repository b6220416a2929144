import { createHash } from 'node:crypto'
import t from 'tap'
import { MAX_CALL_SECONDS } from '../../src/base/longest-call.ts'
import { readCommandLine } from '../../src/config/argv.ts'
import { checkSettings, type Settings } from '../../src/config/load.ts'
import { startNotes } from '../../src/config/notes.ts'
import { problemsOf } from '../support/config.ts'
import { secretOf } from '../support/sealing.ts'

const secret = secretOf('one')
const mode = { OAUTH_STATELESS_MODE: 'true', OAUTH_STATELESS_SECRET: secret }
const token = 'glpat-secret-secret-secret'

t.test(
  'stateless mode starts with a good secret, spelled either way, and with another previous one',
  async t => {
    for (const settings of [
      mode,
      { ...mode, OAUTH_STATELESS_SECRET: Buffer.from(secret, 'base64url').toString('base64') },
      { ...mode, OAUTH_STATELESS_SECRET_PREVIOUS: secretOf('two') },
      { ...mode, OAUTH_STATELESS_SESSION_TTL_SECONDS: '1' },
      { ...mode, OAUTH_STATELESS_SID_REUSE_SECONDS: '3600' }
    ])
      t.same(problemsOf(settings), [], JSON.stringify(Object.keys(settings)))
  }
)

t.test('stateless mode does not start with what would not work, and prints no secret', async t => {
  const cases: [Settings, RegExp][] = [
    [{ OAUTH_STATELESS_MODE: 'true' }, /needs OAUTH_STATELESS_SECRET/],
    [{ ...mode, OAUTH_STATELESS_SECRET: 'short' }, /^OAUTH_STATELESS_SECRET must be base64url/],
    [{ ...mode, OAUTH_STATELESS_SECRET: 'A'.repeat(42) }, /^OAUTH_STATELESS_SECRET must be base64url/],
    [{ ...mode, OAUTH_STATELESS_SECRET: `${secret}!` }, /^OAUTH_STATELESS_SECRET must be base64url/],
    [
      { ...mode, OAUTH_STATELESS_SECRET: createHash('sha256').update('x').digest('base64url').slice(0, 40) },
      /^OAUTH_STATELESS_SECRET must be base64url/
    ],
    [{ ...mode, OAUTH_STATELESS_SECRET_PREVIOUS: 'not good' }, /PREVIOUS must be base64url/],
    [{ ...mode, OAUTH_STATELESS_SECRET_PREVIOUS: secret }, /PREVIOUS must differ/],
    [
      { ...mode, OAUTH_STATELESS_SECRET_PREVIOUS: Buffer.from(secret, 'base64url').toString('base64') },
      /PREVIOUS must differ/
    ],
    [{ ...mode, FORGE_PERSONAL_ACCESS_TOKEN: token }, /set REMOTE_AUTHORIZATION=true/],
    [
      { ...mode, FORGE_PERSONAL_ACCESS_TOKEN: token, REMOTE_AUTHORIZATION: 'false' },
      /OAUTH_STATELESS_MODE=true .* set REMOTE_AUTHORIZATION=true/
    ],
    [{ ...mode, STREAMABLE_HTTP: 'false', FORGE_PERSONAL_ACCESS_TOKEN: token }, /set STREAMABLE_HTTP=true/],
    [
      { ...mode, OAUTH_STATELESS_SID_REUSE_SECONDS: '61', OAUTH_STATELESS_SESSION_TTL_SECONDS: '60' },
      /SID_REUSE_SECONDS must not exceed/
    ],
    [{ ...mode, OAUTH_STATELESS_SID_REUSE_SECONDS: '3601' }, /SID_REUSE_SECONDS must not exceed/],
    [
      { ...mode, OAUTH_STATELESS_SESSION_TTL_SECONDS: '0' },
      /SESSION_TTL_SECONDS must be a whole number from 1/
    ],
    [
      { ...mode, OAUTH_STATELESS_SESSION_TTL_SECONDS: '-5' },
      /SESSION_TTL_SECONDS must be a whole number from 1/
    ],
    [
      { ...mode, OAUTH_STATELESS_SESSION_TTL_SECONDS: 'NaN' },
      /SESSION_TTL_SECONDS must be a whole number from 1/
    ],
    [
      { ...mode, OAUTH_STATELESS_SESSION_TTL_SECONDS: '1e99' },
      /SESSION_TTL_SECONDS must be a whole number from 1/
    ]
  ]
  for (const [settings, says] of cases) {
    const problems = problemsOf(settings).join('\n')
    t.match(problems, says)
    for (const hidden of [token, secret.slice(0, 20), 'AAAAAAAA', 'not good']) t.notMatch(problems, hidden)
  }
})

t.test(
  'without the mode secrets have to be good too, as what clients bring back is sealed by them',
  async t => {
    const bad = { OAUTH_STATELESS_SECRET: 'short', OAUTH_STATELESS_SECRET_PREVIOUS: 'short' }
    t.match(problemsOf(bad), [
      /^OAUTH_STATELESS_SECRET must be base64url/,
      /^OAUTH_STATELESS_SECRET_PREVIOUS must be base64url/
    ])
    t.same(problemsOf({ OAUTH_STATELESS_SECRET: secret }), [])
    t.match(problemsOf({ OAUTH_STATELESS_SECRET: secret, OAUTH_STATELESS_SECRET_PREVIOUS: secret }), [
      /PREVIOUS must differ/
    ])
  }
)

t.test('replicas that ask people and share no secret are told so at the start', async t => {
  const notes = (settings: Settings) => startNotes(checkSettings(settings)).join('\n')
  const asks = { FORGE_CONFIRM: 'destructive', HOST: '0.0.0.0' }
  t.match(notes(asks), /FORGE_CONFIRM: with several replicas set OAUTH_STATELESS_SECRET/)
  for (const fine of [{ FORGE_CONFIRM: 'off' }, { HOST: '127.0.0.1' }, { OAUTH_STATELESS_SECRET: secret }])
    t.notMatch(notes({ ...asks, ...fine }), /FORGE_CONFIRM/)
})

t.test('session ids that end with the longest call are told of at the start', async t => {
  const age = (seconds: number) => ({ OAUTH_STATELESS_SESSION_TTL_SECONDS: String(seconds) })
  const notes = (settings: Settings) => startNotes(checkSettings({ ...mode, ...settings })).join('\n')
  const told = /session ids end after (\d+) seconds, and a call may take 125\./
  t.equal(told.exec(notes(age(MAX_CALL_SECONDS)))?.[1], '125')
  t.equal(told.exec(notes({ SESSION_TIMEOUT_SECONDS: '60' }))?.[1], '60')
  t.notMatch(notes(age(MAX_CALL_SECONDS + 1)), told)
  t.notMatch(notes({ ...age(60), OAUTH_STATELESS_MODE: 'false' }), told)
})

t.test('the TTL of a sealed session is that of a session, unless it is set', async t => {
  t.equal(checkSettings({ SESSION_TIMEOUT_SECONDS: '7' }).OAUTH_STATELESS_SESSION_TTL_SECONDS, undefined)
  t.equal(checkSettings({ OAUTH_STATELESS_SESSION_TTL_SECONDS: '9' }).OAUTH_STATELESS_SESSION_TTL_SECONDS, 9)
})

t.test('flags have the names of the variables, with or without the unit', async t => {
  const { flags, problems } = readCommandLine([
    '--oauth-stateless-mode=true',
    `--oauth-stateless-secret=${secret}`,
    '--oauth-stateless-session-ttl',
    '60'
  ])
  t.same(flags, {
    OAUTH_STATELESS_MODE: 'true',
    OAUTH_STATELESS_SECRET: secret,
    OAUTH_STATELESS_SESSION_TTL_SECONDS: '60'
  })
  t.same(problems, [])
  t.same(readCommandLine(['--oauth-stateless-session-ttl-seconds=60']).flags, {
    OAUTH_STATELESS_SESSION_TTL_SECONDS: '60'
  })
})

t.test(
  'of a secret in several lines, as longer outputs of openssl are, it is said that it is one',
  async t => {
    const lines = `${Buffer.alloc(48, 'abcdefg').toString('base64')}\n${Buffer.alloc(16, 'hij').toString('base64')}`
    const broken = / openssl rand -base64 48\. It is one line, without blanks\.$/
    t.match(problemsOf({ OAUTH_STATELESS_SECRET: lines }), [broken])
    t.match(problemsOf({ OAUTH_STATELESS_SECRET_PREVIOUS: lines }), [broken])
  }
)
