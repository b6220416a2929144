import type { Toolset } from '../../src/engine/rows/toolset.ts'
import { snippetRows } from './snippets.ts'

export const snippets: Toolset = {
  id: 'snippets',
  summary: 'Snippets of projects and your own.',
  rows: snippetRows
}
