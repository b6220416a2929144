import type { Toolset } from '../../src/catalog/toolset.ts'
import { toolsetPlugin } from '../plugin.ts'

export const security: Toolset = {
  id: 'security',
  summary: 'Vulnerabilities found by scanners.',
  rows: []
}

export default toolsetPlugin(security)
