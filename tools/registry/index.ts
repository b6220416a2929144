import type { Toolset } from '../../src/engine/rows/toolset.ts'
import { imageRows } from './images.ts'
import { packageRows } from './packages.ts'

export const registry: Toolset = {
  id: 'registry',
  summary: 'Packages and container images.',
  rows: [...packageRows, ...imageRows]
}
