import type { Toolset } from '../../src/catalog/toolset.ts'
import { toolsetPlugin } from '../plugin.ts'

export const repository: Toolset = {
  id: 'repository',
  summary: 'Files, code search, commits, branches, tags and their protection.',
  rows: []
}

export default toolsetPlugin(repository)
