import t from 'tap'
import { checkSettings } from '../../src/config/load.ts'
import { notesOn } from '../../src/config/notes.ts'

const config = checkSettings({ HOST: '0.0.0.0', LOG_LEVEL: 'warn', FORGE_DENIED_TOOLS_REGEX: '^erase' })
const tools = ['get_issue']

t.test('at the start, all of a configuration is noted', async t => {
  t.match(notesOn(config, tools, undefined), [/^LOG_LEVEL/, /^Any Host/, /^FORGE_DENIED_TOOLS_REGEX/])
})

t.test('later, what changed is noted, and nothing that was said before', async t => {
  t.match(notesOn(config, tools, ['LOG_LEVEL']), [/^LOG_LEVEL/])
  t.match(notesOn(config, tools, ['FORGE_DENIED_TOOLS_REGEX']), [/^FORGE_DENIED_TOOLS_REGEX/])
  t.same(notesOn(config, tools, ['OAUTH_STATELESS_SECRET']), [])
})

t.test('of whoever does not know the tools, nothing is said of their names', async t => {
  t.same(notesOn(config, undefined, ['FORGE_DENIED_TOOLS_REGEX']), [])
})
