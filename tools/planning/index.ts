import type { Toolset } from '../../src/engine/rows/toolset.ts'
import { issueRows } from './issues.ts'
import { iterationRow } from './iterations.ts'
import { labelRows } from './labels.ts'
import { milestoneRows } from './milestones.ts'
import { timeRows } from './time.ts'

export const planning: Toolset = {
  id: 'planning',
  summary: 'Labels, milestones, iterations, time, moving issues and deleting comments.',
  rows: [...labelRows, ...milestoneRows, ...issueRows, iterationRow, ...timeRows]
}
