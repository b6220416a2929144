import type { Toolset } from '../../src/catalog/toolset.ts'
import { toolsetPlugin } from '../plugin.ts'

export const webhooks: Toolset = {
  id: 'webhooks',
  summary: 'Webhooks of projects and groups.',
  rows: []
}

export default toolsetPlugin(webhooks)
