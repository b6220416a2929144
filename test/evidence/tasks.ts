/*
 * The tasks on a forge of a public benchmark, by the id of their template, and the tools that do them one after the
 * other. Their texts stay where they are.
 */

interface Reach {
  tools: readonly string[]
  /** Why no tool does it. */
  outside?: string
}

const by = (...tools: string[]): Reach => ({ tools })
const outside = (why: string): Reach => ({ tools: [], outside: why })

export const reach: Readonly<Record<number, Reach>> = {
  84: by('list_projects', 'commit_files'),
  87: by('create_project', 'commit_files'),
  88: by('create_project', 'commit_files'),
  116: by('list_projects', 'list_contributors'),
  117: by('get_project'),
  289: by('list_projects'),
  290: by('list_merge_requests'),
  291: by('list_merge_requests'),
  292: by('create_project'),
  293: by('find_users', 'set_member'),
  294: by('find_users', 'set_member'),
  298: by('list_members'),
  299: by('list_issues'),
  300: by('list_issues'),
  303: by('list_todos'),
  308: by('get_file_contents', 'commit_files'),
  310: by('my_issues'),
  312: outside("a feed token is a secret of the user's settings, and no forge gives it by its interface"),
  316: by('list_contributors'),
  320: by('list_commits'),
  321: by('list_commits'),
  322: by('list_commits'),
  323: by('list_contributors'),
  324: by('list_contributors'),
  325: by('list_projects'),
  327: by('find_users', 'create_issue'),
  328: by('create_issue'),
  329: by('get_project'),
  330: by('find_users', 'follow_user'),
  331: outside(
    "a user's profile is changed by its owner in the browser; the interface lets administrators alone"
  ),
  332: by('create_project', 'find_users', 'set_member'),
  335: by('find_users', 'create_merge_request'),
  337: by('create_issue'),
  339: by('create_milestone'),
  348: by('list_merge_requests', 'create_merge_request_note'),
  349: by('list_issues'),
  351: by('find_users', 'set_member'),
  352: by('fork_project'),
  354: by('list_projects', 'star_project'),
  355: by('get_file_contents', 'commit_files'),
  360: by('list_merge_requests', 'mr_discussions', 'create_merge_request_note'),
  361: by('set_user_status'),
  500: by('my_issues'),
  600: by('create_group', 'find_users', 'set_member'),
  999: by('find_users', 'list_issues', 'update_issue'),
  2100: by('create_project', 'find_users', 'set_member')
}
