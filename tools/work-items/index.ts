import type { Toolset } from '../../src/engine/rows/toolset.ts'
import { changeRows } from './changes.ts'
import { noteRows } from './notes.ts'
import { readingRows } from './reading.ts'

export const workItems: Toolset = {
  id: 'work_items',
  summary: 'Work items of every kind: epics, tasks, objectives, incidents.',
  rows: [...readingRows, ...changeRows, ...noteRows]
}
