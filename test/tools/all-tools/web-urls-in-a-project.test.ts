import t from 'tap'
import { PatternMatcher } from '../../../src/engine/patterns.ts'
import { isNamespace, parseTemplates } from '../../../src/engine/requests/template.ts'
import type { ToolRow } from '../../../src/engine/rows/row.ts'
import { issues } from '../../../tools/issues/index.ts'
import { planning } from '../../../tools/planning/index.ts'
import { projects } from '../../../tools/projects/index.ts'
import { repository } from '../../../tools/repository/index.ts'
import { sampleArguments } from '../../support/sample-arguments.ts'
import { addresses, allRows, callAt, home } from '../../support/things-by-web-url.ts'
import { runTable } from '../../support/tool-table.ts'

/* Addresses of something in a project, given as the project to what destroys something else there, or changes all of it. */

const project_id = 'acme/rocket'
const patterns = new PatternMatcher()
t.teardown(() => patterns.close())

/** What the paths of a tool name, but for the project or group. */
const namedIn = (row: ToolRow): readonly string[] =>
  row.kind === 'rest'
    ? [row.request]
        .flat()
        .flatMap(parseTemplates)
        .flatMap(({ names }) => names)
        .filter(name => !isNamespace(name))
    : []

/** Names that a page has and arguments have otherwise; an issue is a work item, too, and on a board. */
const same: Readonly<Record<string, string>> = { iid: 'issue_iid', board_id: 'issue_iid' }

const destroying = allRows.filter(row => row.class === 'destructive' && 'project_id' in row.input.properties)

t.test('destroys nothing of a project that is named by the address of something else in it', async t => {
  t.ok(destroying.length >= 25, `${destroying.length} tools`)
  for (const row of destroying) {
    const [first] = namedIn(row)
    const done: string[] = []
    for (const [name, address] of addresses) {
      if ((same[name] ?? name) === first) continue
      const args = sampleArguments(row.input, namedIn(row))
      for (const place of [{ project_id: address }, { project_id, url: address }]) {
        const { sent, error } = await callAt(row, { ...args, ...place }, patterns)
        if (sent > 0 || !/ is (?:the address of|of )/.test(error)) done.push(`${address}: ${error}`)
      }
    }
    t.same(done, [], row.name)
  }
})

const other = (thing: string, tool: string, change: string, by: string) =>
  `project_id is the address of ${thing}, which ${tool} shows:${change} for what else ${by} is for in the project give "acme/rocket".`
const done = { reply: { status: 204 } }

runTable(planning, [
  {
    title: 'deletes no label where it may be meant to be taken off an issue',
    tool: 'delete_label',
    args: { project_id: `${home}/issues/2`, label: 'wrong' },
    error: other('an issue', 'get_issue', ' update_issue changes it;', 'delete_label')
  },
  {
    title: 'deletes no label at the address of a list of issues with it',
    tool: 'delete_label',
    args: { project_id: `${home}/issues?label_name[]=wrong`, label: 'wrong' },
    error: other('a list of issues', 'list_issues', '', 'delete_label')
  },
  ...['labels', 'labels?search=wrong', 'tree/main', ''].map(page => ({
    title: `deletes a label of the project of "${page}"`,
    tool: 'delete_label',
    args: { project_id: `${home}/${page}`.replace(/\/-\/$/, ''), label: 'wrong' },
    exchanges: [{ request: 'DELETE /projects/acme%2Frocket/labels/wrong', ...done }]
  }))
])

runTable(issues, [
  ...['issues', 'work_items', 'boards/5', 'boards'].map(page => ({
    title: `deletes an issue by its number beside the address ${page}`,
    tool: 'delete_issue',
    args: { project_id: `${home}/${page}`, issue_iid: '2' },
    exchanges: [{ request: 'DELETE /projects/acme%2Frocket/issues/2', ...done }]
  }))
])

runTable(projects, [
  ...[
    ['snippets/4', 'a snippet', 'get_snippet'],
    ['issues/2', 'an issue', 'get_issue'],
    ['blob/main/README.md', 'a file', 'get_file_contents']
  ].flatMap(([page, thing, tool]) =>
    [{ visibility: 'public' }, { archived: true }, { issues_access_level: 'disabled' }].map(args => ({
      title: `leaves the project of ${page} as it is, given ${JSON.stringify(args)}`,
      tool: 'update_project',
      args: { project_id: `${home}/${page}`, ...args },
      error: `project_id is the address of ${thing}, which ${tool} shows: for the project itself give "acme/rocket".`
    }))
  ),
  {
    title: 'archives a project by the address of the branch that it shows',
    tool: 'update_project',
    args: { project_id: `${home}/tree/main`, archived: true },
    exchanges: [
      {
        request: 'POST /projects/acme%2Frocket/archive',
        body: {},
        reply: { body: { id: 41, archived: true } }
      }
    ]
  }
])

runTable(repository, [
  ...['tree/fix/drift', 'commits/fix/drift', 'branches', 'branches/all?search=drift'].map(page => ({
    title: `deletes a branch by its name beside the address ${page}`,
    tool: 'delete_branch',
    args: { project_id: `${home}/${page}`, branch: 'fix/drift' },
    exchanges: [{ request: 'DELETE /projects/acme%2Frocket/repository/branches/fix%2Fdrift', ...done }]
  })),
  ...[
    ['tree/main/src', 'a directory', 'get_repository_tree'],
    ['blob/main/README.md', 'a file', 'get_file_contents'],
    ['compare/v1...main', 'a compare', 'get_branch_diffs'],
    ['pipelines?ref=main', 'a list of pipelines', 'list_pipelines']
  ].map(([page, thing, tool]) => ({
    title: `does not delete a branch beside the address ${page}`,
    tool: 'delete_branch',
    args: { project_id: `${home}/${page}`, branch: 'main' },
    error: other(thing!, tool!, '', 'delete_branch')
  })),
  {
    title: 'does not take away the protection of another branch than that of the address',
    tool: 'unprotect_branch',
    args: { project_id: `${home}/tree/main`, name: 'stable' },
    error: 'project_id is the address of name "main", and name is "stable": give the one that is meant.'
  }
])
