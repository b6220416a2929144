import t from 'tap'
import { Type } from 'typebox'
import { Catalog } from '../../src/catalog/catalog.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { rest } from '../../src/engine/rows/row.ts'
import { toolsets } from '../../tools/index.ts'

t.test(
  'a tool is made ready by its first use, so that a start takes no longer with more of them',
  async t => {
    const catalog = new Catalog()
    catalog.addTool(
      rest({
        name: 'get_thing',
        class: 'read',
        title: 'Thing',
        summary: 'Get a thing.',
        input: Type.Object({}),
        request: 'GET written/wrongly'
      })
    )
    const tool = catalog.find('get_thing')!
    t.throws(() => tool.prepare(), /written\/wrongly/)
  }
)

t.test('every row can be made ready', async t => {
  const catalog = new Catalog()
  for (const toolset of toolsets) catalog.add(toolset)
  const faults: string[] = []
  for (const { rows } of toolsets)
    for (const { name } of rows) {
      const tool = catalog.find(name)!
      try {
        tool.prepare()
      } catch (error) {
        faults.push(`${name}: ${error}`)
      }
      const [plain, mirroring] = [false, true].map(mirrors => tool.definition(new Set(), mirrors).length)
      if (plain! >= mirroring! && tool.mirrored.size > 0) faults.push(`${name} mirrors nothing`)
    }
  t.same(faults, [])
})

t.test('of arguments with more names than any tool has no step looks at one', async t => {
  const named = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`x${at}`, 'a']))
  const unread = new Proxy(named, {
    get: (args, name) => (name in args ? t.fail(`${String(name)} was read`) : undefined)
  })
  const catalog = new Catalog()
  for (const toolset of toolsets) catalog.add(toolset)
  const context = { forge: { webUrl: 'https://forge.example' } } as unknown as ToolContext
  await t.rejects(catalog.find('get_issue')!.run(unread, context), /has 201 names, and may have 200/)
})
