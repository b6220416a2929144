import type { Toolset } from '../../src/catalog/toolset.ts'
import { toolsetPlugin } from '../plugin.ts'

export const ci: Toolset = {
  id: 'ci',
  summary: 'CI configuration, variables, schedules, test reports, runners.',
  rows: []
}

export default toolsetPlugin(ci)
