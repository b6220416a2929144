import type { Toolset } from '../../src/engine/rows/toolset.ts'
import { artifactRows } from './artifacts.ts'
import { deploymentRows } from './deployments.ts'
import { diagnosisRows } from './diagnosis/rows.ts'
import { environmentRows } from './environments.ts'
import { jobLogRows } from './job-log.ts'
import { jobRows } from './jobs.ts'
import { pipelineRows } from './pipelines.ts'
import { waitingRows } from './waiting/rows.ts'

export const pipelines: Toolset = {
  id: 'pipelines',
  summary: 'Pipelines, jobs with their logs and artifacts, deployments and environments.',
  rows: [
    ...pipelineRows,
    ...diagnosisRows,
    ...waitingRows,
    ...deploymentRows,
    ...environmentRows,
    ...jobRows,
    ...jobLogRows,
    ...artifactRows
  ]
}
