import type { Toolset } from '../../src/catalog/toolset.ts'
import { toolsetPlugin } from '../plugin.ts'

export const planning: Toolset = {
  id: 'planning',
  summary: 'Labels, milestones, iterations, time, and moving issues.',
  rows: []
}

export default toolsetPlugin(planning)
