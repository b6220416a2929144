import type { Toolset } from '../../src/engine/rows/toolset.ts'
import { toolsetPlugin } from '../plugin.ts'
import { issueRows } from './issues.ts'
import { iterationRow } from './iterations.ts'
import { labelRows } from './labels.ts'
import { milestoneRows } from './milestones.ts'
import { timeRows } from './time.ts'

export const planning: Toolset = {
  id: 'planning',
  summary: 'Labels, milestones, iterations, time, and moving issues.',
  rows: [...labelRows, ...milestoneRows, ...issueRows, iterationRow, ...timeRows]
}

export default toolsetPlugin(planning)
