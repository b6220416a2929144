import type { Toolset } from '../../src/engine/rows/toolset.ts'
import { followRows } from './follow.ts'
import { statusRow } from './status.ts'
import { userRows } from './users.ts'
import { youRow } from './you.ts'

export const people: Toolset = {
  id: 'people',
  summary: 'People: who you are, who others are, following, your status.',
  rows: [youRow, ...userRows, ...followRows, statusRow]
}
