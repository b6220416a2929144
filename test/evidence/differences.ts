/*
 * Where what we send or play is known to nobody we could ask, nor to the forge's own source and documentation
 * (documented.json), and why we hold it true all the same. A line that is no longer needed fails the test.
 */

/** Operation → why. */
export const unknownOperations: Record<string, string> = {}

/** Operation and name → why. */
export const unknownNames: Record<string, string> = {}

const ALL_AT_ONCE = 'the probe gives an item of a list all that it has, of which some exclude each other'

/** Tool and argument that no call of the probe gets as far as the forge with → why. */
export const unseen: Record<string, string> = {
  'submit_review.sha': ALL_AT_ONCE,
  'submit_review.comments': ALL_AT_ONCE,
  'update_draft_note.resolve_discussion': 'it is refused, as the forge does not change it',
  'commit_files.start_branch': ALL_AT_ONCE,
  'commit_files.start_sha': ALL_AT_ONCE,
  'commit_files.start_project': ALL_AT_ONCE,
  'commit_files.author_name': ALL_AT_ONCE,
  'commit_files.author_email': ALL_AT_ONCE
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

const CHANGES = 'the changed lines are what is asked for, and the recorded changes are short'

/** Tools that show more of whole records than a list (35 %) or a single record (60 %) is to: how much at most, and why. */
export const largerShares: Record<string, [number, string]> = {
  list_merge_request_participants: [40, 'of five fields of a person three are shown'],
  mr_discussions: [41, 'the recorded notes are two words long; what was said is shown whole'],
  list_issue_discussions: [41, 'the recorded notes are two words long; what was said is shown whole'],
  list_merge_request_diffs: [44, CHANGES],
  get_branch_diffs: [67, CHANGES],
  get_commit_diff: [87, CHANGES],
  list_protected_branches: [55, 'who may push and merge is what is asked for'],
  list_pipeline_schedules: [
    44,
    'the recorded one has ten short fields; what runs when, and whose it is, is shown'
  ],
  get_pipeline_schedule: [65, 'the recorded one has its inputs, and a schedule without them is not known'],
  list_draft_notes: [43, 'a draft is its text and its place, and both are needed to change it'],
  get_draft_note: [63, 'a draft is its text and its place, and both are needed to change it'],
  get_commit: [69, 'the message is what is asked for'],
  list_contributors: [
    72,
    'a contributor is a name, an address and a count; the lines, always 0, are left out'
  ],
  list_commit_refs: [100, 'a ref has two fields, its type and its name'],
  list_tags: [100, 'the recorded ones have four fields, which are those shown'],
  list_events: [38, 'the recorded ones have short titles; what happened to what, and who did it, is shown'],
  get_registry_tag: [
    100,
    'size, digest and time are why a single tag is asked for, and there is nothing else'
  ],
  list_snippets: [52, 'the recorded one has eight short fields']
}
