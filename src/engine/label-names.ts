import type { TObject } from 'typebox'
import type { ToolOutput } from '../results/result.ts'
import { quoted } from '../results/visible.ts'
import type { Arguments } from './checks.ts'
import type { ToolContext } from './context.ts'
import { guessOf } from './problems.ts'
import { sideBySide } from './side-by-side.ts'
import { placeOf } from './template.ts'

/*
 * Labels by names that are none. A forge makes a label of each such name that is set, or leaves it out where the
 * caller may make none, and finds nothing by one that filters; it says so of neither. Which arguments they are,
 * fields.ts says of each.
 */

/** What a call does with labels: it sets them, takes them away, or lists what has them. */
export type LabelUse = 'set' | 'taken' | 'filter'

/** A name that no label has, and whether another one was meant. */
interface Missing {
  readonly use: LabelUse
  readonly name: string
  readonly guess: string | undefined
}

/** What is said when the call is over. */
type Afterwards = (output: ToolOutput) => Promise<readonly string[]>

type Asked = Pick<ToolContext, 'forge' | 'known'>

/** Names of one call that are looked up, and how many at once. */
const MOST = 10
const AT_ONCE = 4
/** Labels of one answer. */
const PAGE = 100

/**
 * Prepares the look at the labels that a call names: before a change, as the forge has them all afterwards; of a list
 * only where it came out empty. It never fails a call.
 * @returns undefined for a tool that takes none
 */
export function labelStep(
  schema: TObject
): ((args: Arguments, context: Asked) => Promise<Afterwards | undefined>) | undefined {
  const uses = Object.entries(schema.properties as Record<string, { labels?: LabelUse }>).flatMap(
    ([argument, { labels: use }]) => (use === undefined ? [] : [[argument, use] as const])
  )
  if (uses.length === 0) return undefined
  return async (args, context) => {
    const named = uses.flatMap(([argument, use]) => namesIn(args[argument], use).map(name => ({ name, use })))
    const place = labelsOf(args)
    if (named.length === 0 || place === undefined) return undefined
    const look = () => missingOf(named.slice(0, MOST), place, args, context)
    if (named.every(({ use }) => use === 'filter'))
      return async ({ value }) => (isFirstPage(args) && isEmpty(value) ? sayAll(await look(), value) : [])
    const missing = await look()
    return async ({ value }) => sayAll(missing, value)
  }
}

const isFirstPage = ({ page = 1 }: Arguments): boolean => Number(page) === 1
const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** None and Any filter by whether there are labels at all. */
function namesIn(value: unknown, use: LabelUse): string[] {
  const names = (Array.isArray(value) ? value : []).map(String).filter(name => name !== '')
  return use === 'filter' ? names.filter(name => !/^(?:none|any)$/i.test(name)) : names
}

const labelsOf = ({ project_id, group_id }: Arguments): string | undefined => {
  if (project_id !== undefined) return 'GET /projects/{project_id}/labels'
  return group_id === undefined ? undefined : 'GET /groups/{group_id}/labels'
}

type Named = Pick<Missing, 'name' | 'use'>

/** Those of the names that no label has. Whoever may not read labels is told nothing of them. */
async function missingOf(
  named: readonly Named[],
  place: string,
  args: Arguments,
  context: Asked
): Promise<readonly Missing[]> {
  const { path } = placeOf(place, args)
  const keyOf = (name: string) => `label ${path} ${name}`
  const unknown = named.filter(({ name }) => context.known.recall(keyOf(name)) === undefined)
  if (unknown.length === 0) return []
  try {
    const some = await namesOf({}, place, args, context)
    // Of very many labels the ones in question are looked for.
    const listFor = (name: string) =>
      some.length < PAGE ? some : namesOf({ search: name }, place, args, context)
    const missing = await sideBySide(unknown, AT_ONCE, async ({ name, use }) => {
      const names = await listFor(name)
      if (names.length >= PAGE && !names.includes(name)) return []
      if (!names.includes(name)) return [{ use, name, guess: guessOf(name, names) }]
      // That there is none is not kept: one may be made at any time.
      await context.known.remember(keyOf(name), async () => name)
      return []
    })
    return missing.flat()
  } catch {
    return []
  }
}

/** Names of labels, at most a page. */
async function namesOf(
  filter: Readonly<Record<string, string>>,
  place: string,
  args: Arguments,
  { forge }: Asked
): Promise<readonly string[]> {
  const query = `${new URLSearchParams({ ...filter, per_page: String(PAGE) })}`
  const { value } = await forge.send({ method: 'GET', ...placeOf(place, args, query) })
  return (Array.isArray(value) ? value : []).slice(0, PAGE).map(label => String(nameOf(label)))
}

/** @param value what the call gave: of a change the record as it is now */
const sayAll = (missing: readonly Missing[], value: unknown): readonly string[] => {
  const now = (value as { labels?: unknown } | undefined)?.labels
  const set = Array.isArray(now) ? new Set(now.map(nameOf)) : undefined
  return missing.map(one => say(one, set?.has(one.name)))
}

const nameOf = (label: unknown): unknown =>
  typeof label === 'object' ? (label as { name?: unknown } | null)?.name : label

/** @param isSet whether the record has it now; undefined where that is not told */
function say({ use, name, guess }: Missing, isSet: boolean | undefined): string {
  const there = `There ${use === 'set' ? 'was' : 'is'} no label ${quoted(name)}`
  const about = guess ?? 'list_labels has those there are.'
  if (use === 'taken') return `${there} to take away: ${about}`
  if (use === 'filter') return `${there}: ${about} labels=None lists what has no label.`
  if (isSet === undefined) return `${there}: ${about}`
  return `${there}, ${isSet ? 'and now there is one' : 'and it is not set, as you may make none'}: ${about}`
}
