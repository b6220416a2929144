import { issueOf, mergeRequestOf } from '../access.ts'
import type { Operations } from '../http.ts'
import { approvalOperations } from './approvals.ts'
import { artifactOperations } from './artifacts.ts'
import { awardOperations } from './awards.ts'
import { deploymentOperations } from './deployments.ts'
import { draftOperations } from './drafts.ts'
import { eventOperations } from './events.ts'
import { groupOperations } from './groups.ts'
import { issueOperations } from './issues.ts'
import { memberOperations } from './members.ts'
import { mergeRequestExtras } from './merge-request-extras.ts'
import { mergeRequestWrites } from './merge-request-writes.ts'
import { mergeRequestOperations } from './merge-requests.ts'
import { noteOperations } from './notes.ts'
import { opsOperations } from './ops/index.ts'
import { peopleOperations } from './people.ts'
import { pipelineOperations } from './pipelines.ts'
import { placeOperations } from './places.ts'
import { planOperations } from './plans.ts'
import { projectOperations } from './projects.ts'
import { releaseOperations } from './releases.ts'
import { repositoryOperations } from './repository/index.ts'
import { searchOperations } from './search.ts'
import { snippetOperations } from './snippets.ts'
import { todoOperations } from './todos.ts'
import { trainOperations } from './trains.ts'
import { uploadOperations } from './uploads.ts'
import { wikiOperations } from './wiki.ts'

/** The handler of each operation in the contract, by the contract's name. */
export const handlers: Operations = {
  ...placeOperations,
  ...peopleOperations,
  ...memberOperations,
  ...projectOperations,
  ...groupOperations,
  ...eventOperations,
  ...planOperations,
  ...releaseOperations,
  ...wikiOperations,
  ...mergeRequestOperations,
  ...mergeRequestWrites,
  ...mergeRequestExtras,
  ...trainOperations,
  ...opsOperations,
  ...noteOperations('merge_request', call => mergeRequestOf(call)),
  ...noteOperations('issue', call => issueOf(call)),
  ...awardOperations('merge_request', call => mergeRequestOf(call)),
  ...awardOperations('issue', call => issueOf(call)),
  ...approvalOperations,
  ...draftOperations,
  ...issueOperations,
  ...todoOperations,
  ...pipelineOperations,
  ...artifactOperations,
  ...deploymentOperations,
  ...repositoryOperations,
  ...searchOperations,
  ...snippetOperations,
  ...uploadOperations
}
