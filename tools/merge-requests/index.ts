import fp from 'fastify-plugin'
import type { Toolset } from '../../src/catalog/toolset.ts'
import { branchRows } from './branches.ts'
import { diffRows } from './diffs.ts'
import { discussionRows } from './discussions.ts'
import { mergeRequestRows } from './merge-requests.ts'

export const mergeRequests: Toolset = {
  id: 'merge_requests',
  summary: 'Merge requests with their branches, diffs, reviews and discussions.',
  isDefault: true,
  rows: [...mergeRequestRows, ...diffRows, ...branchRows, ...discussionRows]
}

export default fp(async fastify => fastify.catalog.add(mergeRequests), {
  fastify: '5.x',
  name: 'tools-merge-requests',
  dependencies: ['tool-registry']
})
