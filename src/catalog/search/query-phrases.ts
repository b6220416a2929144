/**
 * Phrases that are replaced like those of phrases.ts, but in queries only: in descriptions of tools these words mean
 * something else.
 */
export const queryPhrases: readonly (readonly [RegExp, string])[] = [
  [/(?<=\bdo)n['’]t\b/g, ' not'],
  [
    /\bprint(?:s|ed)?\b(?=.{0,60}\b(?:build|ci|crash\w*|job|log|pipeline|test)s?\b).*|\bwhat\b(?: +\w+){0,3} +print(?:s|ed)?\b.*/g,
    'job output'
  ],
  [/\bmerge\b(?=.*\b(?:automatically|once|when|as soon as)\b).*/g, 'merge mergerequest'],
  [
    /\b(?:answer|respond +to|reply +to)\b(?=.{0,60}\b(?:comment|thread|remark|question)s?\b)(?!.{0,60}\b(?:issue|ticket|bug|work +item|epic)\b).*/g,
    'create mergerequest discussion note'
  ],
  // A number with its sign, as in texts, unless the word before #7 says what it counts.
  [/!\d+\b/g, 'mergerequest'],
  [/(?<!\b(?:pipeline|job|build|mergerequest|epic|schedule) +)#\d+\b/g, 'issue'],
  [/\blgtm\b|\blooks +good +to +me\b/g, 'approve mergerequest'],
  [/\bdo +not +merge\b|\bnot +(?:be +)?merged? +yet\b/g, 'update mergerequest draft'],
  // Who may push to or merge into a branch.
  [
    /\b(?:let|allow|permit|forbid|prevent|prohibit|keep|stop)\b(?: +\w+){0,4} +(?:to +|from +)?(?:push|merge|push(?:es|ing)|merging)\b/g,
    'protect branch'
  ],
  [/\bneeds? +to +be +able +to +\w+/g, 'set member'],
  [
    /\b(?:(?:can|may|could|is|are)(?! +you\b)(?: +(?!auto|who)\w+){1,4} +(?:be +)?merged?|ready +(?:to +be +merged|to +merge|for +merging))\b(?!.*\bautomatic)/g,
    'mergeable mergerequest'
  ],
  // An existing schedule.
  [
    /\b(?:make|have|let|move|change|shift|(?:do +not|no +longer) +(?:run|start))\b(?: +\w+)? +(?:the|our|my|this) +cron\b(?: +(?:build|pipeline|job|run|test)s?\b)?/g,
    'update pipeline schedule'
  ],
  [
    /\b(?:run|start|trigger)\b +(?:the|our|my|this) +cron\b(?: +(?:build|pipeline|job|run|test)s?\b)?/g,
    'play pipeline schedule'
  ],
  [/\b(?:last|first) +(?:\w+ +)?lines\b(?=.*\b(?:job|build|log|pipeline)\b)/g, 'job output'],
  [
    /\b(?:is|are|was|were)\b(?: +(?:the|our|my))? +(?:ci|builds?|pipelines?|tests?)\b(?=.*\b(?:green|passing|ok|okay|fine|good)\b)/g,
    'list pipelines'
  ],
  [/\bwhere\b(?: +\w+){1,3} +(?:builds?|jobs?|pipelines?|tests?) +run\b/g, 'list runners'],
  [/\bwhat\b(?: +\w+){0,4} +change[ds]?\b(?=(?: +\w+){0,4} +mergerequest\b)/g, 'get diffs'],
  [
    /\b(?:put|get|have|want)\b(?: +\w+){1,3} +(?:on|for|as) +(?:(?:the|my|a) +)?review(?:er)?\b/g,
    'update mergerequest reviewer'
  ],
  // A caller who wants to wait for something, and an automatic notification.
  [
    /\b(?:tell|notify|let) +me\b(?: +know)? +(?:when|once|as soon as)\b(?=.*\b(?:job|build|pipeline|ci)\b)/g,
    'wait for'
  ],
  [
    /\b(?:tell|notify|inform|message|post +to)\b(?! +me\b)(?=(?: +\w+){1,4} +(?:when|whenever|if)\b)/g,
    'create webhook'
  ],
  [/^(?:please +)?tell\b(?! +(?:me|us|whether|if|which|who)\b)/g, 'create note'],
  [
    /\b(?:get|bring|take|put)\b(?: +\w+){1,4} +(?:in|into|to|onto)\b(?: +[\w.]+){1,3} +(?:as +well|too|also)\b/g,
    'backport mergerequest'
  ],
  [
    /\b(?:report|file|raise|log)\b +(?:(?:a|an|this|the|new) +){0,2}(?:bug|issue|problem|defect|ticket|incident)\b/g,
    'create issue'
  ],
  [/\bgive\b(?=(?: +\w+){0,3} +(?:issue|ticket|bug|task)s?\b.* to\b)/g, 'update assignee'],
  [/\bput\b(?=.*\b(?:milestone|iteration|sprint)\b)/g, 'update'],
  [/\b(?:everything|all)\b(?: +(?:that|which|is|are))* +label+ed\b/g, 'issues label'],
  [/\bremove +(?=issues +label\b)/g, 'delete '],
  [
    /\b(?:hide|make(?= +(?:(?:the|this|that|my|our) +)?issue\b))\b(?=.{0,60}\bissue\b)(?=.{0,60}\b(?:public|private|confidential|secret)\b)/g,
    'update confidential'
  ],
  [
    /\bthread\b(?=.{0,60}\b(?:fixed|settled|done|close)\b)|\bclose\b(?=.{0,60}\bthread\b)/g,
    'resolve mergerequest thread'
  ],
  [/\bwho\b.*\bsign(?:s|ed)? +off\b/g, 'approval state'],
  [/\bsign(?:ing|ed)? +off\b/g, 'approve'],
  // What is being done, and by whom.
  [/\bwhat +have +i +got +to +do\b/g, 'my plate'],
  [/\bwhat +(?:has|have|did|was|were)\b(?: +(?!i\b)\w+){1,3} +(?:doing|done|do|up +to)\b/g, 'list events'],
  [/\b(?:what|which) +(?:(?:is|are|was|were) +)(?:(?!i\b)\w+ +){1,2}working +on\b/g, 'list issues'],
  [/\bwhat(?: +(?:is|remains|else))* +left(?: +to +do)?\b/g, 'list issues'],
  [/\bhow +(?:much|many|long)\b.*\bspen[dt]\b/g, 'get issue'],
  [/\bwhat +(?:is|was) +new\b/g, 'get release'],
  [/(?<!\bpackage\b.{0,60})\bversion +v?\d[\w.]*(?!.*\b(?:package|mergerequest)\b)/g, 'release'],
  [
    /\b(?:which|what) +files +(?:are|do|is)\b(?!.*\b(?:mergerequest|commit|package|snippet)\b)/g,
    'list repository tree'
  ],
  [
    /\b(?:any(?:one|body|thing)|who|nobody|somebody|someone|still)\b(?: +\w+)? +us(?:e|es|ed|ing)\b/g,
    'search code'
  ],
  [
    /\b(?:turn|switch)\b(?: +\w+){0,3} +(?:on|off)\b(?!.{0,60}\b(?:auto\w*|mergerequest|schedule|cron)\b)/g,
    'update project'
  ],
  [/\b(?:write +down|^document)\b/g, 'create wiki page'],
  [/\bfix(?:ing)?\b(?=(?: +\w+){0,2} +(?:typo|spelling|mistake)s?\b)/g, 'update'],
  [/\bfalse +positives?\b/g, 'change vulnerability state'],
  [/\bfree\b(?: +up)?(?=.*\b(?:space|room|registry)\b)|\bclean(?:ing)? *up\b/g, 'delete'],
  [/\b(?:create|make|start|set +up)\b(?: +(?:a|an|the|new|our))* +team\b/g, 'create group'],
  [
    /\b(?:trigger|start|run|launch|do|make) +(?:(?:a|an|the) +)?deploy(?:ment)?\b(?! +job)|^deploy\b(?! +(?:keys?|tokens?|freezes?)\b)/g,
    'play pipeline job'
  ],
  [/\b(?:who +)?am +i\b|\bmy +permissions?\b/g, 'current user token'],
  [/\bwho +(?:has|have|with) +access\b/g, 'list members'],
  // Anything that was introduced: otherwise a bug, for instance, would be searched for as an issue.
  [/\b(?:who|what|which +commit) +introduced\b.*/g, 'file blame'],
  [/\bwho(?: +else)? +(?:is|are|works?) +(?:in|on|here)\b/g, 'list members'],
  [/\bwho +(?:can|may|is +allowed +to) +(?:merge|push)\b/g, 'list protected branch'],
  [/\bdid\b((?: +\w+){1,3}) +merge\b/g, 'did$1 merged'],
  [/\bchanged +between\b/g, 'branch diffs between'],
  [/\bwait(?:s|ing)? +for +me\b/g, 'my plate'],
  // The second half is the result of a phrase above for reviews that wait for the caller.
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
  [
    /\b(?:git +)?(?:push|save)\b(?: +\w+){0,2} +(?:changes|code|commits?|files?|work)\b|^git +push\b/g,
    'commit files'
  ],
  [/\bunpublish\b/g, 'delete'],
  [/\bclone\b(?: +(?:a|the|this))?(?: +(?:project|repository|repo|url))?$/g, 'get project'],
  [/\b(?:job +)?trace\b/g, 'job log'],
  [/\b(?:convert|mark|turn)\b(?: +\w+){0,6} +(?:draft|ready)\b/g, 'update mergerequest draft'],
  [/\bapprovers?\b/g, 'approval rule'],
  [/\b(?:upload|attach)\b(?: +\w+){0,2} +(?:image|picture|screenshot)s?\b/g, 'upload attachment'],
  // A job that waits to be started, and is not scheduled.
  [/\b(?:trigger|start|run|launch) +(?:(?:a|an|the) +)?(?:\w+ +)?job\b(?! +cron)/g, 'play pipeline job'],
  [/\bsuggest\b(?: +\w+){0,3} +(?:change|edit|fix)s?\b/g, 'submit review suggestion'],
  [
    /\b(?:create|add|write|save)\b(?: +(?:an?|the|some|new|this))* +files?\b(?!.*\b(?:snippet|gist|issue|comment|note|wiki|release))/g,
    'commit files'
  ],
  [/\bmove\b(?!.*\bmergerequest)(?=.*\biterations?\b)/g, 'update work item'],
  [/\bmove\b(?!.*\bmergerequest)(?=.*\b(?:milestone|iteration|sprint)\b)/g, 'update several issues'],
  // The branches and tags that contain a commit.
  [
    /\b(?:(?:which|what) +(?:branch|tag|release)(?:es|s)?(?: +\w+){0,4} +commit\b|is +(?:\w+ +){0,3}commit +(?:\w+ +)?in(?: +\w+){0,3} +(?:branch|tag|release)\b)(?: +\w+){0,8}/g,
    'list commit refs'
  ],
  [
    /^(?!.*\b(?:merg|user|deploy|pipeline|job))(.*)\b(?:block(?:s|ed|ing|ers?)|depend(?:s|ed|ent|ing)?)\b(?: +(?:by|on)\b)?/g,
    '$1 issue link'
  ],
  [
    /\bfiles? +last +(?:touched|changed|modified)\b|\blast +(?:touched|changed|modified) +(?:\w+ +)?files?\b/g,
    'list commits'
  ],
  [/\bcode +owners?\b/g, 'codeowners'],
  // A merge request from a branch can only be created.
  [/^(?:an? +|new +)?mergerequest +(?=from\b.*\bbranch\b)/g, 'create mergerequest '],
  // A variable, not a pipeline.
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
  // Changes to a project as a whole, not to its repository or other contents.
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
  // Not for issues, which are confidential or not.
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
  // A project, unless it is a repository of the registry, or exists already.
  [
    /\b(?:(?:create|make|start)(?: +(?:a|an|some))?(?: +new)?|set +up +(?:a|an|some)(?: +new)?|^(?:a +)?new) +(?:(?!the\b|my\b|our\b|container\b|registry\b|docker\b|image\b)\w+ +)?(?:repository|repo)\b(?= *$| +(?:called|named|for|in|under|from|with(?! +protected\b))\b).*/g,
    'create project'
  ],
  [/\bmerge +queues?\b/g, 'mergerequest merge train'],
  [/\b(?:put|place)\b(?=(?: +\w+){0,4} +(?:in|into|on|onto)(?: +\w+){0,2} +merge +train\b)/g, 'add'],
  [
    /\b(?:attach|upload|add)\b(?: +\w+){0,3} +(?:archive|asset|binar(?:y|ie)|build|executable|file|image|package)s?\b(?=(?: +\w+){0,2} +(?:to|for|on) +(?:(?:a|an|the|our) +)?(?:\w+ +)?release\b(?! +(?:branch|candidate|description|job|notes?|page|pipeline)\b)).*/g,
    'create release link'
  ],
  [
    /\b(?:bring|port|take)\b(?: +\w+){0,2} +(?:change|commit|fix|patch)(?:es|s)?\b(?: +\w+){0,2} +(?:into|to|onto)\b(?: +(?:a|the|our|another|other))?(?: +(?!my\b|new\b)[\w.]+)? +branch\b/g,
    'backport mergerequest cherry pick commit'
  ],
  [/\b(?:set|mark|show)\b(?: +(?:me|my|myself|status))* +(?:to|as) +(?:busy|away)\b/g, 'set user status'],
  [/\bchmod\b|\bexecutable +(?:bit|flag|mode)\b|\bmake\b(?: +\w+){1,3} +executable\b/g, 'commit files'],
  [/\b(?:accept|take)\b(?: +\w+){0,2} +suggest(?:ed|ions?)\b(?: +changes?\b)?/g, 'apply suggestions'],
  [
    /\b(?:book|record|track)\b(?= +(?:(?:\d+(?:\.\d+)?|an?|the|my|some|one|two|three|four|five|six|seven|eight|half(?: +an?)?) +)?(?:minute|hour|day|time)s?\b)/g,
    'add spent time'
  ],
  [
    /\b(?:download|get|show|see|open|view) +(?:(?:a|an|the) +)?(?:image|picture|screenshot|attachment)s? +(?:in|from|of) +(?:(?:a|an|the) +)?(?:\w+ +)?(?:comment|description|issue|note)\b(?= *$| +#?\d+| +(?:in|of|on)\b)/g,
    'get attachment'
  ],
  // No tool does what Git does in a clone, except for creating a branch.
  [/\bgit +(?:checkout +b|switch +c)\b/g, 'create branch'],
  [/\bgit +(?=\w)/g, '']
]
