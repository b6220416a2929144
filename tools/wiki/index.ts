import type { Toolset } from '../../src/catalog/toolset.ts'
import { toolsetPlugin } from '../plugin.ts'

export const wiki: Toolset = {
  id: 'wiki',
  summary: 'Wiki pages of projects and groups.',
  rows: []
}

export default toolsetPlugin(wiki)
