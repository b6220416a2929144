import type { Toolset } from '../../src/catalog/toolset.ts'
import { toolsetPlugin } from '../plugin.ts'

export const snippets: Toolset = {
  id: 'snippets',
  summary: 'Snippets of projects and your own.',
  rows: []
}

export default toolsetPlugin(snippets)
