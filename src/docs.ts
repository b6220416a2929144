import { glossary } from './catalog/glossary.ts'
import type { ToolRow } from './catalog/row.ts'
import type { Toolset } from './catalog/toolset.ts'
import { factsOf, variables } from './config/schema.ts'

/** The configuration reference as Markdown, printed from the schema. */
export function printConfig(): string {
  const rows = variables.map(variable => {
    const { type, enum: values, default: value, description } = factsOf(variable)
    return `| \`${variable}\` | ${values?.join(', ') ?? type} | ${value === '' || value === undefined ? '' : `\`${value}\``} | ${description} |`
  })
  return [
    '# Configuration',
    '',
    'Printed by `npm run docs` from src/config/schema.ts. Each variable is also a flag: `FORGE_API_URL` is',
    '`--forge-api-url=…`, and the flag wins. A bad value or combination stops the start, with every problem named.',
    '',
    '| Variable | Type | Default | Meaning |',
    '|---|---|---|---|',
    ...rows,
    ''
  ].join('\n')
}

interface Field {
  type?: string
  enum?: readonly string[]
  items?: { type?: string }
  description?: string
  default?: unknown
}

interface PrintedCatalog {
  readonly toolsets: readonly Toolset[]
  readonly alwaysOn: readonly ToolRow[]
}

/** The tool reference as Markdown, printed from the rows. */
export function printTools({ toolsets, alwaysOn }: PrintedCatalog): string {
  const total = toolsets.reduce((sum, { rows }) => sum + rows.length, alwaysOn.length)
  const chapters = toolsets.flatMap(({ id, summary, isDefault, rows }) => [
    `## ${id}`,
    '',
    `${summary} ${isDefault ? 'On by default.' : `Opt-in: \`FORGE_TOOLSETS=${id}\` or discover_tools.`} ${rows.length} tools.`,
    '',
    ...rows.flatMap(printTool)
  ])
  return [
    '# Tools',
    '',
    `${total} tools in ${toolsets.length} toolsets. Printed by \`npm run docs\` from the rows in tools/.`,
    '',
    'A project is named by its id or full path, merge requests and issues by their number in the project. What is not',
    'marked optional is required. Lists say in a second block of the result when there are more pages.',
    '',
    '## Always on',
    '',
    ...alwaysOn.flatMap(printTool),
    ...chapters
  ].join('\n')
}

/** In a row's words, or in those of the glossary. */
const meaningOf = (name: string, { description }: Field): string => description ?? glossary[name] ?? name

function printTool(row: ToolRow): string[] {
  const required = new Set(row.input.required ?? [])
  const fields = Object.entries(row.input.properties as Record<string, Field>).map(([name, field]) => {
    const type =
      field.enum?.join(', ') ?? (field.type === 'array' ? `array of ${field.items?.type}` : field.type)
    const value = field.default === undefined ? '' : ` Default ${String(field.default)}.`
    return `| \`${name}\`${required.has(name) ? '' : ' (optional)'} | ${type} | ${meaningOf(name, field)}.${value} |`
  })
  const table =
    fields.length === 0 ? ['No arguments.'] : ['| Argument | Type | Meaning |', '|---|---|---|', ...fields]
  const upstream = row.kind === 'rest' ? [row.request].flat().map(request => `\`${request}\``) : []
  return [
    `### ${row.name}`,
    '',
    `**${row.title}** (${row.class}). ${row.summary}`,
    '',
    ...(upstream.length > 0 ? [`Forge: ${upstream.join(' or ')}`, ''] : []),
    ...table,
    ''
  ]
}
