import fp from 'fastify-plugin'
import type { Toolset } from '../../src/catalog/toolset.ts'
import { issueRows } from './issues.ts'
import { issueNoteRows } from './notes.ts'

export const issues: Toolset = {
  id: 'issues',
  summary: 'Issues with their threads, links and reactions, and to-dos.',
  isDefault: true,
  rows: [...issueRows, ...issueNoteRows]
}

export default fp(async fastify => fastify.catalog.add(issues), {
  fastify: '5.x',
  name: 'tools-issues',
  dependencies: ['tool-registry']
})
