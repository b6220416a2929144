import { glossary } from './catalog/glossary.ts'
import { instructions } from './catalog/instructions.ts'
import { presets } from './catalog/policy/presets.ts'
import { deletions } from './config/meant-variable.ts'
import { factsOf, sections, type Variable } from './config/schema.ts'
import type { ArgumentSchema } from './engine/arguments/argument-flags.ts'
import { describeTool } from './engine/rows/describe.ts'
import type { ToolRow } from './engine/rows/row.ts'
import type { Toolset } from './engine/rows/toolset.ts'
import type { ToolsetId } from './engine/rows/toolset-id.ts'

/** Prints the configuration reference as Markdown, from the schema. */
export function printConfig(): string {
  const rowOf = (variable: Variable) => {
    const { type, enum: values, default: value, description } = factsOf(variable)
    return `| \`${variable}\` | ${values?.join(', ') ?? type} | ${value === '' || value === undefined ? '' : `\`${value}\``} | ${description.replaceAll('|', '\\|')} |`
  }
  return [
    '# Configuration',
    '',
    'Printed by `npm run docs` from src/config/schema.ts. Each variable is also a flag: `FORGE_API_URL` is',
    '`--forge-api-url=…`, and the flag wins. With a wrong value or combination the server does not start, and names every',
    'problem.',
    '',
    ...sections.flatMap(({ title, variables }) => [
      `## ${title}`,
      '',
      '| Variable | Type | Default | Meaning |',
      '|---|---|---|---|',
      ...variables.map(rowOf),
      '',
      ...(variables.includes('FORGE_DENIED_TOOLS_REGEX') ? forbiddenDeletions : [])
    ])
  ].join('\n')
}

/** In a block of its own: in a table each | has a sign before it, which whoever reads the file itself would copy. */
const forbiddenDeletions = [
  'This `FORGE_DENIED_TOOLS_REGEX` forbids all tools whose purpose is to delete or take away:',
  '',
  '```',
  deletions,
  '```',
  ''
]

/** The part of a catalog that its reference is printed from. */
interface PrintedCatalog {
  readonly toolsets: readonly Toolset[]
  readonly alwaysOn: readonly ToolRow[]
  readonly surfaceTools: readonly ToolRow[]
}

/** Prints the tool reference as Markdown, from the rows. */
export function printTools({ toolsets, alwaysOn, surfaceTools }: PrintedCatalog): string {
  const total = toolsets.reduce((sum, { rows }) => sum + rows.length, alwaysOn.length)
  const chapters = toolsets.flatMap(({ id, summary, rows }) => [
    `## ${id}`,
    '',
    `${summary} ${isDefault(id) ? 'On by default.' : `Opt-in: \`FORGE_TOOLSETS=${id}\` or discover_tools.`} ${rows.length} tools.`,
    '',
    ...rows.flatMap(printTool)
  ])
  return [
    '# Tools',
    '',
    `${total} tools in ${toolsets.length} toolsets. Printed by \`npm run docs\` from the rows in tools/.`,
    '',
    'Projects are named by id or full path, merge requests and issues by their number in the project. Arguments are',
    'required unless they are marked optional. If there are more pages, a second block of the result says so.',
    '`Forge:` names the request that a tool stands for; one without that line makes those that it needs, often',
    'several, or over GraphQL.',
    '',
    'Of what pages of the forge show, the web address may stand for the number or path, and so may a reference of a merge',
    'request or an issue (`group/project!7`, `group/project#7`), beside its project as `project_id`. Tools that delete a',
    'thing, or replace a text of it, refuse the address of a part of it, such as a comment or a line: it was hardly meant',
    'for the whole. As a project, they take the address of that thing, or of a list of such, and of no other.',
    '',
    'Clients see slightly less than this page: names that explain themselves have no description, arguments marked "Not',
    'listed" are accepted but not shown, and what applies to many tools is said once, in the instructions at the start of',
    'a session:',
    '',
    ...instructions.split('\n').map(line => `- ${line}`),
    '',
    '| Toolset | Tools | What for |',
    '|---|---|---|',
    ...toolsets.map(
      ({ id, summary, rows }) =>
        `| [${id}](#${id}) | ${rows.length}${isDefault(id) ? ', on' : ''} | ${summary} |`
    ),
    '',
    '## Always on',
    '',
    ...alwaysOn.flatMap(printTool),
    '## Search surface',
    '',
    'With `FORGE_TOOL_SURFACE=search`, or `X-Forge-Tool-Surface: search` for one request, only these four are listed: a',
    'client finds a tool by what it does and calls it by name. Policy, audit lines and metrics refer to the tool that is',
    'called; through one of the four that is denied nothing is. A pattern that denies all names but some',
    '(`^(?!get_|list_)`) does not deny the four.',
    '',
    ...surfaceTools.flatMap(printTool),
    ...chapters
  ].join('\n')
}

const isDefault = (id: ToolsetId): boolean => presets.default!.toolsets.includes(id)

/** Prints the values of FORGE_TOOLSETS as Markdown, with what listing each costs a client. */
export function printPresets({ toolsets, alwaysOn, surfaceTools }: PrintedCatalog): string {
  const listed = (ids: readonly ToolsetId[]) => [
    ...toolsets.filter(({ id }) => ids.includes(id)).flatMap(({ rows }) => rows),
    ...alwaysOn
  ]
  const cost = (ids: readonly ToolsetId[]) => {
    const rows = listed(ids)
    return `${rows.length} | ${Buffer.byteLength(JSON.stringify(rows.map(row => describeTool(row))))}`
  }
  return [
    '# Presets and toolsets',
    '',
    'Printed by `npm run docs`. `FORGE_TOOLSETS` takes presets and toolsets, comma-separated: `review,ci` is the preset',
    '`review` with the toolset `ci`. A client reads the whole listing at the start of each session, so choose what its',
    'work needs. `discover_tools` activates more within a session; it is always there, and included in the figures. They',
    'are of the revisions up to 2025-11-25 without `FORGE_CONFIRM`: 2026-07-28 adds 3 to 5 %, `confirm` in each writing tool 5',
    'to 7 %.',
    '',
    '| Preset | For | Toolsets | Tools | Bytes of the listing |',
    '|---|---|---|---|---|',
    ...Object.entries(presets).map(
      ([name, { summary, toolsets }]) =>
        `| \`${name}\` | ${summary} | ${name === 'all' ? 'every one' : toolsets.join(', ')} | ${cost(toolsets)} |`
    ),
    '',
    `The search surface (\`FORGE_TOOL_SURFACE=search\`) lists ${surfaceTools.length} tools in ${Buffer.byteLength(JSON.stringify(surfaceTools.map(row => describeTool(row))))} bytes, whatever is switched on.`,
    '',
    '| Toolset | For | Tools | Bytes of the listing |',
    '|---|---|---|---|',
    ...toolsets.map(({ id, summary }) => `| \`${id}\` | ${summary} | ${cost([id])} |`),
    ''
  ].join('\n')
}

/**
 * The meaning of an argument: from the glossary for this tool, else from the row, else from the glossary for all tools.
 */
const meaningOf = (tool: string, name: string, { description }: ArgumentSchema): string =>
  glossary[`${tool}.${name}`] ?? description ?? glossary[name] ?? name

/** Bounds and defaults, in words. */
const limitsOf = ({
  forgeDefault,
  default: value = forgeDefault,
  unlisted,
  ...most
}: ArgumentSchema): string =>
  [
    value !== undefined && ` Default ${value}.`,
    most.maximum !== undefined && ` At most ${most.maximum}.`,
    most.maxItems !== undefined && ` At most ${most.maxItems}.`,
    most.maxLength !== undefined && ` At most ${most.maxLength} characters.`,
    unlisted === true && ' Not listed.'
  ]
    .filter(text => text !== false)
    .join('')

/**
 * Prints the arguments of a tool; those with fields of their own are followed by these. @param prefix of their names
 */
function printFields(
  tool: string,
  { properties = {}, required = [] }: Pick<ArgumentSchema, 'properties' | 'required'>,
  prefix = ''
): string[] {
  return Object.entries(properties).flatMap(([key, field]) => {
    const name = prefix + key
    const type =
      field.enum?.join(', ') ??
      (field.type === 'array' ? `array of ${field.items?.type}` : [field.type].flat().join(' or '))
    const line = `| \`${name}\`${required.includes(key) ? '' : ' (optional)'} | ${type} | ${meaningOf(tool, name, field)}.${limitsOf(field)} |`
    return [line, ...printFields(tool, field, `${name}.`)]
  })
}

function printTool(row: ToolRow): string[] {
  const fields = printFields(row.name, row.input)
  const table =
    fields.length === 0 ? ['No arguments.'] : ['| Argument | Type | Meaning |', '|---|---|---|', ...fields]
  const upstream = row.kind === 'rest' ? [row.request].flat().map(request => `\`${request}\``) : []
  return [
    `### ${row.name}`,
    '',
    `**${row.title}** (${row.class}${row.saves ? ', saves a file on the server' : ''}). ${row.summary}`,
    '',
    ...(upstream.length > 0 ? [`Forge: ${upstream.join(' or ')}`, ''] : []),
    ...table,
    ''
  ]
}
