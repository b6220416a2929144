import type { Toolset } from '../../src/engine/rows/toolset.ts'
import { vulnerabilityRows } from './vulnerabilities.ts'

export const security: Toolset = {
  id: 'security',
  summary: 'Vulnerabilities found by scanners.',
  rows: vulnerabilityRows
}
