import type { Toolset } from '../../src/engine/rows/toolset.ts'
import { searchRow } from './search.ts'

export const search: Toolset = {
  id: 'search',
  summary: 'Search over issues, merge requests, projects, people, commits, wikis and comments.',
  rows: [searchRow]
}
