import type { Toolset } from '../../src/engine/rows/toolset.ts'
import { wikiRows } from './pages.ts'

export const wiki: Toolset = {
  id: 'wiki',
  summary: 'Wiki pages of projects and groups.',
  rows: wikiRows
}
