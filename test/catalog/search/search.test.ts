import t from 'tap'
import { Type } from 'typebox'
import { Catalog } from '../../../src/catalog/catalog.ts'
import { createDiscovery } from '../../../src/catalog/discovery.ts'
import type { PolicySettings } from '../../../src/catalog/policy/policy.ts'
import { ToolSearch } from '../../../src/catalog/search/search.ts'
import { rest } from '../../../src/engine/rows/row.ts'
import { toolsets } from '../../evidence/support/toolsets.ts'

const catalog = new Catalog()
for (const toolset of toolsets) catalog.add(toolset)
const view = catalog.policy.viewOf(['all'])
const best = (query: string) => catalog.search(query, view, 1)[0]?.name
const found = (query: string, tool: string) =>
  catalog.search(query, view, 3).some(({ name }) => name === tool)

t.test('what Git does in a clone alone finds nothing, rather than what Git is named at', async t => {
  for (const query of ['git stash', 'git fetch']) t.equal(best(query), undefined, query)
})

t.test('the tool whose whole name was said comes first', async t => {
  for (const [query, tool] of [
    ['review merge request', 'review_merge_request'],
    ['create merge request', 'create_merge_request'],
    ['merge a merge request', 'merge_merge_request'],
    ['list issues', 'list_issues'],
    ['move an issue to the next iteration', 'update_work_item'],
    ['read an issue', 'get_issue'],
    ['why did the pipeline fail', 'diagnose_pipeline'],
    ['search code', 'search_code'],
    ['add a member', 'set_member'],
    ['backport', 'backport_merge_request'],
    ['close an issue', 'update_issue'],
    ['close a milestone', 'update_milestone'],
    ['resolve the thread', 'resolve_merge_request_thread'],
    ['give access', 'set_member'],
    ['give somebody access to a project', 'set_member'],
    ['add a developer', 'set_member'],
    ['add a developer to the project', 'set_member'],
    ['read the onboarding checklist', 'get_wiki_page'],
    ['create an issue with a checklist', 'create_issue'],
    ['edit a file', 'commit_files'],
    ['move files to another folder', 'commit_files'],
    ['move a file', 'commit_files'],
    ['set branch protection', 'protect_branch'],
    ['configure branch protection', 'protect_branch'],
    ['create file in repo', 'commit_files'],
    ['add a file to the repository', 'commit_files'],
    ['write file', 'commit_files'],
    ['create a new file', 'commit_files'],
    ['PR from branch', 'create_merge_request'],
    ['cve', 'list_vulnerabilities'],
    ['CVE-2024-1234', 'list_vulnerabilities'],
    ['delete a file', 'commit_files'],
    ['remove a file from the repo', 'commit_files'],
    ['delete a file from a package', 'delete_package'],
    ['delete issue comment', 'delete_issue_note'],
    ['delete a comment on an issue', 'delete_issue_note'],
    ['which branches contain this commit', 'list_commit_refs'],
    ['which tag contains a commit', 'list_commit_refs'],
    ['is this commit in a tag', 'list_commit_refs'],
    ['which release has this commit', 'list_commit_refs'],
    ['is this commit in a release branch', 'list_commit_refs'],
    ['delete an issue', 'delete_issue'],
    ['create a project', 'create_project'],
    ['make repo public', 'update_project'],
    ['make the repository private', 'update_project'],
    ['set the project to internal', 'update_project'],
    ['change visibility of the repo', 'update_project'],
    ['list private repositories', 'list_projects'],
    ['make my snippet public', 'update_snippet'],
    ['archive a repository', 'update_project'],
    ['unarchive the project', 'update_project'],
    ['archive a label', 'update_label'],
    ['change my status', 'set_user_status'],
    ['change the status of an issue', 'update_issue'],
    ['transfer issue to other project', 'move_issue'],
    ['transfer issues to another repo', 'move_issue'],
    ['push_files', 'commit_files'],
    ['create_or_update_file', 'commit_files'],
    ['push files to a branch', 'commit_files'],
    ['push my changes', 'commit_files'],
    ['git push', 'commit_files'],
    ['transfer an issue', 'move_issue'],
    ['update branch from main', 'rebase_merge_request'],
    ['sub-issue', 'create_work_item'],
    ['dependabot', 'list_vulnerabilities']
  ] as const)
    t.equal(best(query), tool, query)
})

t.test('what people call things leads to the tool among the first three', async t => {
  for (const [query, tool] of [
    ['list discussions of a merge request', 'mr_discussions'],
    ['branch protection', 'list_protected_branches'],
    ['read open threads of a PR', 'mr_discussions'],
    ['unresolved threads', 'mr_discussions'],
    ['commits of a merge request', 'list_merge_request_commits'],
    ['request changes on a merge request', 'submit_review'],
    ['cherry-pick a merge request to another branch', 'backport_merge_request'],
    ['find where a string occurs in the repository', 'search_code'],
    ['find text in files', 'search_code'],
    ['add a developer to the project', 'set_member'],
    ['give somebody access until a date', 'set_member'],
    ['label issues in bulk', 'update_issues'],
    ['label issues', 'update_issues'],
    ['comment on lines of a merge request', 'submit_review'],
    ['see the pipeline pass', 'wait_for_pipeline'],
    ['issues without a label', 'list_issues'],
    ['write release notes', 'create_release'],
    ['who can approve', 'list_merge_request_approval_rules'],
    ['undo merge', 'revert_commit'],
    ['undo a merged merge request', 'revert_commit'],
    ['roll back a merge request', 'revert_commit'],
    ['rollback', 'revert_commit'],
    ['undo approval', 'unapprove_merge_request'],
    ['schedule a pipeline', 'create_pipeline_schedule'],
    ['schedule nightly pipeline', 'create_pipeline_schedule'],
    ['run a pipeline every night', 'create_pipeline_schedule'],
    ['nightly', 'create_pipeline_schedule'],
    ['run job every morning', 'create_pipeline_schedule'],
    ['list scheduled pipelines', 'list_pipeline_schedules'],
    ['pause a schedule', 'update_pipeline_schedule'],
    ['stop a running pipeline', 'cancel_pipeline'],
    ['tag a commit', 'create_tag'],
    ['tag the release branch', 'create_tag'],
    ['hand over my issues', 'update_issues'],
    ['reassign issues', 'update_issues'],
    ['reassign a merge request', 'update_merge_request'],
    ['kanban board', 'list_issues'],
    ['issue boards', 'list_issues'],
    ['inline comment with suggestion', 'submit_review'],
    ['who changed this line', 'get_file_blame'],
    ['who wrote this line', 'get_file_blame'],
    ['take back my approval', 'unapprove_merge_request'],
    ['withdraw approval', 'unapprove_merge_request'],
    ['list files in a folder', 'get_repository_tree'],
    ['request a review from somebody', 'update_merge_request'],
    ['ask alice for review', 'update_merge_request'],
    ['I want to review a merge request', 'review_merge_request'],
    ['merge requests I should review', 'list_merge_requests'],
    ['PRs waiting for my review', 'list_merge_requests'],
    ['write release notes from merge requests', 'create_release'],
    ['delete the source branch after merging', 'merge_merge_request'],
    ['rerun pipeline', 'retry_pipeline'],
    ['re-run a failed job', 'retry_pipeline_job'],
    ['compare two branches', 'get_branch_diffs'],
    ['history of a file', 'list_commits'],
    ['CI secrets', 'set_variable'],
    ['CI secrets', 'list_variables'],
    ['upload a file', 'commit_files'],
    ['read the README', 'get_file_contents'],
    ['create a subtask', 'create_work_item'],
    ['find where function is defined', 'search_code'],
    ['find usages of a function', 'search_code'],
    ['find class definition', 'search_code'],
    ['find a merge request', 'list_merge_requests'],
    ['who has access', 'list_members'],
    ['who am I', 'get_current_user'],
    ['am I admin', 'get_current_user'],
    ['my permissions', 'get_current_user'],
    ['my notifications', 'list_todos'],
    ['upload an image to an issue', 'upload_attachment'],
    ['attach a screenshot to an issue', 'upload_attachment'],
    ['what changed between two tags', 'get_branch_diffs'],
    ['create incident', 'create_issue'],
    ['unpublish a release', 'delete_release'],
    ['convert to draft', 'update_merge_request'],
    ['add approver', 'set_merge_request_approval_rule'],
    ['who introduced this bug', 'get_file_blame'],
    ['who broke the build', 'diagnose_pipeline'],
    ['who deployed', 'list_deployments'],
    ['see who reviewed', 'list_merge_request_participants'],
    ['re-run CI', 'retry_pipeline'],
    ['run CI again', 'retry_pipeline'],
    ['trigger deployment job', 'play_pipeline_job'],
    ['check if mergeable', 'get_merge_request'],
    ['enable squash', 'update_project'],
    ['require pipeline to succeed before merge', 'update_project'],
    ['suggest a code change', 'submit_review'],
    ['gist', 'get_snippet'],
    ['create a gist', 'create_snippet'],
    ['clone', 'get_project'],
    ['clone a repository', 'get_project'],
    ['trace', 'get_pipeline_job_output'],
    ['ping someone', 'create_note'],
    ['ping webhook', 'test_webhook'],
    ['test the webhook with a ping', 'test_webhook'],
    ['react to an issue', 'create_issue_emoji_reaction'],
    ['react to comment', 'create_merge_request_note_emoji_reaction'],
    ['spend 2h on issue', 'add_spent_time'],
    ['test failures', 'get_pipeline_test_report'],
    ['docker', 'list_registry_repositories'],
    ['which version is on production', 'list_deployments'],
    ['git checkout -b', 'create_branch'],
    ['git blame', 'get_file_blame'],
    ['thumbs up on a merge request', 'create_merge_request_emoji_reaction'],
    ['security issues', 'list_vulnerabilities'],
    ['security issues', 'list_issues'],
    ['what did my colleague merge last week', 'list_merge_requests'],
    ['what did my colleague merge last week', 'list_events'],
    ['add a user to the project', 'set_member'],
    ['who can merge to main', 'list_protected_branches'],
    ['who is in the group', 'list_members'],
    ['set me out of office', 'set_user_status'],
    ['what changed between v1 and v2', 'get_branch_diffs'],
    ['apply a patch to a new branch', 'commit_files'],
    ['kick off the deploy job', 'play_pipeline_job'],
    ['git log', 'list_commits'],
    ['kick somebody out of the group', 'remove_member'],
    ['log two hours on a ticket', 'add_spent_time'],
    ['ship version 2.0', 'create_release'],
    ['make a copy of a repository', 'fork_project'],
    ['throw away a stale branch', 'delete_branch'],
    ['turn the issue into done', 'update_issue'],
    ['write a page in the wiki', 'create_wiki_page'],
    ['bring the branch up to date with main', 'rebase_merge_request'],
    ['find where timeouts are configured', 'search_code'],
    ['what should I do today', 'whats_on_my_plate'],
    ['what should I work on', 'whats_on_my_plate'],
    ['merge requests waiting for my review', 'whats_on_my_plate'],
    ['move issues from milestone A to B', 'update_issues'],
    ['move to next milestone', 'update_issues'],
    ['move an issue to another project', 'move_issue'],
    ['issue blocked by', 'list_issue_links'],
    ['blocked by', 'list_issue_links'],
    ['blocked by', 'create_issue_link'],
    ['why is my merge request blocked', 'get_merge_request'],
    ['last touched file', 'list_commits'],
    ['who last changed this line', 'get_file_blame'],
    ['convert issue to incident', 'update_issue'],
    ['SAST findings', 'list_vulnerabilities'],
    ['CODEOWNERS', 'get_file_contents'],
    ['code owners', 'get_file_contents'],
    ['add a file to a snippet', 'create_snippet'],
    ['accept the merge request', 'merge_merge_request'],
    ['what is on production', 'list_deployments'],
    ['what runs in production', 'list_environments'],
    ['is it on staging', 'list_deployments'],
    ['upvote an issue', 'create_issue_emoji_reaction'],
    ['upvote', 'create_merge_request_emoji_reaction'],
    ['share this as a snippet', 'create_snippet'],
    ['freeze main', 'protect_branch'],
    ['lock the release branch', 'protect_branch'],
    ['lock an issue', 'update_issue'],
    ['storage size', 'get_project'],
    ['how big is the repository', 'get_project'],
    ['bump version', 'commit_files']
  ] as const)
    t.ok(found(query, tool), `${query}: ${tool}`)
})

t.test('a question is answered by what reads, and first by a list if it is about several things', async t => {
  for (const [query, tool] of [
    ['overdue issues', 'list_issues'],
    ['which issues are overdue', 'list_issues'],
    ['my PRs', 'list_merge_requests'],
    ['stale merge requests', 'list_merge_requests'],
    ['issues assigned to me', 'list_issues'],
    ['find flaky tests', 'get_pipeline_test_report'],
    ['how many vulnerabilities are critical', 'list_vulnerabilities']
  ] as const)
    t.equal(best(query), tool, query)
})

t.test('of questions in words that no table was made for, most find their tool', async t => {
  const missed = (
    [
      ['my open tickets', 'list_issues'],
      ['which pipelines failed today', 'list_pipelines'],
      ['branches nobody touched for months', 'list_branches'],
      ['latest release', 'list_releases'],
      ['open merge requests of the group', 'list_merge_requests'],
      ['environments we deploy to', 'list_environments'],
      ['which runners are offline', 'list_runners'],
      ['due dates of milestones', 'list_milestones'],
      ['labels in this project', 'list_labels'],
      ['wiki page about deployment', 'get_wiki_page'],
      ['docker images we published', 'list_registry_tags'],
      ['which commits are in this release', 'list_commits'],
      ['people in my team', 'find_users'],
      ['old closed issues about login', 'list_issues'],
      ['approvals still missing', 'get_merge_request_approval_state'],
      ['merge conflicts in my PR', 'get_merge_request_conflicts'],
      ['unit test results of the pipeline', 'get_pipeline_test_report'],
      ['CI variables of the project', 'list_variables'],
      ['projects I starred', 'list_projects'],
      ['subgroups of a group', 'list_groups'],
      ['tags newer than last month', 'list_tags']
    ] as const
  ).filter(([query, tool]) => !found(query, tool))
  t.same(missed, [])
})

t.test('an order is followed, also for several things', async t => {
  for (const [query, tool] of [
    ['delete old branches', 'delete_branch'],
    ['delete branches', 'delete_branch'],
    ['unprotect branches', 'unprotect_branch'],
    ['close stale issues', 'update_issue'],
    ['close merge requests', 'update_merge_request'],
    ['retry failed jobs', 'retry_pipeline_job'],
    ['run pipelines', 'create_pipeline'],
    ['can you delete the branch', 'delete_branch']
  ] as const)
    t.ok(found(query, tool), query)
  t.equal(best('delete branches'), 'delete_branch')
})

t.test('a question leads to what reads, whatever its verb', async t => {
  for (const query of [
    'who deleted the branch',
    'who can approve',
    'is linus a maintainer',
    'tell me which variables are set',
    'can I merge this',
    'should I merge',
    'when was v1 released'
  ])
    t.match(catalog.find(best(query) ?? ''), { class: 'read' }, query)
  for (const [query, tool] of [
    ['who approved this merge request', 'get_merge_request_approval_state'],
    ['what waits for me', 'whats_on_my_plate'],
    ['what is waiting for me', 'whats_on_my_plate'],
    ['which reviews are waiting for me', 'whats_on_my_plate'],
    ['my recent activity', 'list_events'],
    ['where is BURN_RATE used', 'search_code']
  ] as const)
    t.ok(found(query, tool), query)
})

t.test('an argument that is said leads to the tool that takes it', async t => {
  for (const [query, tool] of [
    ['set reviewers of a merge request', 'update_merge_request'],
    ['change reviewer', 'update_merge_request'],
    ['assign reviewers', 'update_merge_request'],
    ['set target branch', 'update_merge_request'],
    ['add a reviewer', 'update_merge_request'],
    ['add linus as reviewer', 'update_merge_request'],
    ['remove a reviewer from the MR', 'update_merge_request'],
    ['add ada as assignee', 'update_issue'],
    ['set labels on a merge request', 'update_merge_request'],
    ['remove label from issue', 'update_issue'],
    ['squash commits when merging', 'merge_merge_request'],
    ['change the default branch', 'update_project'],
    ['set a project description', 'update_project'],
    ['issues with no assignee', 'list_issues']
  ] as const)
    t.ok(found(query, tool), `${query}: ${tool}`)
})

t.test('several things are looked for at once, each tool told once with what it is called with', async t => {
  const { search } = createDiscovery(catalog, view, () => undefined)
  const found = search(['merge merge request', 'get merge request', 'create issue'], 2) as {
    name: string
    call_with: string
    inputSchema: object
  }[]
  const names = found.map(({ name }) => name)
  t.same(new Set(names).size, names.length)
  t.match(
    new Map(found.map(({ name, call_with }) => [name, call_with])),
    new Map([
      ['merge_merge_request', 'call_destructive_tool'],
      ['get_merge_request', 'call_read_tool'],
      ['create_issue', 'call_write_tool']
    ])
  )
  t.ok(found.every(({ inputSchema }) => inputSchema))
})

t.test('orders for several things are looked for each by itself, without semicolons, too', async t => {
  for (const [query, tools] of [
    ['change a line in a file and open a merge request', ['commit_files', 'create_merge_request']],
    ['commit a fix and create a merge request', ['commit_files', 'create_merge_request']],
    ['edit a file, and then open an MR', ['commit_files', 'create_merge_request']],
    [
      'create a branch, commit files and open an MR',
      ['create_branch', 'commit_files', 'create_merge_request']
    ],
    ['create a release and close the milestone', ['create_release', 'update_milestone']],
    ['find flaky tests and open an issue', ['get_pipeline_test_report', 'create_issue']]
  ] as const) {
    const names = catalog
      .things(query)
      .flatMap(thing => catalog.search(thing, view, 2).map(({ name }) => name))
    t.same(
      tools.filter(tool => !names.includes(tool)),
      [],
      query
    )
  }
})

t.test('what is one order, or is about what was named before, is looked for as a whole', async t => {
  for (const query of [
    'close and reopen an issue',
    'approve and merge a merge request',
    'create, update and delete labels',
    'list issues and merge requests',
    'set labels and milestone of an issue',
    'review the merge request and approve it',
    'list branches and delete old ones',
    `${'list issues '.repeat(50)}and create a branch`
  ])
    t.same(catalog.things(query), [query])
  t.same(catalog.things(' ; close it;\n'), [' close it'])
})

t.test('a tool whose exact name is asked for comes alone, unless it may not be called', async t => {
  const { search } = createDiscovery(catalog, view, () => undefined)
  const names = (found: readonly unknown[]) => found.map(tool => (tool as { name: string }).name)
  t.same(names(search(['get_issue', 'list_labels'], 2)), ['get_issue', 'list_labels'])
  const reading = createDiscovery(catalog, { ...view, readOnly: true }, () => undefined)
  t.notOk(names(reading.search(['create_issue'], 2)).includes('create_issue'))
})

t.test(
  'words that every object has are words as any other, and those after the first twenty are passed over',
  async t => {
    t.equal(best('constructor toString valueOf create issue'), 'create_issue')
    const before = Array.from({ length: 20 }, (_, at) => `qz${at}`).join(' ')
    t.equal(best(`${before} create issue`), undefined)
  }
)

const searchFor = (title: string, summary = '') =>
  new ToolSearch(() => [{ name: 'x', class: 'read', title, summary, input: Type.Object({}) }])

t.test('a short word is not taken for another that differs by a character', async t => {
  const search = searchFor('gist', 'closes it')
  t.same(search.find('gust'), [])
  t.same(search.find('clones'), [])
})

t.test('a word whose meaning is known is not taken for another that it is nearly written as', async t => {
  t.same(searchFor('protection').find('production'), [])
})

t.test('of a word two characters may be wrong, however long it is', async t => {
  const search = searchFor('internationalization')
  t.same(search.find('xnternationalizatixn'), ['x'])
  t.same(search.find('xnternationalizatxxn'), [])
})

t.test('ten words of a query may be misspelt', async t => {
  const search = searchFor('internationalization')
  const before = (count: number) => Array.from({ length: count }, (_, at) => `nonsense${at}`).join(' ')
  t.same(search.find(`${before(9)} xnternationalization`), ['x'])
  t.same(search.find(`${before(10)} xnternationalization`), [])
  t.same(search.find(`${before(10)} internationalization`), ['x'])
})

t.test('words of the same meaning are searched for while there are few', async t => {
  const search = searchFor('snippet')
  const before =
    'image task log user comment line developer review checklist member repo build file fail directory'
  t.same(search.find('image task gist'), ['x'])
  t.same(search.find(`${before} gist`), [])
  t.same(search.find(`${before} snippet`), ['x'])
})

t.test('what is searched is read once, however often the policy changes', async t => {
  let read = 0
  const row = rest({
    name: 'list_pages',
    class: 'read',
    title: 'Pages',
    summary: 'List them.',
    input: Type.Object({}),
    request: 'GET /pages'
  })
  const counted = Object.defineProperty(row, 'summary', { get: () => `Time ${++read}` })
  const renewed = new Catalog()
  renewed.add({ id: 'wiki', summary: 'Rows.', rows: [counted] })
  for (const readOnly of [true, false, true]) {
    renewed.renew({ readOnly } as PolicySettings)
    renewed.search('pages', view, 1)
  }
  t.equal(read, 1)
})
