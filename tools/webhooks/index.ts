import type { Toolset } from '../../src/engine/rows/toolset.ts'
import { webhookRows } from './webhooks.ts'

export const webhooks: Toolset = {
  id: 'webhooks',
  summary: 'Webhooks of projects and groups.',
  rows: webhookRows
}
