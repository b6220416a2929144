import type { Toolset } from '../../src/catalog/toolset.ts'
import { toolsetPlugin } from '../plugin.ts'

export const projects: Toolset = {
  id: 'projects',
  summary: 'Projects, groups and their members; what a web address of the forge means.',
  rows: []
}

export default toolsetPlugin(projects)
