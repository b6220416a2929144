import t from 'tap'
import { Catalog } from '../../../src/catalog/catalog.ts'
import { toolsets } from '../../evidence/support/toolsets.ts'

const catalog = new Catalog()
for (const toolset of toolsets) catalog.add(toolset)
const view = catalog.policy.viewOf(['all'])

/** The first three tools for each thing that a text asks for, as find_tools has them. */
const foundFor = (text: string): readonly string[] =>
  catalog.things(text).flatMap(thing => catalog.search(thing, view, 3).map(({ name }) => name))

t.test('people who do not know what things are called here find the tool among the first three', async t => {
  for (const [text, tool] of [
    ['Give me the last 50 lines of the failed job', 'get_pipeline_job_output'],
    ['can !3 be merged', 'get_merge_request'],
    ['Is the MR ready to be merged', 'get_merge_request'],
    ['Let developers push to release branches', 'protect_branch'],
    ['trigger deploy to production', 'play_pipeline_job'],
    ['Remove everything labelled guidance', 'delete_issue'],
    ['Make the nightly build run at 3', 'update_pipeline_schedule'],
    ['Find out whether anyone uses BURN_RATE', 'search_code'],
    ['what did the build print before it crashed', 'get_pipeline_job_output'],
    ['show me the console output of the tests', 'get_pipeline_job_output'],
    ['why is the build red', 'diagnose_pipeline'],
    ['is CI green on main', 'list_pipelines'],
    ['how long did the last pipeline take', 'list_pipelines'],
    ['start the tests again', 'retry_pipeline'],
    ['stop the build', 'cancel_pipeline'],
    ['is anything broken on main', 'diagnose_pipeline'],
    ['which tests fail most often', 'get_pipeline_test_report'],
    ['is my yaml valid', 'lint_ci'],
    ['set the API key for the pipelines', 'set_variable'],
    ['where do our builds run', 'list_runners'],
    ["don't run the nightly build any more", 'update_pipeline_schedule'],
    ['get the binary that the build made', 'get_job_artifact_file'],
    ['what did Alice change in !5', 'get_merge_request_diffs'],
    ['put Bob on the review', 'update_merge_request'],
    ['tell the author that the tests are missing', 'create_merge_request_note'],
    ['answer the comment on line 10', 'create_merge_request_discussion_note'],
    ['the problem in this thread is fixed, close it', 'resolve_merge_request_thread'],
    ['who still has to sign off', 'get_merge_request_approval_state'],
    ['looks good to me', 'approve_merge_request'],
    ['LGTM', 'approve_merge_request'],
    ['get this into the 1.2 branch as well', 'backport_merge_request'],
    ['merge this by itself once CI passes', 'merge_merge_request'],
    ['who has commented on this PR', 'list_merge_request_participants'],
    ['there are conflicts, show me which', 'get_merge_request_conflicts'],
    ['do not merge this yet', 'update_merge_request'],
    ['report a bug', 'create_issue'],
    ['what are we working on this week', 'list_issues'],
    ['what is left to do for version 2', 'list_issues'],
    ['give the ticket to Linus', 'update_issue'],
    ['this ticket depends on that one', 'create_issue_link'],
    ['put the ticket in the next sprint', 'update_issue'],
    ['how much time did we spend on this', 'get_issue'],
    ['what have I got to do today', 'whats_on_my_plate'],
    ['hide this issue from the public', 'update_issue'],
    ['when is the next release due', 'list_releases'],
    ['what is new in version 2', 'get_release'],
    ['show me the main file', 'get_file_contents'],
    ['what does the README say', 'get_file_contents'],
    ['which files are in src', 'get_repository_tree'],
    ['who wrote this code', 'get_file_blame'],
    ['when was this function last changed', 'get_file_blame'],
    ['change the timeout in config.yml', 'commit_files'],
    ['what did we ship last week', 'list_releases'],
    ['undo the last commit', 'revert_commit'],
    ['nobody should be able to push to main', 'protect_branch'],
    ['is main protected', 'list_protected_branches'],
    ['remove Bob from the team', 'remove_member'],
    ['Carol needs to be able to merge', 'set_member'],
    ['who works here', 'list_members'],
    ['is there a project about billing', 'list_projects'],
    ['who is @ada', 'find_users'],
    ['what has Bob been doing', 'list_events'],
    ['rename the project', 'update_project'],
    ['turn off issues', 'update_project'],
    ['write down how to deploy', 'create_wiki_page'],
    ['fix a typo in the handbook', 'update_wiki_page'],
    ['which of our libraries have known holes', 'list_vulnerabilities'],
    ['this finding is a false positive', 'change_vulnerability_state'],
    ['which images can we pull', 'list_registry_tags'],
    ['free up space in the registry', 'delete_registry_tag'],
    ['tell Slack when a pipeline fails', 'create_webhook'],
    ['did the webhook get through', 'list_webhooks'],
    ['save this script for later', 'create_snippet'],
    ['which npm packages do we have', 'list_packages'],
    ['what is running on staging', 'list_deployments'],
    ['mark all my notifications as read', 'mark_all_todos_done'],
    ['I am on holiday until Monday', 'set_user_status'],
    ['make a new team', 'create_group'],
    ['close !12', 'update_merge_request'],
    ['close #12', 'update_issue'],
    ['what is in pipeline #12', 'get_pipeline'],
    ['tell Bob about the review', 'create_note'],
    ['answer in ticket #12', 'create_issue_note'],
    ['save changes to a file', 'commit_files'],
    ['let me know when the build is done', 'wait_for_pipeline'],
    ['create a repository', 'create_project'],
    ['new repository', 'create_project'],
    ['make a repository called x', 'create_project'],
    ['attach a binary to a release', 'create_release_link'],
    ['bring a fix to the release branch', 'backport_merge_request'],
    ['bring a commit to another branch', 'cherry_pick_commit'],
    ['put into merge queue', 'add_merge_request_to_merge_train'],
    ['set me to busy', 'set_user_status'],
    ['make a script executable', 'commit_files'],
    ['accept the suggested change', 'apply_suggestions'],
    ['track two hours on a ticket', 'add_spent_time'],
    ['book two hours on a ticket', 'add_spent_time'],
    ['book 1.5 hours', 'add_spent_time'],
    ['create a new repository with a README', 'create_project'],
    ['download image from a comment', 'get_attachment']
  ] as const)
    t.ok(foundFor(text).includes(tool), `${text}: ${tool}`)
})

t.test('words that mean such things are not taken for them where they mean others', async t => {
  for (const [text, first] of [
    ['make a confidential issue', 'create_issue'],
    ['delete package version 1.2.3', 'delete_package'],
    ['print the README', 'get_file_contents'],
    ['create a new repository branch', 'create_branch'],
    ['create a repository webhook', 'create_webhook'],
    ['add a description to the release', 'create_release'],
    ['get the diff of a branch', 'get_branch_diffs'],
    ['get merge train of main', 'list_merge_trains'],
    ['upload an image in a comment', 'upload_attachment'],
    ['turn on auto-merge for !5', 'merge_merge_request']
  ] as const)
    t.equal(foundFor(text)[0], first, text)
  for (const [text, other] of [
    ['tell us who approved !5', 'create_note'],
    ['get the files in the main branch', 'backport_merge_request'],
    ['get the latest commit in the develop branch', 'cherry_pick_commit'],
    ['bring main into my branch', 'backport_merge_request'],
    ['set up our repository with protected branches', 'create_project'],
    ['track deployment times', 'add_spent_time']
  ] as const)
    t.notOk(foundFor(text).includes(other), text)
})
