import type { Operations } from '../../http.ts'
import { commitOperations } from './commits.ts'
import { fileOperations } from './files.ts'
import { protectionOperations } from './protection.ts'
import { statusOperations } from './statuses.ts'
import { tagOperations } from './tags.ts'
import { writeOperations } from './writes.ts'

/** Operations on files, commits, branches, tags and their protection. */
export const repositoryOperations: Operations = {
  ...fileOperations,
  ...commitOperations,
  ...tagOperations,
  ...protectionOperations,
  ...statusOperations,
  ...writeOperations
}
