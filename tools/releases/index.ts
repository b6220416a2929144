import type { Toolset } from '../../src/catalog/toolset.ts'
import { toolsetPlugin } from '../plugin.ts'

export const releases: Toolset = {
  id: 'releases',
  summary: 'Releases and their links.',
  rows: []
}

export default toolsetPlugin(releases)
