/** The tools that read comments: what shows the text of some is subject to policy for them. */
export const commentTools: readonly string[] = [
  'get_merge_request_notes',
  'mr_discussions',
  'list_issue_discussions'
]
