import fp from 'fastify-plugin'
import type { Toolset } from '../../src/catalog/toolset.ts'
import { dependencyProxyRows } from './rows.ts'

export const dependencyProxy: Toolset = {
  id: 'dependency_proxy',
  summary: 'The dependency proxy of a group: settings, cached blobs, purge.',
  isDefault: false,
  rows: dependencyProxyRows
}

export default fp(async fastify => fastify.catalog.add(dependencyProxy), {
  fastify: '5.x',
  name: 'tools-dependency-proxy',
  dependencies: ['tool-registry']
})
