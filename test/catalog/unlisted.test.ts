import t from 'tap'
import { Catalog } from '../../src/catalog/catalog.ts'
import type { PolicySettings } from '../../src/catalog/policy/policy.ts'
import { howListed } from '../../src/catalog/unlisted.ts'
import { discoverTools } from '../../tools/discovery/index.ts'
import { toolsets } from '../evidence/support/toolsets.ts'

function said(text: string, settings: Partial<PolicySettings> = {}, names: readonly string[] = []) {
  const catalog = new Catalog(settings)
  catalog.addTool(discoverTools)
  for (const toolset of toolsets) catalog.add(toolset)
  return howListed(text, 'get_issue', catalog, catalog.policy.viewOf(names))
}

const text = 'no milestone has that title; list_milestones has those there are.'
const how = 'list_milestones is not listed: discover_tools with category=planning gives it.'

t.test('a tool that a text names and that is not listed: which toolset lists it', async t => {
  t.equal(said(text), how)
  t.equal(said(`${text} ${text}`), how, 'once')
  t.equal(
    said('get_commit and list_tags have those there are; find_users finds people.'),
    'get_commit and list_tags are not listed: discover_tools with category=repository gives them. find_users is not listed: discover_tools with category=people gives it.'
  )
})

t.test('nothing is said of tools that are listed or cannot be, nor of other words', async t => {
  t.equal(said(text, {}, ['planning']), undefined)
  t.equal(said(text, { surface: 'search' }), undefined, 'all tools are called through others')
  t.equal(said(text, { denied: /list_milestones/ }), undefined)
  t.equal(said(text, { denied: /discover_tools/ }), undefined)
  t.equal(said('get_issue is what was called', {}, ['wiki']), undefined)
  t.equal(said('list_issues takes milestone_id, no_such_tool, __proto__ and search.'), undefined)
})

t.test('a long text is read at its beginning, and a few tools are told of', async t => {
  t.equal(said(`${'x '.repeat(2000)}${text}`), undefined)
  const names = 'list_tags get_commit get_tag get_file_contents list_commits'
  t.match(said(names), /^list_tags and get_commit and get_tag and get_file_contents are not listed/)
})
