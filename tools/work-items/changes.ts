import { Type } from 'typebox'
import { fullPathOf } from '../../src/engine/facts/full-path.ts'
import { exactlyOne, someChange } from '../../src/engine/rows/checks.ts'
import {
  changedMarkdown,
  DayOrNone,
  flag,
  milestoneId,
  noneIfEmpty,
  oneOf,
  optional,
  ProjectOrGroup,
  replacing,
  text,
  userIds
} from '../../src/engine/rows/fields.ts'
import { labelIds } from '../../src/engine/rows/labels.ts'
import { graphql, type ToolRow } from '../../src/engine/rows/row.ts'
import type { Fields } from '../../src/results/is-record.ts'
import { CallProblem } from '../../src/results/problem.ts'
import { wordsOf } from '../../src/results/visible.ts'
import { newWeight } from '../families/items/new-weight.ts'
import { severity } from '../families/items/severity.ts'
import { createMutation, itemQuery, updateMutation } from './documents.ts'
import { selectionOf, set } from './features.ts'
import { healths } from './health.ts'
import { leftOutOf } from './left-out.ts'
import { explainingPlace, itemGid, itemOf, OneItem, ofOne, oneItem } from './place.ts'
import { itemRecord } from './record.ts'
import { explainType, systemTypes, typeGid } from './types.ts'
import { explainNamed, insteadOfParent, systemStatuses, Widgets, widgetInputs } from './widgets.ts'

/** The work item in a mutation's payload. */
function changed(payload: unknown): Fields {
  const { workItem } = payload as { workItem?: Fields | null }
  if (workItem === null || workItem === undefined)
    throw new CallProblem('The forge took the change and gave no work item back: look before you repeat it.')
  return itemRecord(workItem)
}

const { description, ...widgets } = Widgets

/** An argument that 0 clears. The word "none" is understood, too. */
const orZero = (about: string) => ({ ...text(about), alias: { none: '0' }, none: '0' })

const rows: readonly ToolRow[] = [
  graphql({
    name: 'create_work_item',
    class: 'write',
    does: ['create_issue'],
    title: 'Create work item',
    summary:
      'Create one of any kind. Epics are of a group (Premium), objectives and key results Ultimate; weight, health, iteration and color take the Enterprise edition.',
    input: Type.Object(
      {
        ...ProjectOrGroup,
        type: optional(text(`Or type_id: ${systemTypes.join(', ')}, or a custom one`)),
        type_id: optional(text('Of a custom type')),
        title: text(),
        description,
        confidential: optional(flag()),
        label_ids: optional(labelIds()),
        ...widgets
      },
      { instead: insteadOfParent }
    ),
    check: [ofOne, exactlyOne('type', 'type_id')],
    document: async (args, schema) => createMutation(await selectionOf(set(args), schema)),
    async variables(args, context) {
      const inputs = await widgetInputs(args, context)
      const namespacePath = await fullPathOf(args, context)
      const workItemTypeId = await typeGid(args, namespacePath, context)
      const { title, confidential } = args
      return { input: { namespacePath, workItemTypeId, title, confidential, ...inputs } }
    },
    payload: 'workItemCreate',
    shape: ({ workItemCreate }) => changed(workItemCreate),
    notice: ({ workItemCreate }, args) => leftOutOf(workItemCreate, args),
    explain: async (error, args, context) => {
      const ofType = await explainType(error, args, () => fullPathOf(args, context), context)
      return explainNamed(ofType, args)
    }
  }),
  graphql({
    name: 'update_work_item',
    class: 'write',
    does: ['update_issue'],
    title: 'Update work item',
    summary: 'Change one of any kind, close or reopen it.',
    input: Type.Object(
      {
        ...OneItem,
        title: optional(noneIfEmpty(text())),
        description: optional(changedMarkdown('create_work_item_note')),
        state_event: optional(oneOf(['close', 'reopen'])),
        add_label_ids: optional(labelIds()),
        remove_label_ids: optional(labelIds(text())),
        ...widgets,
        assignee_ids: optional(replacing(userIds('Replaces all: ids or usernames'))),
        milestone_id: optional(milestoneId()),
        parent_id: optional(orZero('Id or place (acme/rocket#7); 0 for none')),
        weight: optional(newWeight('Empty for none')),
        health_status: optional({ ...oneOf([...healths, 'none']), none: 'none' }),
        iteration_id: optional(orZero('0 for none')),
        start_date: optional(DayOrNone),
        due_date: optional(DayOrNone),
        status: optional(text(`${systemStatuses.join(', ')}, or a status gid`))
      },
      { instead: { severity, ...insteadOfParent } }
    ),
    check: [ofOne, someChange('project_id', 'group_id', 'iid')],
    document: async (args, schema) => updateMutation(await selectionOf(set(args), schema)),
    async variables(args, context) {
      const inputs = await widgetInputs(args, context)
      const id = await itemGid(args, context)
      const { title, state_event: event } = args
      return { input: { id, title, stateEvent: event?.toUpperCase(), ...inputs } }
    },
    payload: 'workItemUpdate',
    shape: ({ workItemUpdate }) => changed(workItemUpdate),
    notice: ({ workItemUpdate }, args) => leftOutOf(workItemUpdate, args),
    explain: explainNamed,
    stored: async (args, context) => {
      const data = await context.forge.graphql(itemQuery(''), await oneItem(args, context))
      return [wordsOf(itemOf(data, args).description ?? '')]
    },
    idempotent: true
  })
]

export const changeRows = rows.map(explainingPlace)
