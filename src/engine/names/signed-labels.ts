import type { TObject } from 'typebox'
import { recordsIn } from '../../results/is-record.ts'
import { ArgumentError } from '../../results/problem.ts'
import { quoted } from '../../results/visible.ts'
import { argumentsOf } from '../arguments/argument-flags.ts'
import type { Asked } from '../context.ts'
import { PAGE } from '../requests/pages.ts'
import { queryOf } from '../requests/query.ts'
import { sideBySide } from '../requests/side-by-side.ts'
import { requestTo } from '../requests/template.ts'
import type { Args } from './flagged.ts'
import { labels, listHolderOf } from './named-kinds.ts'

const signed = /^\s*[+-]/

/**
 * Prepares the refusal of labels with a sign before their names in a change, as other programs write what to add and to
 * take off: a forge makes labels of such names, and labels puts them in the place of all others. A label may be called so
 * and is taken then: only for such a name is the forge asked.
 * @returns undefined for a tool that does not change labels; its step gives a promise if there is such a name, which is
 *   rejected with ArgumentError where the forge lists its labels and none has it
 */
export function signedLabelsStep(
  input: TObject
): ((args: Args, context: Asked) => Promise<undefined> | undefined) | undefined {
  const properties = argumentsOf(input)
  if (properties.add_labels === undefined || properties.remove_labels === undefined) return undefined
  return (args, context) => {
    const found = ['labels', 'add_labels'].flatMap(argument =>
      signedIn(args[argument]).map(label => [argument, label] as const)
    )
    return found.length === 0 ? undefined : refuseUnknown(found, args, context)
  }
}

/** The names with a sign, each once. */
const signedIn = (names: unknown): readonly string[] =>
  Array.isArray(names)
    ? [...new Set(names.filter(name => signed.test(String(name))).map(name => String(name).trim()))]
    : []

/** Most names that are looked up at once. */
const WIDTH = 4

async function refuseUnknown(
  found: readonly (readonly [argument: string, label: string])[],
  args: Args,
  context: Asked
): Promise<undefined> {
  await sideBySide(found, WIDTH, ([argument, label]) => checkThere(argument, label, args, context))
  return undefined
}

/** @throws ArgumentError where a list of labels has none that is called so */
async function checkThere(
  argument: string,
  label: string,
  args: Args,
  { forge, names }: Asked
): Promise<void> {
  const holder = listHolderOf(args)
  if (holder === undefined) return
  const query = queryOf({ search: label, per_page: PAGE })
  const request = requestTo(`${holder.place}/${labels.list}`, args, query)
  await names.find(`signed label ${request.path}`, async () => {
    // What gives no list says nothing of the label, and is no reason to refuse the change.
    const { value } = await forge.send(request).catch(() => ({ value: undefined }))
    if (!Array.isArray(value) || recordsIn(value).some(one => one[labels.called] === label)) return label
    throw new ArgumentError(
      argument,
      `has ${quoted(label)}, and there is no label of that name: add_labels adds and remove_labels takes off, each by names without a sign. Nothing was changed`
    )
  })
}
