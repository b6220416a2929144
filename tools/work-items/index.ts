import type { Toolset } from '../../src/catalog/toolset.ts'
import { toolsetPlugin } from '../plugin.ts'

export const workItems: Toolset = {
  id: 'work_items',
  summary: 'Work items of every kind: epics, tasks, objectives, incidents.',
  rows: []
}

export default toolsetPlugin(workItems)
