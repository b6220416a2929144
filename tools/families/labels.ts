import type { Arguments } from '../../src/engine/checks.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { guessOf } from '../../src/engine/problems.ts'
import { readParts } from '../../src/engine/side-by-side.ts'
import { placeOf } from '../../src/engine/template.ts'

/** Labels that are read to see whether one is among them; where there are more, nothing is said. */
const PAGE = 100
/** Words that are no labels in a filter. */
const filters = ['none', 'any']

/**
 * Says of an empty list whether a label that it was filtered by does not exist, with the one that was likely meant.
 * @returns undefined where all exist, and where that cannot be told
 */
export async function missingLabels(
  value: unknown,
  args: Arguments,
  { forge }: ToolContext
): Promise<string | undefined> {
  const wanted = ((args.labels ?? []) as readonly string[]).filter(
    label => !filters.includes(label.toLowerCase())
  )
  const holder = args.project_id === undefined ? 'groups/{group_id}' : 'projects/{project_id}'
  if (!Array.isArray(value) || value.length > 0 || wanted.length === 0) return undefined
  if (args.project_id === undefined && args.group_id === undefined) return undefined
  const place = placeOf(`GET /${holder}/labels`, args, `per_page=${PAGE}`)
  const { labels } = await readParts({
    labels: async () => (await forge.send({ method: 'GET', ...place })).value
  })
  const names = (Array.isArray(labels.value) ? labels.value : []).map(({ name }) => String(name))
  if (names.length === 0 || names.length >= PAGE) return undefined
  const missing = wanted.find(label => !names.includes(label))
  if (missing === undefined) return undefined
  const guess = guessOf(missing, names) ?? 'list_labels has those there are.'
  return `There is no label ${JSON.stringify(missing)}: ${guess} labels=None lists what has no label.`
}
