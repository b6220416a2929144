import type { Toolset } from '../../src/catalog/toolset.ts'
import { toolsetPlugin } from '../plugin.ts'

export const search: Toolset = {
  id: 'search',
  summary: 'Search over issues, merge requests, projects, people, commits, wikis and comments.',
  rows: []
}

export default toolsetPlugin(search)
