import { MergeRequestIid, ProjectId } from '../../src/catalog/fields.ts'

/** Names one merge request, for the tools that take no branch instead. */
export const mergeRequest = { project_id: ProjectId, merge_request_iid: MergeRequestIid }
