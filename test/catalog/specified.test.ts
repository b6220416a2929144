import t from 'tap'
import { describeTool } from '../../src/engine/rows/describe.ts'
import type { ListedSchema } from '../../src/engine/rows/listed-schema.ts'
import { toolsets } from '../../tools/index.ts'
import { specified } from './specified.ts'

/** The names of a listing, those of the fields of objects and of arrays' items by their paths. */
const namesIn = ({ properties = {} }: ListedSchema, prefix = ''): string[] =>
  Object.entries(properties).flatMap(([name, field]) => [
    prefix + name,
    ...namesIn(field.items ?? field, `${prefix}${name}.`)
  ])

const rows = toolsets.flatMap(({ rows }) => rows)

t.test(
  'every argument that the specification names is listed, as strict clients send nothing else',
  async t => {
    const unlisted = [...specified].flatMap(([tool, names]) => {
      const row = rows.find(({ name }) => name === tool)
      const listed = row === undefined ? [] : namesIn(describeTool(row).inputSchema)
      return names.filter(name => !listed.includes(name)).map(name => `${tool} ${name}`)
    })
    t.same(unlisted, [])
  }
)
