import type { Toolset } from '../../src/engine/rows/toolset.ts'
import { dependencyProxyRows } from './rows.ts'

export const dependencyProxy: Toolset = {
  id: 'dependency_proxy',
  summary: 'The dependency proxy of a group: settings, cached blobs, purge.',
  rows: dependencyProxyRows
}
