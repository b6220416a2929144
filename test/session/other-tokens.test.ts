import t from 'tap'
import { checkSettings } from '../../src/config/load.ts'
import { startNotes } from '../../src/config/notes.ts'
import { otherToken } from '../../src/session/other-tokens.ts'

const rest = 'own-own-own-own-own-own'

t.test('what a token is that opens nothing here is known by its beginning', async t => {
  for (const [begins, kind] of [
    ['gldt-', 'a deploy token'],
    ['glrt-t1_', 'a runner'],
    ['glft-', 'a feed token'],
    ['glsoat-', 'SCIM'],
    ['glcbt-', 'JOB-TOKEN alone'],
    ['ghp_', 'GitHub'],
    ['github_pat_', 'GitHub']
  ] as const) {
    const says = otherToken(begins + rest)
    t.match(says, kind)
    t.match(says, /: make a personal, project or group access token/)
    t.notMatch(says, rest)
  }
  for (const token of [`glpat-${rest}`, rest, 'glider-of-the-whole-company'])
    t.equal(otherToken(token), undefined)
})

t.test('a token of a job, or of another kind that opens nothing, is noted at the start', async t => {
  const notes = (FORGE_PERSONAL_ACCESS_TOKEN: string) =>
    startNotes(checkSettings({ STREAMABLE_HTTP: 'false', FORGE_PERSONAL_ACCESS_TOKEN })).join('\n')
  t.match(notes(`glcbt-${rest}`), /^FORGE_PERSONAL_ACCESS_TOKEN: .* the token of a CI job/)
  t.match(
    notes(`gloas-${rest}`),
    /the secret of an OAuth application: .* FORGE_OAUTH_APP_SECRET may be meant\.$/
  )
  t.notMatch(notes(`gldt-${rest}`), / may be meant/, 'no variable is for that')
  t.equal(notes(`glpat-${rest}`), '')
})
