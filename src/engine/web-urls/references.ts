import type { WebUrl } from './web-url.ts'

/**
 * Reads `group/project!7`, `group/project#7` and `group&7`. Results write the work item of a group as `group#7`, which
 * cannot be confused with a project's: the path of a project has a slash.
 */
export function referenceIn(text: string, ofGroup: boolean): WebUrl | undefined {
  const [, path, sign, iid] = /^([\w.-]+(?:\/[\w.-]+)*)([!#&])(\d{1,19})$/.exec(text) ?? []
  if (path === undefined) return undefined
  const [group, project] = [{ group_path: path }, { project_path: path }]
  if (sign === '&') return thing('epic', 'get_work_item', group, { iid })
  if (sign === '!') return thing('merge_request', 'get_merge_request', project, { merge_request_iid: iid })
  return ofGroup || !path.includes('/')
    ? thing('work_item', 'get_work_item', group, { iid })
    : thing('issue', 'get_issue', project, { issue_iid: iid })
}

const thing = (
  kind: string,
  tool: string,
  owner: NonNullable<WebUrl['owner']>,
  fields: WebUrl['fields']
): WebUrl => ({
  kind,
  owner,
  tool,
  fields,
  use: fields,
  isReference: true
})
