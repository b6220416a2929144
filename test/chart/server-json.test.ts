import { readFileSync } from 'node:fs'
import t from 'tap'
import { variables } from '../../src/config/schema.ts'

const read = (file: string) => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'))
const entry = read('server.json')
const { name, version } = read('package.json')

t.test('the registry entry names this package and version', async t => {
  t.equal(entry.version, version)
  t.match(entry.packages, [{ identifier: name, version }])
})

t.test('it keeps to the registry’s limits', async t => {
  t.match(entry.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
  t.ok(entry.description.length <= 100)
})

t.test('its variables are variables of the service, and its stdio package serves stdio', async t => {
  const named: { name: string; value?: string }[] = entry.packages[0].environmentVariables
  for (const { name } of named) t.ok((variables as string[]).includes(name), name)
  t.match(named, [{ name: 'STREAMABLE_HTTP', value: 'false' }])
})

t.test('chart, image and package have one version', async t => {
  const chart = readFileSync(new URL('../../helm/Chart.yaml', import.meta.url), 'utf8')
  t.match(chart, new RegExp(`^appVersion: ${version}$`, 'm'))
  t.match(readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8'), `ARG VERSION=${version}\n`)
})
