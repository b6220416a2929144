import { toolsIn } from './composed.ts'
import type { PromptRow } from './row.ts'

/** The reference of prompts as Markdown, printed from the rows. */
export function printPrompts(rows: readonly PromptRow[]): string {
  return [
    '# Prompts',
    '',
    'Printed by `npm run docs` from the rows in prompts/ and resources/ ([resources](#resources) stand at the end). A',
    'prompt is for people: a client shows them in a menu or as a command, asks for the arguments, and sends the model what comes of it: what is wanted, and step by step which tools',
    'to use. Only tools that the caller may use are named, under the policy that holds for calls; a prompt whose own',
    'tools are off is not offered. Everything that changes something in the forge waits for the person to agree.',
    '`FORGE_PROMPTS=false` switches prompts off.',
    '',
    ...rows.flatMap(printPrompt)
  ].join('\n')
}

function printPrompt({ name, title, description, arguments: declared, needs, steps }: PromptRow): string[] {
  const used = [...new Set(steps({}).flat().flatMap(toolsIn))].filter(tool => !needs.includes(tool))
  const rows = Object.entries(declared).map(
    ([name, { description, required }]) => `| \`${name}\`${required ? '' : ' (optional)'} | ${description}. |`
  )
  const table = rows.length === 0 ? [] : ['| Argument | Meaning |', '|---|---|', ...rows, '']
  const codes = (names: readonly string[]) => names.map(tool => `\`${tool}\``).join(', ')
  return [
    `## ${name}`,
    '',
    `**${title}.** ${description}`,
    '',
    ...table,
    `Needs ${codes(needs)}; uses ${codes(used)} where they may be used.`,
    ''
  ]
}
