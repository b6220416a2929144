/** The tools that read comments. Tools that show comments as part of something else ask the policy for these. */
export const commentTools: readonly string[] = [
  'get_merge_request_notes',
  'mr_discussions',
  'list_issue_discussions'
]
