import fp from 'fastify-plugin'
import type { Toolset } from '../../src/catalog/toolset.ts'
import { artifactRows } from './artifacts.ts'
import { deploymentRows } from './deployments.ts'
import { environmentRows } from './environments.ts'
import { jobLogRows } from './job-log.ts'
import { jobRows } from './jobs.ts'
import { pipelineRows } from './pipelines.ts'

export const pipelines: Toolset = {
  id: 'pipelines',
  summary: 'Pipelines, jobs with their logs and artifacts, deployments and environments.',
  isDefault: false,
  rows: [...pipelineRows, ...deploymentRows, ...environmentRows, ...jobRows, ...jobLogRows, ...artifactRows]
}

export default fp(async fastify => fastify.catalog.add(pipelines), {
  fastify: '5.x',
  name: 'tools-pipelines',
  dependencies: ['tool-registry']
})
