import type { Toolset } from '../../src/engine/rows/toolset.ts'
import { eventRow } from './events.ts'
import { groupRows } from './groups.ts'
import { listRows } from './lists.ts'
import { memberRows } from './members.ts'
import { projectRows } from './projects.ts'
import { resolveUrlRow } from './resolve-url.ts'

export const projects: Toolset = {
  id: 'projects',
  summary: 'Projects, groups and their members; what a web address of the forge means.',
  rows: [resolveUrlRow, ...listRows, ...projectRows, ...groupRows, ...memberRows, eventRow]
}
