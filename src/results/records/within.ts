/** A kind of record that occurs within others. */
interface Within {
  /** The fields of other records that contain one, or a list of them. */
  readonly fields: string
  /** The fields that identify it: at least those that the compact form of any list shows of it within other records. */
  readonly named: string
  /** The tools that show the whole record. */
  readonly tools: readonly string[]
  /** The type of records that list things of this kind as references from another record. */
  readonly linked?: string
}

/**
 * The kinds of records within others. A forge nests records nearly completely, with their texts. If a tool that shows
 * such records is denied, other tools show only the fields that identify them.
 */
export const within = {
  commit: {
    fields: 'commit commits',
    named: 'id short_id title committed_date web_url',
    tools: ['get_commit', 'list_commits']
  },
  deployment: {
    fields: 'last_deployment',
    named: 'id iid',
    tools: ['get_deployment', 'list_deployments']
  },
  environment: {
    fields: 'environment',
    named: 'id name',
    tools: ['get_environment', 'list_environments']
  },
  /**
   * An epic belongs to a group, so if only some projects are served, it belongs to none of them. Its number is shown
   * anyway.
   */
  epic: { fields: 'epic', named: 'iid', tools: [] },
  group: { fields: 'group groups', named: 'id name full_path web_url', tools: ['get_group', 'list_groups'] },
  issue: {
    fields: 'issue issues source_issue target_issue',
    named: 'id iid project_id title state web_url',
    tools: ['get_issue', 'list_issues'],
    linked: 'issue_link'
  },
  iteration: {
    fields: 'iteration',
    named: 'id iid title state due_date web_url',
    tools: ['list_iterations']
  },
  job: {
    fields: 'deployable',
    named: 'id name stage status pipeline web_url',
    tools: ['get_pipeline_job', 'list_pipeline_jobs']
  },
  merge_request: {
    fields: 'merge_request merge_requests',
    named: 'id iid project_id title state web_url',
    tools: ['get_merge_request', 'list_merge_requests'],
    linked: 'commit_merge_request'
  },
  milestone: {
    fields: 'milestone milestones',
    named: 'id iid title state due_date web_url',
    tools: ['list_milestones']
  },
  person: { fields: '', named: 'id username name', tools: ['get_user', 'find_users'] },
  pipeline: {
    fields: 'pipeline pipelines head_pipeline last_pipeline upstream_pipeline downstream_pipeline',
    named: 'id iid project_id status source ref sha coverage web_url',
    tools: ['get_pipeline', 'list_pipelines']
  },
  project: {
    fields: 'project projects shared_projects forked_from_project config_project',
    named: 'id path_with_namespace name web_url',
    tools: ['get_project', 'list_projects']
  },
  release: { fields: 'release', named: 'tag_name name', tools: ['get_release', 'list_releases'] },
  runner: { fields: 'runner runner_manager', named: 'id description status', tools: ['list_runners'] }
} as const satisfies Readonly<Record<string, Within>>

export type RecordKind = keyof typeof within

/**
 * The kind of a to-do's target, by its target_type; other types count as issues, as most of them have the same fields.
 */
export const targets: Readonly<Record<string, RecordKind>> = {
  Commit: 'commit',
  Epic: 'epic',
  Issue: 'issue',
  MergeRequest: 'merge_request',
  Namespace: 'group',
  Project: 'project'
}

/** The kind of the records in a list of references. */
export const kindLinkedBy = (record: string): RecordKind | undefined => linked.get(record)

const linked = new Map(
  Object.entries<Within>(within).flatMap(([kind, { linked }]) =>
    linked === undefined ? [] : [[linked, kind as RecordKind]]
  )
)

/**
 * Kinds that other records show only by their identifying fields, each with the denied tool that shows the rest; empty
 * if no tool does.
 */
export type ReferenceKinds = Readonly<Partial<Record<RecordKind, string>>>

/**
 * The kinds for which a tool is denied.
 * @param isDenied whether a tool of that name is denied
 * @param isLimited whether only some projects are served: an epic belongs to none of them
 * @returns undefined if there are none, so that no record is searched
 */
export function referencesOnlyWhere(
  isDenied: (tool: string) => boolean,
  isLimited: boolean
): ReferenceKinds | undefined {
  const kinds = Object.entries<Within>(within).flatMap(([kind, { tools }]) => {
    const tool = tools.find(isDenied) ?? (kind === 'epic' && isLimited ? '' : undefined)
    return tool === undefined ? [] : [[kind, tool]]
  })
  return kinds.length === 0 ? undefined : Object.fromEntries(kinds)
}
