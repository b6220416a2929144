import t from 'tap'
import { resources as rows } from '../../resources/index.ts'
import { Catalog } from '../../src/catalog/catalog.ts'
import { Resources } from '../../src/resources/resources.ts'
import { uriTemplate } from '../../src/resources/uri-template.ts'
import { toolsets } from '../../tools/index.ts'

const catalog = new Catalog()
for (const toolset of toolsets) catalog.add(toolset)

t.test('each resource is read by a tool that only reads, and fills in arguments that it has', async t => {
  for (const row of rows) {
    const tool = catalog.find(row.tool)
    t.equal(tool?.class, 'read', row.name)
    const variables = Object.fromEntries(uriTemplate(row.uri).variables.map(name => [name, '1']))
    const args = row.arguments?.(variables) ?? variables
    t.same(
      Object.keys(args).filter(name => !tool?.inputs.has(name)),
      [],
      row.name
    )
  }
})

t.test('no URI is of two resources', async t => {
  const values = new Proxy({}, { get: (_, name) => `${String(name)}/x` })
  for (const row of rows) {
    const uri = uriTemplate(row.uri).expand(values)
    t.same(
      rows.filter(other => uriTemplate(other.uri).match(uri) !== undefined).map(({ name }) => name),
      [row.name]
    )
  }
})

t.test('a link names a resource of the view, and none that it may not read', async t => {
  const resources = new Resources(catalog)
  for (const row of rows) resources.add(row)
  const all = catalog.policy.viewOf(['all'])
  t.same(resources.link('job_log', { project_id: 'a/b', job_id: 5 }, all), {
    type: 'resource_link',
    uri: 'forge://projects/a%2Fb/jobs/5/log',
    name: '5',
    title: 'Job log',
    mimeType: 'text/plain'
  })
  t.equal(resources.link('job_log', { project_id: 'a/b', job_id: 5 }, { ...all, within: 1 }), undefined)
  t.equal(resources.link('job', {}, all), undefined)
  t.throws(() => resources.add(rows[0]!), /exists already/)
})
