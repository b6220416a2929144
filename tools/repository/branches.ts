import { Type } from 'typebox'
import { mayBeDeleted, ProjectId, toDelete } from '../../src/engine/rows/fields.ts'
import { branch, newRevision, revision } from '../../src/engine/rows/revisions.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { nameRule } from './fields.ts'

export const branchRows: readonly ToolRow[] = [
  rest({
    name: 'create_branch',
    class: 'write',
    title: 'New branch',
    summary: 'Create a branch.',
    input: Type.Object({
      project_id: ProjectId,
      branch: newRevision('heads', 'Its name'),
      ref: revision('Branch, tag or SHA')
    }),
    request: 'POST /projects/{project_id}/repository/branches',
    record: 'branch',
    advice: {
      400: [
        [/name is invalid/i, nameRule],
        [
          /already exists/i,
          'Nothing was made: get_branch says at which commit it is. If a call before this one made it, go on with it, or give another name.'
        ],
        [/^/, 'Check that ref exists.']
      ],
      403: 'Nothing was made. It takes the Developer role here and a token that may write; a protected name, which list_protected_branches shows Maintainers, takes the role that its rule names.'
    }
  }),
  rest({
    name: 'delete_branch',
    class: 'destructive',
    title: 'Delete branch',
    summary:
      'Delete a branch; open merge requests from it lose their source. Its commits stay for a while, by SHA.',
    input: Type.Object({ project_id: ProjectId, branch: toDelete(branch()) }),
    request: 'DELETE /projects/{project_id}/repository/branches/{.branch}',
    done: 'The branch is deleted.',
    advice: {
      404: `${mayBeDeleted} list_branches has those there are.`,
      403: 'It takes the Developer role, and a protected branch, or the default one, is not deleted: get_branch says whether it is one.',
      405: 'A protected branch, or the default one, is not deleted: see list_protected_branches.'
    }
  })
]
