import type { Toolset } from '../../src/engine/rows/toolset.ts'
import { linkRows } from './links.ts'
import { releaseRows } from './releases.ts'

export const releases: Toolset = {
  id: 'releases',
  summary: 'Releases and their links.',
  rows: [...releaseRows, ...linkRows]
}
