import { Type } from 'typebox'
import type { Arguments, Check } from '../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { eachPage } from '../../src/engine/requests/pages.ts'
import { queryOf } from '../../src/engine/requests/query.ts'
import { requestTo } from '../../src/engine/requests/template.ts'
import { atMostOne, onlyWith, someChange } from '../../src/engine/rows/checks.ts'
import {
  flag,
  forgeDefault,
  idOr,
  inert,
  integer,
  mayBeDeleted,
  noneIfEmpty,
  optional,
  Page,
  ProjectOrGroup,
  text,
  toDelete
} from '../../src/engine/rows/fields.ts'
import { newName, renaming } from '../../src/engine/rows/made-names.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { CallProblem } from '../../src/results/problem.ts'
import { wordsOf } from '../../src/results/visible.ts'

/** Refuses commas. Lists of labels are joined by commas everywhere, so no forge allows one in a label. */
const noComma = ({ name, new_name }: Arguments): void => {
  if ([name, new_name].some(label => String(label ?? '').includes(',')))
    throw new CallProblem('A label cannot have a comma in its name: leave it out, or make two labels.')
}

const isNumber = (label: unknown): boolean => /^\d+$/.test(String(label))

const confirmNumber = ({ label, confirm }: Arguments): void => {
  if (isNumber(label) && confirm === undefined)
    throw new CallProblem("A label given by its id is deleted only with its name as 'confirm'.")
  if (!isNumber(label) && confirm !== undefined && confirm !== label)
    throw new CallProblem('confirm is not the name of this label. Nothing was done.')
}

/**
 * Checks `confirm` for a label given by id. Older forges cannot read a single label, so the list is searched for the
 * name in `confirm`, which must be that of this label.
 */
async function readFirst(args: Record<string, unknown>, { forge }: ToolContext) {
  if (!isNumber(args.label)) return args
  const query = queryOf({ search: args.confirm })
  let isIt = false
  await eachPage(forge, requestTo('GET {PG}/labels', args, query), labels => {
    const found = labels.find(({ id }) => wordsOf(id) === String(args.label))
    isIt = found?.name === args.confirm
    return found === undefined ? undefined : 'stop'
  })
  if (isIt) return args
  throw new CallProblem(
    'confirm is not the name of this label. Nothing was done: see list_labels, and if it is the right one give its name exactly as it is.'
  )
}

/** Makes a check ignore clear_priority, unless it is true. */
const ofCleared =
  (check: Check): Check =>
  args =>
    check({ ...args, clear_priority: args.clear_priority === true ? true : undefined })

/** Adds the # of a colour. It is often left out, but distinguishes a colour from a name. */
const withHash = ({ color, ...args }: Arguments): Arguments => ({
  ...args,
  ...(color !== undefined && { color: String(color).replace(/^(?=(?:[\da-f]{3}){1,2}$)/i, '#') })
})

const named = { ...idOr('Name or id'), namedIn: 'label' }
const elsewhere = 'There is no such label here; one of a group above is changed with that group_id.'

export const labelRows: readonly ToolRow[] = [
  rest({
    name: 'list_labels',
    class: 'read',
    title: 'Labels',
    summary: 'List labels with their ids.',
    input: Type.Object({
      ...ProjectOrGroup,
      search: optional(text()),
      with_counts: optional(flag('How many issues and MRs have it')),
      include_ancestor_groups: optional(forgeDefault(true, flag())),
      include_descendant_groups: optional(flag('Of subgroups too')),
      only_group_labels: optional(flag('None of projects or groups above')),
      archived: optional(flag()),
      ...Page
    }),
    check: [onlyWith('group_id', 'include_descendant_groups', 'only_group_labels')],
    request: 'GET {PG}/labels',
    record: 'label'
  }),
  rest({
    name: 'create_label',
    class: 'write',
    title: 'Create label',
    summary: 'Create a label.',
    input: Type.Object({
      ...ProjectOrGroup,
      name: newName(),
      color: optional(noneIfEmpty(text('#RRGGBB or a CSS name'))),
      description: optional(inert(text())),
      priority: optional(integer('0 comes first'))
    }),
    check: [onlyWith('project_id', 'priority'), noComma],
    request: 'POST {PG}/labels',
    fixed: { color: '#6699cc' },
    adapt: withHash,
    record: 'label',
    advice: { 409: 'There is a label of that name, perhaps of a group above: see list_labels, and use it.' }
  }),
  rest({
    name: 'update_label',
    class: 'write',
    title: 'Update label',
    summary: 'Change a label; a new name holds everywhere it is used.',
    input: Type.Object({
      ...ProjectOrGroup,
      label: named,
      new_name: optional(renaming('label', newName())),
      color: optional(noneIfEmpty(text('#RRGGBB or a CSS name'))),
      description: optional(inert(text())),
      priority: optional(integer('0 comes first')),
      clear_priority: optional(flag('Or priority')),
      archived: optional(flag())
    }),
    check: [
      ofCleared(someChange('project_id', 'group_id', 'label')),
      onlyWith('project_id', 'priority', 'clear_priority'),
      ofCleared(atMostOne('priority', 'clear_priority')),
      noComma
    ],
    request: 'PUT {PG}/labels/{.label}',
    adapt: ({ clear_priority, ...args }) =>
      withHash(clear_priority === true ? { ...args, priority: null } : args),
    record: 'label',
    advice: { 404: elsewhere }
  }),
  rest({
    name: 'delete_label',
    class: 'destructive',
    title: 'Delete label',
    summary: 'Delete a label for good, from all issues and merge requests.',
    input: Type.Object({
      ...ProjectOrGroup,
      label: toDelete(named),
      confirm: optional(text('Its name, where label is an id'))
    }),
    check: [confirmNumber],
    request: 'DELETE {PG}/labels/{.label}',
    adapt: readFirst,
    local: ['confirm'],
    done: 'The label is deleted.',
    advice: {
      400: 'The forge keeps this label: it may be locked.',
      404: `${mayBeDeleted} One of a group above is deleted with that group_id.`
    }
  })
]
