import t from 'tap'
import { resources as rows } from '../../resources/index.ts'
import { Catalog } from '../../src/catalog/catalog.ts'
import { Resources } from '../../src/resources/resources.ts'
import { uriTemplate } from '../../src/resources/uri-template.ts'
import { toolsets } from '../../tools/index.ts'
import { cpuMsOf } from '../support/event-loop.ts'

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

const resources = new Resources(catalog)
for (const row of rows) resources.add(row)
const all = catalog.policy.viewOf(['all'])

t.test('a link names a resource of the view, and none that it may not read', async t => {
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

t.test('a link is made of numbers and short texts alone, whatever a forge sends in their place', async t => {
  const linkOf = (job_id: unknown) => resources.link('job_log', { project_id: 'a/b', job_id }, all)
  for (const id of [
    '',
    '!'.repeat(5_000),
    'ä'.repeat(4_000),
    '\ud800',
    {},
    [5],
    null,
    undefined,
    0.5,
    Number.NaN
  ])
    t.equal(linkOf(id), undefined, JSON.stringify(id)?.slice(0, 20))
  const { uri } = linkOf('!'.repeat(2_500))!
  t.match(resources.find(uri), { args: { job_id: '!'.repeat(2_500) } }, 'and can be read')
})

t.test('what cannot be a link costs nothing', async t => {
  const values = { project_id: 'a/b', job_id: '!'.repeat(9_000_000) }
  const took = await cpuMsOf(() => {
    resources.link('job_log', values, all)
  })
  t.ok(took < 200, `${took} ms`)
})
