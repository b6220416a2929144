/*
 * Where what we send or play is known to nobody we could ask, nor to the forge's own source and documentation
 * (documented.json), and why we hold it true all the same. A line that is no longer needed fails the test.
 */

/** Operation → why. */
export const unknownOperations: Record<string, string> = {}

/** Operation and name → why. */
export const unknownNames: Record<string, string> = {}

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
