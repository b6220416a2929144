/**
 * Phrases that are replaced as sayings are (sayings.ts), but in queries only: in descriptions of tools these words mean
 * something else.
 */
export const askings: readonly (readonly [RegExp, string])[] = [
  [/\b(?:who +)?am +i\b|\bmy +permissions?\b/g, 'current user token'],
  [/\bwho +(?:has|have|with) +access\b/g, 'list members'],
  // Whatever was introduced: otherwise a bug, for instance, would be searched for as an issue.
  [/\b(?:who|what|which +commit) +introduced\b.*/g, 'file blame'],
  [/\bwho(?: +else)? +(?:is|are|works?) +(?:in|on)\b/g, 'list members'],
  [/\bwho +(?:can|may|is +allowed +to) +(?:merge|push)\b/g, 'list protected branch'],
  [/\bdid\b((?: +\w+){1,3}) +merge\b/g, 'did$1 merged'],
  [/\bchanged +between\b/g, 'branch diffs between'],
  [/\bwait(?:s|ing)? +for +me\b/g, 'my plate'],
  // The second half is what reviews that wait for the caller have become above.
  [/\bwaiting +(?=list +reviewer\b)/g, 'my plate '],
  [
    /\bwhat +(?:should|shall|must|can|do) +i +(?:(?:need|have) +to +)?(?:do|work +on|start +with)(?= *(?:$|first|next|now|today|this))/g,
    'my plate'
  ],
  [/\bwho +(?:has +|have +)?approved\b/g, 'approval state'],
  [/\bmy(?: +(?:recent|latest|last))? +activity\b/g, 'list events'],
  [/\bwhere\b(?: +(?:is|are))?(?=.*\b(?:used|called|defined|configured)\b)/g, 'search code'],
  [/\bappl(?:y|ying)\b(?: +(?:a|an|the|this|my))? +(?:patch|diff)\b/g, 'commit files patch'],
  [/\b(?:out +of +(?:the +)?office|on +(?:vacation|holiday|leave))\b/g, 'user status'],
  [/\bsecurity +(?:issue|problem|bug|finding|hole)s?\b/g, 'list issues vulnerabilities'],
  [/\bkick +off\b/g, 'play'],
  [/\bgit +log\b/g, 'list commits'],
  [/\blog(?= +(?:\w+ +)?(?:minute|hour|day|time)s?\b)/g, 'add spent time'],
  [/\bup +to +date\b|\bupdate +(?:(?:the|my|this) +)?branch +(?:from|with)\b/g, 'rebase mergerequest'],
  [/\bsub *issues?\b/g, 'create child work item'],
  [/\b(?:git +)?push\b(?: +\w+){0,2} +(?:changes|code|commits?|files?|work)\b|^git +push\b/g, 'commit files'],
  [/\bunpublish\b/g, 'delete'],
  [/\bclone\b(?: +(?:a|the|this))?(?: +(?:project|repository|repo|url))?$/g, 'get project'],
  [/\b(?:job +)?trace\b/g, 'job log'],
  [/\b(?:convert|mark|turn)\b(?: +\w+){0,6} +(?:draft|ready)\b/g, 'update mergerequest draft'],
  [/\bapprovers?\b/g, 'approval rule'],
  [/\b(?:upload|attach)\b(?: +\w+){0,2} +(?:image|picture|screenshot)s?\b/g, 'upload attachment'],
  // A job that waits to be started, and does not run regularly.
  [/\b(?:trigger|start|run|launch) +(?:(?:a|an|the) +)?(?:\w+ +)?job\b(?! +cron)/g, 'play pipeline job'],
  [/\bsuggest\b(?: +\w+){0,3} +(?:change|edit|fix)s?\b/g, 'submit review suggestion'],
  [
    /\b(?:create|add|write|save)\b(?: +(?:an?|the|some|new|this))* +files?\b(?!.*\b(?:snippet|gist|issue|comment|note|wiki|release))/g,
    'commit files'
  ],
  [/\bmove\b(?!.*\bmergerequest)(?=.*\biterations?\b)/g, 'update work item'],
  [/\bmove\b(?!.*\bmergerequest)(?=.*\b(?:milestone|iteration|sprint)\b)/g, 'update several issues'],
  // Where a commit has come to.
  [
    /\b(?:(?:which|what) +(?:branch|tag|release)(?:es|s)?(?: +\w+){0,4} +commit\b|is +(?:\w+ +){0,3}commit +(?:\w+ +)?in(?: +\w+){0,3} +(?:branch|tag|release)\b)(?: +\w+){0,8}/g,
    'list commit refs'
  ],
  [/^(?!.*\b(?:merg|user|deploy|pipeline|job))(.*)\bblock(?:s|ed|ing|ers?)\b(?: +by\b)?/g, '$1 issue link'],
  [
    /\bfiles? +last +(?:touched|changed|modified)\b|\blast +(?:touched|changed|modified) +(?:\w+ +)?files?\b/g,
    'list commits'
  ],
  [/\bcode +owners?\b/g, 'codeowners'],
  // Nothing else is done with one from a branch.
  [/^(?:an? +|new +)?mergerequest +(?=from\b.*\bbranch\b)/g, 'create mergerequest '],
  // A variable, and nothing about pipelines themselves.
  [/\b(?:ci|pipeline|job)(?: +cd)? +(secret|variable)s?\b/g, '$1s'],
  [
    /\b(?:delete|remove)\b(?: +(?:an?|the|some|this))* +files?\b(?!.*\b(?:snippet|gist|issue|comment|note|wiki|release|package))/g,
    'commit files'
  ],
  [/\bcves?\b(?: +\d{4} +\d+)?|\bdependabot(?: +alerts?)?\b/g, 'list vulnerabilities'],
  // People of a merge request or issue, not of a project.
  [/\b(?:add|set|remove|invite)\b(?=(?: +\w+){0,3} +reviewers?\b)/g, 'update mergerequest'],
  [/\b(?:add|set|remove)\b(?=(?: +\w+){0,3} +assignees?\b)/g, 'update issue'],
  [/\b(?:share|post|paste)\b(?=(?: +\w+){0,5} +(?:snippet|gist)s?\b)/g, 'create'],
  [/\block\b(?=(?: +the)? +(?:main|master|(?:\w+ +)?branch)\b)/g, 'protect branch'],
  [
    /\b(?:storage|disk|repo|repository|project) +(?:size|usage|space)\b|\bhow +(?:big|large) +is +(?:the|this|my|our) +(?:repo|repository|project)\b/g,
    'get project statistics'
  ],
  [/\bbump\b/g, 'commit files'],
  [/^tag(?= +(?:\w+ +){0,3}(?:commit|branch|head|main|master|version)\b)/g, 'create tag'],
  [/\b(?:hand(?:ing)? +over|re *assign(?:ing)?)\b/g, 'update assignee'],
  [/\b(?:(?:kanban|scrum|issue) +)?boards?\b/g, 'list issues label'],
  // What is done with a project as a whole, and not with its repository or what else is in it.
  [
    /\bvisibility +(?:of|for) +(?:(?:a|the|this|my|our) +)?(?:project|repository|repo)\b/g,
    'project visibility'
  ],
  [
    /\b(?:make|set|turn|change|switch|mark)\b(?: +\w+){0,3} +(?:project|repository|repo)\b(?: +\w+){0,2} +(?:public|private|internal|visibility)\b/g,
    'update project visibility'
  ],
  [/\b(?:un)?archiv(?:e|ing)\b(?: +\w+){0,3} +(?:project|repository|repo)\b/g, 'update project archived'],
  [/\b(public|private|internal|archived) +(?:repos|repositories)\b/g, '$1 projects'],
  // An issue is confidential or not.
  [/\bmake\b((?: +(?!issues?\b)\w+){1,3}) +(?:public|private|internal)\b/g, 'update$1 visibility'],
  [/\b(?:change|update|edit)\b(?= +my +(?:\w+ +)?status\b)/g, 'set user'],
  [/\btransfer\b(?=(?: +\w+){0,3} +issues?\b)/g, 'move'],
  [/\breact +(?:to|on|with)\b/g, 'create emoji reaction'],
  [/\bspend\b/g, 'add spent time'],
  [/\bping\b(?=(?: +(?:a|the|my|our|this))? +(?:web *)?hooks?\b)/g, 'test'],
  [/\btest +failures?\b/g, 'pipeline test report'],
  [/\bdocker\b(?= *$| +(?:registry|repositor\w+|tags?)\b)/g, 'registry container'],
  [
    /\b(?:which|what) +version\b(?=.*\b(?:production|prod|staging|live|deployed|running|runs)\b)/g,
    'what deployments'
  ],
  // What Git does in a clone has no tool, but for a new branch.
  [/\bgit +(?:checkout +b|switch +c)\b/g, 'create branch'],
  [/\bgit +(?=\w)/g, '']
]
