import type { Operations } from '../../http.ts'
import { ofBoth } from '../both.ts'
import { hookOperations } from './hooks.ts'
import { jobStorageOperations } from './job-storage.ts'
import { lintOperations } from './lint.ts'
import { packageOperations } from './packages.ts'
import { registryOperations } from './registry.ts'
import { runnerOperations } from './runners.ts'
import { scheduleOperations } from './schedules.ts'
import { testReportOperations } from './test-reports.ts'
import { variableOperations } from './variables.ts'

/** Operations on CI, packages, images and webhooks. */
export const opsOperations: Operations = {
  ...lintOperations,
  ...ofBoth(variableOperations),
  ...scheduleOperations,
  ...testReportOperations,
  ...runnerOperations,
  ...jobStorageOperations,
  ...packageOperations,
  ...registryOperations,
  ...ofBoth(hookOperations)
}
