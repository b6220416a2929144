/**
 * Things that no tool does, and to which no tool is similar, by the words of a name: what they are, and where they can
 * be done.
 */
const notHere: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:get|list) pipeline variables$/,
    'reads the variables that a pipeline was started with: its page does'
  ],
  [
    /^(?:update|edit) pipeline(?: metadata)?$/,
    'renames a pipeline: its page, or workflow:name in .gitlab-ci.yml, does'
  ],
  [
    /^(?:update|edit|delete) deployment$/,
    'changes a deployment: its job, or the page of its environment, does'
  ],
  [/\bdeployment merge requests$/, 'lists what a deployment brought: its page does'],
  [
    /^(?:update|edit|delete) environment$|\bstop stale environments$|\breview app environments$/,
    'changes environments: their page does'
  ],
  [/\bci catalog\b/, 'reads the CI/CD catalog: its page, /explore/catalog of the forge, does'],
  [/^list (?:pipeline )?schedule pipelines$/, 'lists the pipelines of a schedule: its page does'],
  // Who adds one to an item means the items that may have it.
  [/^(?:create|new) iteration$/, 'makes iterations: the page of their cadence does'],
  [/^(?:get|list) (?:project )?forks$/, 'lists the forks of a project: its page does'],
  [
    /^rotate (?:(?:personal|project|group) )?(?:access )?token$/,
    'rotates tokens: the page of their owner does'
  ],
  [/^promote milestone$/, 'promotes a milestone: its page does'],
  [/^promote (?:project )?label$/, 'promotes a label: the page of its project’s labels does'],
  [/^(?:update|edit|rename) group$/, 'changes a group: the page of its settings does'],
  [
    /^(?:un)?share (?:project|group)(?: with)?(?: group)?$/,
    'shares a project or group with a group: the page of its members does'
  ],
  [
    /\baccess requests?$/,
    'reads or answers requests for access: the page of the members of the project or group does'
  ],
  [
    /^(?:create|add|new) (?:todo|to do)(?: item)?$/,
    'makes a to-do: the page of the issue or merge request does'
  ],
  [
    /^(?:(?:run|execute|call|send|make|query|get) )?(?:(?:a|raw|custom) )?graphql(?: (?:query|mutation|api|request|schema|introspection))?$/,
    'passes a query of yours on to the GraphQL API: each tool does one thing'
  ],
  [/\bburn ?(?:down|up)\b/, 'reads burndown charts: the page of the milestone does'],
  [/^health ?check$/, 'checks the service: /readyz does, without a token'],
  [/\brelease evidence$/, 'collects evidence: the forge does when it makes a release'],
  [/^download release asset$/, 'downloads assets of a release: its record has their addresses'],
  [/\btag signature$/, 'reads signatures of tags: the page of the tag does'],
  [/^convert work item\b/, 'changes the type of a work item: its page does'],
  [/^list work item statuses$/, 'lists the statuses of work items: the settings of their group do'],
  [/^list custom fields?\b/, 'lists custom fields: the settings of their group do'],
  [
    /^(?:get|list|create) timeline events?$/,
    'reads or makes events of a timeline: the page of the incident does'
  ],
  [/^(?:get|list) webhook events?$/, 'reads what a webhook has sent: its settings on the forge do'],
  [
    /^(?:(?:get|list|read|show) )?(?:(?:project|group|issues?|merge requests?|code review|ci cd|pipelines?|repository|value streams?) )?analytics$/,
    'reads analytics: the pages of the project or group do'
  ],
  [
    /^(?:(?:get|list|read|show) )?(?:(?:project|group) )?dora\b/,
    'reads DORA metrics: the analytics of the project or group do'
  ],
  [
    /^(?:(?:get|list|read|show|add|create|set|update|edit|delete|remove|sync) )?(?:project )?(?:push|pull|remote|repository) mirror(?:s|ing)?$/,
    'reads or changes mirrors: the settings of the project on the forge do'
  ],
  [
    /^(?:(?:get|list|add|create|update|edit|delete|remove) )?(?:(?:project|group|pipeline|coverage) )?badges?$/,
    'reads or changes badges: the settings of the project or group do'
  ],
  [
    /^(?:(?:get|list|read|show|add|create|set|update|edit|delete|remove) )?(?:project )?pages domains?$/,
    'reads or changes domains of Pages: the settings of the project on the forge do'
  ],
  [
    /^(?:(?:get|list|read|show) )?(?:time(?: tracking)? reports?|timelogs?)$|^who spent time\b/,
    'reports who spent time, and when: the page of the issue or merge request does'
  ],
  [/^orbit\b/, 'asks Orbit, a service of its own']
]

/** Says that no tool does the named thing; undefined for other names. @param name its words, separated by blanks */
export function saysNotHere(name: string): string | undefined {
  const [, says] = notHere.find(([words]) => words.test(name)) ?? []
  return says && `No tool ${says}.`
}
