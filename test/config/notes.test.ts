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

t.test('of a pattern that denies no tool in a part it is said which, and what may be meant', async t => {
  const names = ['delete_branch', 'merge_merge_request', 'get_issue']
  const notes = (pattern: string) =>
    notesOn(checkSettings({ FORGE_DENIED_TOOLS_REGEX: pattern }), names, undefined)
  const told = [
    /: a part of it matches the name of no tool: \^merge_merge_requets\$\. merge_merge_request may be meant\.$/
  ]
  t.match(notes('^delete_branch$|^merge_merge_requets$'), told)
  t.match(notes('^(delete_branch|merge_merge_requets)$'), told)
  t.match(notes('(?:delete_branch|^purge_)'), [/no tool: \^purge_\.$/])
  t.match(notes('^(delete|remvoe)_'), [/no tool: \^remvoe_\.$/])
  t.match(notes('^delete_(?:branch|brnch)$'), [/no tool: \^delete_brnch\$\. delete_branch may be meant\.$/])
  t.match(notes('^get_|^(merge_merge|megre)_'), [/no tool: \^megre_\.$/])
  t.match(notes('^((delete|erase)_branch|get_issue)$'), [/no tool: \^erase_branch\$\.$/])
  for (const pattern of [
    '^(delete|merge)_',
    '^delete_(branch|)',
    '^delete_(branch|x)?',
    '^delete_(branch|x)*$|(e|i)t_.*\\1$',
    '^(?=[(|]|d)',
    '^delete_|^merge_',
    '[d|x]elete',
    '(a|d)(e|x)',
    '^(?!get_|list_)'
  ])
    t.same(notes(pattern), [], pattern)
  t.same(notes(`${'(?:'.repeat(1_500)}delete_${')'.repeat(1_500)}`), [], 'groups deep within each other')
  t.match(notes('^delete_brnch$'), [/denies nothing\. delete_branch may be meant\.$/])
  t.match(notes('delete merge'), [/denies nothing\. Names have no blanks, and are parted by \|\.$/])
})
