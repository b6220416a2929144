import type { Toolset } from '../../src/catalog/toolset.ts'
import { toolsetPlugin } from '../plugin.ts'

export const registry: Toolset = {
  id: 'registry',
  summary: 'Packages and container images.',
  rows: []
}

export default toolsetPlugin(registry)
