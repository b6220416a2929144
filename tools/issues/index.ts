import fp from 'fastify-plugin'
import type { Toolset } from '../../src/catalog/toolset.ts'
import { todoRows } from '../todos/todos.ts'
import { descriptionPatchRow } from './description-patch/row.ts'
import { issueRows } from './issues.ts'
import { issueLinkRows } from './links.ts'
import { issueNoteRows } from './notes.ts'
import { issueReactionRows } from './reactions.ts'

export const issues: Toolset = {
  id: 'issues',
  summary: 'Issues with their threads, links and reactions, and to-dos.',
  isDefault: true,
  rows: [
    ...issueRows,
    descriptionPatchRow,
    ...issueNoteRows,
    ...issueLinkRows,
    ...issueReactionRows,
    ...todoRows
  ]
}

export default fp(async fastify => fastify.catalog.add(issues), {
  fastify: '5.x',
  name: 'tools-issues',
  dependencies: ['tool-registry']
})
