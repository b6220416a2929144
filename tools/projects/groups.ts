import { Type } from 'typebox'
import { idOfPath } from '../../src/engine/facts/id-of-path.ts'
import { groupId, idOr, inert, oneOf, optional, text } from '../../src/engine/rows/fields.ts'
import { made } from '../../src/engine/rows/made-names.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { fieldsOf } from '../../src/results/is-record.ts'
import { withRole } from '../families/people/roles.ts'
import { nameAlone } from './name-alone.ts'

const withSharedRoles = (value: unknown): unknown => {
  const { shared_with_groups: shared, ...group } = fieldsOf(value)
  if (!Array.isArray(shared)) return value
  return { ...group, shared_with_groups: shared.map(entry => withRole(entry, 'group_access_level')) }
}

export const groupRows: readonly ToolRow[] = [
  rest({
    name: 'get_group',
    class: 'read',
    title: 'Group',
    summary: 'Get a group; list_projects gives its projects.',
    input: Type.Object({ group_id: groupId() }),
    request: 'GET /groups/{group_id}',
    // By default, the answer contains up to 100 complete projects.
    fixed: { with_projects: false },
    shape: withSharedRoles,
    record: 'group',
    advice: { 404: 'There is no such group, or you may not see it; a project is get_project’s.' }
  }),
  rest({
    name: 'create_group',
    class: 'write',
    title: 'Create group',
    summary: 'Create a group, or with parent a subgroup; some forges allow subgroups only.',
    input: Type.Object({
      name: made(text()),
      path: made(text('Last part of its address')),
      parent: optional({ ...idOr('Id or full path of a group'), namedIn: 'namespace' }),
      description: optional(inert(text())),
      visibility: optional(oneOf(['private', 'internal', 'public']))
    }),
    check: [nameAlone('the group above goes in parent')],
    request: 'POST /groups',
    adapt: async ({ parent, ...args }, context) =>
      parent === undefined ? args : { ...args, parent_id: await idOfPath('parent', { parent }, context) },
    shape: withSharedRoles,
    record: 'group',
    advice: {
      400: 'Change what the forge names: a path may be taken already.',
      403: 'Your role does not let you create groups there: give parent, or ask an owner of it.',
      404: 'There is no such parent group, or you may not see it: list_groups gives yours.'
    }
  })
]
