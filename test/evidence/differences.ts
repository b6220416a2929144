/*
 * Where what we send or play is known to nobody we could ask, and why we hold it true all the same. A line that is
 * no longer needed fails the test.
 */

/** Operation → why. */
export const unknownOperations: Record<string, string> = {
  'GET /projects/{}/jobs/{}/artifacts/tree': 'new in 18.8; no client has it yet, the OpenAPI document does',
  'PUT /projects/{}/issues/{}/discussions/{}':
    'one route for every kind of discussion (lib/api/discussions.rb); clients have it for merge requests alone',
  'GET /projects/{}/pipelines/{}/trigger_jobs': 'new in 19.x beside bridges; the OpenAPI document has it'
}

/** Operation and name → why. */
export const unknownNames: Record<string, string> = {
  'GET /merge_requests assignee_username':
    "in the forge's own source, lib/api/helpers/merge_requests_helpers.rb",
  'PUT /projects/{}/issues/{}/discussions/{}/notes/{} resolved':
    "in the forge's own source for every kind of discussion, lib/api/discussions.rb",
  'GET /projects/{}/repository/commits/{}/merge_requests state':
    'documented since 18.2; older forges ignore it',
  'GET /projects/{}/repository/contributors ref': "in the forge's own source, lib/api/repositories.rb",
  'GET /groups/{}/-/search state': 'documented for issues and merge requests; clients have it for no scope',
  'GET /groups/{}/-/search confidential': 'documented for issues; clients have it for no scope',
  'GET /projects/{}/-/search state': 'documented for issues and merge requests; clients have it for no scope',
  'GET /projects/{}/-/search confidential': 'documented for issues; clients have it for no scope',
  'GET /groups/{}/milestones include_descendants':
    "so in the forge's own source, lib/api/group_milestones.rb; the official client spells it include_descendents",
  'PUT /projects/{}/merge_requests/{}/merge skip_merge_train': 'in the OpenAPI document of 19.5',
  'POST /projects/{}/merge_requests/{}/draft_notes/bulk_publish reviewer_state':
    'in the OpenAPI document of 19.5',
  'POST /projects/{}/merge_requests/{}/draft_notes/bulk_publish note': 'in the OpenAPI document of 19.5',
  'POST /projects/{}/merge_requests/{}/draft_notes/bulk_publish internal': 'in the OpenAPI document of 19.5',
  'GET /projects/{}/releases updated_after':
    'documented with the list of releases; clients do not have it yet',
  'GET /projects/{}/releases updated_before':
    'documented with the list of releases; clients do not have it yet',
  'POST /projects/{}/releases milestone_ids': 'documented with releases; clients have the titles alone',
  'PUT /projects/{}/releases/{} milestone_ids': 'documented with releases; clients have the titles alone',
  'GET /runners version_prefix': 'documented with the list of runners; clients do not have it yet',
  'GET /users/{}/followers page': 'every list of the forge is paged; those who know this one know per_page',
  'GET /users/{}/following page': 'every list of the forge is paged; those who know this one know per_page'
}

/** Operation and field of the contract → why it does not take all values that the client's type has. */
export const narrower: Record<string, string> = {
  'create_commit_status.state':
    'the client has one type for the states of jobs and of statuses, which are six'
}

/** What a forge without advanced search says of a scope that takes it: an answer, and no fault of the sandbox. */
export const needsAdvancedSearch = /without Elasticsearch/

/** What a client does that none of our tools may, and the sandbox forge takes as a forge does. */
export const habits: Record<string, RegExp> = {
  'sends fields of a POST or PUT in the query': /belongs in the body; in the query it ends in logs$/
}

/** What a published schema says of a field that is not so (any more) → why. */
export const outdated: Record<string, string> = {
  'note.attachment is missing': 'the OpenAPI document of 19.5 has it no more',
  'runner.ip_address is null, not string':
    'kept for old clients and always null, as the documentation of jobs shows it',
  'merge_request.changes_count is null, not string': 'a merge request that was made just now has no count yet'
}
