import { saysNotHere } from './not-here.ts'

/**
 * Things that no tool does, in the words of a tool's name, with the nearest tools and how to use them instead. Tools
 * are written in backticks: a way is told to those who may use all of them.
 */
const told: readonly { readonly words: RegExp; readonly says: string }[] = [
  {
    words: /\bboards?\b/,
    says: 'No tool reads boards: a list of a board is the issues with its label, which `list_issues` gives by labels.'
  },
  {
    words: /\bdelete merged branches\b/,
    says: '`list_branches` says which branches are merged; `delete_branch` deletes one.'
  },
  {
    words: /\bcommit (?:comments?|notes?|discussions?)\b|\b(?:comment|note) (?:on|to) (?:a )?commit\b/,
    says: 'No tool reads or writes comments on commits: the page of the commit on the forge does. `create_merge_request_thread` comments on a line of a merge request, where it is read.'
  },
  {
    words: /\bdelete (?:comment|note)$/,
    says: '`delete_issue_note` deletes a comment of an issue, `delete_merge_request_note` one of a merge request.'
  },
  {
    words: /\b(?:update|edit) (?:comment|note)$/,
    says: '`update_issue_note` changes a comment of an issue, `update_merge_request_note` one of a merge request.'
  },
  {
    words: /\b(?:list|get|read) (?:comments|notes|discussions?|threads?)$/,
    says: '`list_issue_discussions` has the comments of an issue, `mr_discussions` those of a merge request.'
  },
  {
    words: /\b(?:delete|remove|transfer) (?:project|repo|repository)$/,
    says: 'No tool deletes or transfers a project: its owner does so on the forge. `update_project` archives one.'
  },
  {
    words: /\b(?:delete|remove|transfer) group$/,
    says: 'No tool deletes or transfers a group: its owner does so on the forge.'
  },
  {
    words:
      /^git (?:clone|fetch|init|pull|reset|stash|status|switch)$|^clone(?: (?:project|repo|repository))?$/,
    says: 'No tool works on a clone: `get_files` reads files at a branch or commit, and `commit_files` writes them.'
  },
  {
    words: /\bwork item (?:note )?emoji reactions?\b/,
    says: 'No tool has reactions of work items: `list_issue_emoji_reactions` and `create_issue_emoji_reaction` do, for what has a number in a project.'
  },
  {
    words: /\bstop environment$/,
    says: 'No tool stops an environment: `play_pipeline_job` starts the job of its pipeline that does.'
  },
  {
    words: /\b(?:create|add|new) environment$/,
    says: 'No tool makes an environment: a job of the CI configuration that names one does, when it runs. `list_environments` has those there are.'
  },
  {
    words: /\bdeploy (?:key|token)s?\b/,
    says: 'No tool reads or changes deploy keys and deploy tokens: the settings of the project on the forge do.'
  },
  {
    words: /\bdelete branches$/,
    says: '`delete_branch` deletes one branch a call.'
  },
  {
    words: /\b(?:ssh|gpg) keys?\b/,
    says: 'No tool reads or changes keys of people: their own settings on the forge do.'
  },
  {
    words: /\bprotect(?:ed)? tags?\b/,
    says: 'No tool reads or changes protected tags: the settings of the project on the forge do.'
  },
  {
    words: /\bproject (?:\w+ )?approval(?: rules?|s)?\b/,
    says: 'No tool reads or changes the approval rules of a project: its settings on the forge do. `list_merge_request_approval_rules` has those of a merge request.'
  },
  {
    words: /\baccess tokens?\b/,
    says: 'No tool reads or changes access tokens: the settings of their owner on the forge do.'
  },
  {
    words: /\baudit (?:events?|logs?)\b/,
    says: 'No tool reads audit events: the pages of the project or group on the forge do.'
  },
  {
    words: /^(?!list\b|get\b).*\brunners?$/,
    says: 'No tool changes runners: the settings on the forge do. `list_runners` reads them.'
  },
  {
    words: /\bcancel (?:merge request )?auto merge\b/,
    says: 'No tool cancels an automatic merge: the page of the merge request on the forge does.'
  },
  {
    words: /\b(?:approve|reject) deployments?\b/,
    says: 'No tool approves deployments: the page of the deployment on the forge does. `get_deployment` reads one.'
  },
  {
    words: /^(?!.*\bvariables?\b).*\b(?:un)?(?:subscribe|pin)\b/,
    says: 'No tool subscribes to things or pins them: their pages on the forge do.'
  },
  {
    words: /\bcheckout\b/,
    says: 'No tool checks anything out: `get_files` reads files at a branch or commit; the branch of a merge request is source_branch in `get_merge_request`.'
  },
  {
    words: /\bpipeline triggers?$|\btrigger tokens?\b|^(?:list|get|create|add|delete) triggers?$/,
    says: 'No tool reads or changes trigger tokens: the settings of the project on the forge do. `create_pipeline` starts a pipeline.'
  },
  {
    words: /\bintegrations?\b/,
    says: 'No tool reads or changes integrations: the settings of the project on the forge do. `list_webhooks` has its webhooks.'
  },
  {
    words: /\bfeature flags?\b/,
    says: 'No tool reads or changes feature flags: the pages of the project on the forge do.'
  },
  {
    words: /\bresolve (?:all )?(?:merge request )?(?:threads|discussions)$/,
    says: '`resolve_merge_request_thread` resolves one thread a call; `submit_review` resolves several by its replies.'
  },
  {
    words: /\b(?:mergeability|mergeable|check merge status|merge status)\b/,
    says: '`get_merge_request` says by detailed_merge_status whether it can be merged.'
  },
  {
    words: /\b(?:remove|delete|cancel|drop|take|leave|get(?: \w+){1,3} off)(?: \w+){0,4} merge train\b/,
    says: 'No tool takes a merge request off a merge train: its page on the forge does. `list_merge_trains` shows what is on one.'
  },
  {
    words: /\b(?:redeploy|roll ?back (?:deployment|environment))\b|^roll ?back$/,
    says: '`retry_pipeline_job` deploys again: its job is the deployable of a deployment, which `list_deployments` has.'
  },
  {
    words:
      /^deploy(?! (?:keys?|tokens?|freezes?)\b)\b|^(?:create|start|trigger|run) (?:(?:a|the) )?deploy(?:ment)?$/,
    says: 'No tool deploys by itself: jobs of a pipeline do. `play_pipeline_job` starts one that waits for a person, `create_pipeline` a pipeline.'
  },
  {
    words: /\bsync(?:hroni[sz]e)?(?: \w+){0,2} forks?\b|\bfork sync\b|\bupdate(?: \w+)? fork\b/,
    says: 'No tool brings a fork up to date: its page on the forge does. `create_merge_request` takes what the other project has by a merge request of that one, with the fork as target_project_id.'
  },
  {
    words: /\b(?:promote|convert|turn)(?: \w+){0,5} epics?\b|^promote issue$/,
    says: 'No tool makes an epic of an issue: the page of the issue on the forge does. `create_work_item` makes an epic of a group, and `update_work_item` gives the issue that one as its parent.'
  },
  {
    words: /\b(?:delete|remove) (?:work ?items?|tasks?|incidents?)$/,
    says: '`delete_issue` deletes what has a number in a project, such as a task; what is of a group is deleted on the forge.'
  },
  {
    words: /\b(?:delete|remove) epics?$/,
    says: 'No tool deletes an epic: its page on the forge does. `update_work_item` closes one by state_event=close.'
  },
  {
    words: /^(?:git )?merge(?: (?!requests?\b)\w+)? branch(?:es)?\b/,
    says: 'No tool merges branches by themselves: `create_merge_request` makes a merge request from one into another, and `merge_merge_request` merges it.'
  },
  {
    words: /\b(?:move|rename) files?$/,
    says: '`commit_files` moves a file by action=move, with the old path as previous_path.'
  },
  {
    words: /\b(?:project|repository|repo) (?:statistics|stats|size)$/,
    says: '`get_project` has the sizes of a project with statistics=true.'
  },
  {
    words: /\bdismiss (?:merge request )?reviews?\b/,
    says: 'No tool dismisses the review of somebody else. `unapprove_merge_request` takes back your own approval.'
  },
  {
    words: /\b(?:delete|remove|erase) pipelines?$/,
    says: 'No tool deletes a pipeline: its page on the forge does. `cancel_pipeline` stops one that runs.'
  },
  {
    words: /\b(?:rename|move) branch$/,
    says: 'No tool renames a branch: `create_branch` makes one by the other name of it, then `delete_branch` deletes it. Merge requests stay with the old name.'
  },
  {
    words: /\b(?:update|edit|move|rename) tag$/,
    says: 'No tool changes a tag: `delete_tag` deletes it, and `create_tag` makes it anew.'
  },
  {
    words: /\bdownload (?:job )?artifacts?\b/,
    says: 'No tool saves artifacts here: `list_job_artifacts` lists the files in them, `get_job_artifact_file` reads one.'
  },
  {
    words: /\bfreeze (?:periods?|deployments?|deploys)\b|\bdeploy(?:ment)? freezes?\b/,
    says: 'No tool reads or changes deploy freezes: the settings of the project on the forge do.'
  },
  {
    words: /\btake (?:\w+ ){0,4}ownership\b|\bschedule take ownership\b/,
    says: 'No tool takes over a pipeline schedule: its page on the forge does. `create_pipeline_schedule` makes one that is yours.'
  },
  {
    words: /\b(?:mark|close) (?:\w+ ){0,3}duplicate\b/,
    says: '`update_issue` closes a duplicate by state_event=close, and `create_issue_link` links it to the other issue.'
  },
  {
    words: /\b(?:clone|copy|duplicate) issue$|^issue (?:clone|copy)$/,
    says: 'No tool copies an issue: `create_issue` makes another one of what `get_issue` gives. `move_issue` moves it to another project.'
  },
  {
    words: /\b(?:delete|remove) merge requests?$/,
    says: 'No tool deletes a merge request: its page on the forge does. `update_merge_request` closes one by state_event=close.'
  },
  {
    words: /\b(?:create|new|block|unblock|ban|unban|deactivate|delete) users?$/,
    says: 'No tool makes, blocks or deletes users: administrators do so on the forge. `set_member` gives one a role in a project or group, `remove_member` takes it.'
  },
  {
    words: /\b(?:export|import) (?:\w+ )?projects?\b|\bproject (?:ex|im)ports?\b/,
    says: 'No tool exports or imports projects: their settings on the forge do.'
  },
  {
    words: /^(?:set|update) (?:time spent|spent time)$/,
    says: 'No tool sets the time spent: `add_spent_time` adds to it, and takes off with a duration such as -1h.'
  },
  {
    words: /^(?:update|edit|change) release (?:link|asset)s?$/,
    says: 'No tool changes a link of a release: `delete_release_link` takes it away, and `create_release_link` adds another.'
  },
  {
    words: /\b(?:get|read|show) (?:\w+ )?coverage$|^coverage$/,
    says: '`get_pipeline` gives the coverage of a pipeline, `list_pipeline_jobs` that of each job.'
  },
  {
    words: /\b(?:un)?lock (?:discussion|conversation|thread)s?$/,
    says: '`update_issue` and `update_merge_request` lock a discussion by discussion_locked.'
  },
  {
    words: /\bterraform\b/,
    says: 'No tool reads or changes Terraform states: the pages of the project on the forge do.'
  },
  {
    words: /\bprotect(?:ed)? environments?\b/,
    says: 'No tool reads or changes protected environments: the settings of the project on the forge do.'
  },
  {
    words: /\b(?:issues?|merge requests?) (?:statistics|stats|counts?)$|^count (?:issues|merge requests)$/,
    says: 'No tool only counts: with per_page=1, the pagination of `list_issues` and `list_merge_requests` has the total.'
  }
]

const otherWays = told.map(({ words, says }) => ({
  words,
  tools: [...says.matchAll(/`(\w+)`/g)].map(([, tool]) => tool!),
  says: says.replaceAll('`', '')
}))

/**
 * What to do instead of calling a tool with this name, if no tool does the same, as a sentence; undefined for other
 * names.
 * @param given the words of the name
 */
export function otherWay(given: readonly string[], usable: ReadonlySet<string>): string | undefined {
  const name = given.join(' ')
  const way = otherWays.find(({ words, tools }) => words.test(name) && tools.every(tool => usable.has(tool)))
  return way?.says ?? saysNotHere(name)
}
