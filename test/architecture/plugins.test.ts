import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { filesOf, root, textOf } from '../support/sources.ts'

/** The rooms of plugins/, each of which uses its own and what those before it decorate. */
const rooms = ['operations', 'edge', 'forges', 'sessions', 'oauth', 'features', 'mcp', 'routes']

const roomOf = (plugin: string) => plugin.split('/', 1)[0]!

/** The plugins that one names as what it depends on. */
const namedIn = (text: string) =>
  [...(/dependencies: \[([^\]]*)\]/.exec(text)?.[1] ?? '').matchAll(/'([^']+)'/g)].map(([, name]) => name!)

t.test('every plugin is in one of the rooms of plugins/', async t => {
  t.same(readdirSync(join(root, 'plugins')).sort(), rooms.toSorted())
})

t.test('a plugin depends on those of its own room, and of the rooms before it', async t => {
  t.same(
    filesOf('plugins').flatMap(file =>
      namedIn(textOf(file))
        .filter(name => {
          const room = rooms.indexOf(roomOf(name))
          return room === -1 || room > rooms.indexOf(roomOf(file.slice('plugins/'.length)))
        })
        .map(name => `${file} → ${name}`)
    ),
    []
  )
})

t.test('the fp name of a plugin is its path in plugins/', async t => {
  t.same(
    filesOf('plugins').filter(file => !textOf(file).includes(`name: '${file.slice('plugins/'.length, -3)}'`)),
    []
  )
})

t.test('a plugin names each plugin whose decorator it uses, as Fastify checks no other', async t => {
  const texts = filesOf('plugins').map(file => ({ file, text: textOf(file) }))
  const provider = new Map<string, string>()
  const nameOf = (text: string) => /\bname: '([^']+)'/.exec(text.slice(text.indexOf("fastify: '5.x'")))![1]!
  for (const { text } of texts)
    for (const [, decorator] of text.matchAll(/fastify\s*\.decorate\(\s*'(\w+)'/g))
      provider.set(decorator!, nameOf(text))
  t.equal(provider.get('forges'), 'forges/upstream')
  const missing = texts.flatMap(({ file, text }) => {
    const taken = [...text.matchAll(/const \{([^}]*)\} = fastify$/gm)].flatMap(([, names]) =>
      names!.split(',').map(name => name.trim().split(':', 1)[0]!)
    )
    const passed = [...text.matchAll(/\{([\w\s,]*)\}: FastifyInstance/g)].flatMap(([, names]) =>
      names!.split(',').map(name => name.trim())
    )
    const read = [...text.matchAll(/\b(?:fastify|server)\.(\w+)/g)].map(([, name]) => name!)
    const named = namedIn(text)
    const needs = new Set([...taken, ...passed, ...read].flatMap(name => provider.get(name) ?? []))
    needs.delete(nameOf(text))
    return [...needs].filter(plugin => !named.includes(plugin)).map(plugin => `${file} → ${plugin}`)
  })
  t.same(missing, [])
})

t.test('an MCP route outside the guarded scope does not start', async t => {
  const { default: Fastify } = await import('fastify')
  const { default: mcp } = await import('../../plugins/routes/mcp.ts')
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await t.rejects(
    async () => {
      await fastify.register(mcp)
      await fastify.ready()
    },
    { message: /bearer-guard|caller/ }
  )
})
