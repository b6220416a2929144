import type { Toolset } from '../../src/engine/rows/toolset.ts'
import { jobRows } from './jobs.ts'
import { lintRow } from './lint.ts'
import { runnerRows } from './runners.ts'
import { scheduleRows } from './schedules.ts'
import { testReportRow } from './test-report.ts'
import { variableRows } from './variables.ts'

export const ci: Toolset = {
  id: 'ci',
  summary: 'CI configuration, variables, schedules, test reports, runners.',
  rows: [lintRow, ...variableRows, ...scheduleRows, testReportRow, ...runnerRows, ...jobRows]
}
