/** Asks the forge itself. @returns the record, or nothing where the forge refused */
export type Ask = (
  method: string,
  path: string,
  body?: unknown
) => Promise<Record<string, unknown> | undefined>

/** What tools are given for their arguments, by the arguments' names. */
export type Known = Record<string, unknown>

const PIPELINE = 'evidence:\n  script: echo evidence\nby-hand:\n  script: echo evidence\n  when: manual\n'
const FIRST = [{ action: 'create', file_path: '.gitlab-ci.yml', content: PIPELINE }]
const CHANGE = [{ action: 'create', file_path: 'evidence/notes.txt', content: 'one\ntwo\nthree\n' }]
const PATCH = '<<<<<<< SEARCH\none two three\n=======\none 2 three\n>>>>>>> REPLACE\n'

/**
 * Fills an empty project with one of each thing that tools are about.
 * @returns what was made, for arguments of tools about merge requests, and for those about issues
 */
export async function seed(ask: Ask, project: string): Promise<{ mergeRequests: Known; issues: Known }> {
  const at = `/projects/${encodeURIComponent(project)}`
  const id = (record: Record<string, unknown> | undefined, name = 'id') => record?.[name]
  await ask('POST', `${at}/repository/commits`, { branch: 'main', commit_message: 'Begin', actions: FIRST })
  const branch = { branch: 'evidence', start_branch: 'main', commit_message: 'Change', actions: CHANGE }
  const commit = await ask('POST', `${at}/repository/commits`, branch)
  const title = 'Evidence'
  const request = { source_branch: 'evidence', target_branch: 'main', title }
  const mergeRequest = await ask('POST', `${at}/merge_requests`, request)
  const issue = await ask('POST', `${at}/issues`, { title, description: 'one two three' })
  const other = await ask('POST', `${at}/issues`, { title: 'Another' })
  const moved = await ask('POST', `${at}/issues`, { title: 'To be moved' })
  const label = await ask('POST', `${at}/labels`, { name: 'evidence', color: '#336699' })
  const milestone = await ask('POST', `${at}/milestones`, { title })
  const environment = await ask('POST', `${at}/environments`, { name: 'evidence' })
  const sha = id(commit)
  const tag = await ask('POST', `${at}/repository/tags`, { tag_name: 'evidence-1', ref: 'main' })
  const links = `${at}/issues/${id(issue, 'iid')}/links`
  await ask('POST', links, { target_project_id: project, target_issue_iid: id(other, 'iid') })
  const [linked] = [(await ask('GET', links)) ?? []].flat() as Record<string, unknown>[]
  const todo = await ask('POST', `${at}/issues/${id(issue, 'iid')}/todo`)
  const deployed = { environment: 'evidence', sha, ref: 'evidence', tag: false, status: 'success' }
  const deployment = await ask('POST', `${at}/deployments`, deployed)
  const pipeline = await ask('POST', `${at}/pipeline`, { ref: 'main' })
  const jobs = `${at}/pipelines/${id(pipeline)}/jobs`
  const found = [(await ask('GET', jobs)) ?? []].flat() as Record<string, unknown>[]
  const job = found.find(each => each.name === 'evidence') ?? found[0]
  const owner = await ask('GET', '/user')
  await ask('PUT', `${at}/packages/generic/evidence/1.0.0/evidence.txt`, 'evidence')
  const [stored] = [(await ask('GET', `${at}/packages`)) ?? []].flat() as Record<string, unknown>[]
  const shared: Known = {
    project_id: project,
    ref: 'evidence',
    sha,
    branch: 'evidence',
    branch_name: 'evidence',
    from: 'main',
    to: 'evidence',
    source_branch: 'evidence',
    target_branch: 'main',
    file_path: 'evidence/notes.txt',
    path: 'evidence/notes.txt',
    patch: PATCH,
    tag_name: id(tag, 'name'),
    issue_link_id: id(linked, 'issue_link_id'),
    id: id(todo),
    label_id: id(label),
    milestone_id: id(milestone),
    environment_id: id(environment),
    deployment_id: id(deployment),
    pipeline_id: id(pipeline),
    job_id: id(job),
    merge_request_iid: id(mergeRequest, 'iid'),
    issue_iid: id(issue, 'iid'),
    target_project_id: project,
    target_issue_iid: id(other, 'iid'),
    moved_iid: id(moved, 'iid'),
    package_id: id(stored),
    user_id: id(owner),
    username: id(owner, 'username'),
    job_name: id(job, 'name'),
    manual_id: id(found.find(each => each.status === 'manual') ?? job),
    suggestion_ids: await suggest(ask, at, mergeRequest),
    name: 'thumbsup'
  }
  const talk = async (noteable: string): Promise<Known> => {
    const discussion = await ask('POST', `${at}/${noteable}/discussions`, { body: 'A word' })
    const [note] = (discussion?.notes as Record<string, unknown>[] | undefined) ?? []
    const award = await ask('POST', `${at}/${noteable}/award_emoji`, { name: 'heart' })
    return { ...shared, discussion_id: id(discussion), note_id: id(note), award_id: id(award) }
  }
  const draft = await ask('POST', `${at}/merge_requests/${shared.merge_request_iid}/draft_notes`, {
    note: 'A draft'
  })
  return {
    mergeRequests: {
      ...(await talk(`merge_requests/${shared.merge_request_iid}`)),
      draft_note_id: id(draft)
    },
    issues: await talk(`issues/${shared.issue_iid}`)
  }
}

/** Suggests another line in a merge request. @returns the suggestion's id, in a list */
async function suggest(ask: Ask, at: string, mergeRequest?: Record<string, unknown>): Promise<unknown[]> {
  const request = await ask('GET', `${at}/merge_requests/${mergeRequest?.iid}`)
  const position = {
    ...(request?.diff_refs as object | undefined),
    position_type: 'text',
    old_path: 'evidence/notes.txt',
    new_path: 'evidence/notes.txt',
    new_line: 1
  }
  const body = '```suggestion:-0+0\nONE\n```'
  const thread = await ask('POST', `${at}/merge_requests/${mergeRequest?.iid}/discussions`, {
    body,
    position
  })
  const [note] = (thread?.notes as { suggestions?: { id: unknown }[] }[] | undefined) ?? []
  return (note?.suggestions ?? []).map(({ id }) => id)
}
