import t from 'tap'
import { filesOf, textOf } from '../support/sources.ts'

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
  t.equal(provider.get('forges'), 'upstream')
  const missing = texts.flatMap(({ file, text }) => {
    const taken = [...text.matchAll(/const \{([^}]*)\} = fastify$/gm)].flatMap(([, names]) =>
      names!.split(',').map(name => name.trim().split(':', 1)[0]!)
    )
    const passed = [...text.matchAll(/\{([\w\s,]*)\}: FastifyInstance/g)].flatMap(([, names]) =>
      names!.split(',').map(name => name.trim())
    )
    const read = [...text.matchAll(/\b(?:fastify|server)\.(\w+)/g)].map(([, name]) => name!)
    const named = /dependencies: \[([^\]]*)\]/.exec(text)?.[1] ?? ''
    const needs = new Set([...taken, ...passed, ...read].flatMap(name => provider.get(name) ?? []))
    needs.delete(nameOf(text))
    return [...needs].filter(plugin => !named.includes(`'${plugin}'`)).map(plugin => `${file} → ${plugin}`)
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
