import { dependencyProxy } from '../../../tools/dependency-proxy/index.ts'
import { issues } from '../../../tools/issues/index.ts'
import { mergeRequests } from '../../../tools/merge-requests/index.ts'
import { pipelines } from '../../../tools/pipelines/index.ts'
import { planning } from '../../../tools/planning/index.ts'
import { projects } from '../../../tools/projects/index.ts'
import { releases } from '../../../tools/releases/index.ts'
import { repository } from '../../../tools/repository/index.ts'
import { security } from '../../../tools/security/index.ts'
import { workItems } from '../../../tools/work-items/index.ts'
import { story } from '../../support/sandbox-tools.ts'
import { type Case, runTable } from '../../support/tool-table.ts'

/* Branches, tags and files by names that are not there, and what was perhaps meant. */

const base = 'GET /projects/1/repository'
const raw = (path: string, says: string) => ({
  request: `${base}/files/${path}/raw?ref=main`,
  reply: { status: 404, body: { message: says } }
})
const file = (path: string, ref = 'main') => ({ project_id: '1', path, ref })
const tree = (entries: string[], query: string, type = 'blob') => ({
  request: `${base}/tree?per_page=100&ref=main${query}`,
  reply: { body: entries.map(path => ({ path, type })) }
})
const branches = (...names: string[]) => ({
  request: `${base}/branches?per_page=100`,
  reply: { body: names.map(name => ({ name, default: name === 'main' })) }
})
/** Whether a merge request brings such a branch from a fork. */
const ofFork = (branch: string, ...forks: number[]) => ({
  request: `GET /projects/1/merge_requests?source_branch=${branch}&state=opened&per_page=100`,
  reply: {
    body: forks.map(fork => ({
      iid: fork + 1,
      source_branch: branch,
      source_project_id: fork,
      target_project_id: 1,
      sha: `${fork}`.repeat(7)
    }))
  }
})
const refused = (sha: string) => [
  {
    request: `${base}/commits/${sha}`,
    reply: { status: 404, body: { message: '404 Commit Not Found' } }
  },
  { request: `${base}/commits/${sha}`, reply: { status: 404, body: {} } }
]
/** A project that has neither a commit, a branch nor a tag `dev`. */
const onlyMain = [
  ...refused('dev'),
  branches('main'),
  { request: `${base}/tags?per_page=100`, reply: { body: [] } }
]
const many = Array.from({ length: 100 }, (_, at) => `b${at}`)

const cases: Case[] = [
  {
    title: 'of a merge request in the place of a commit it is told what of it is one',
    tool: 'revert_commit',
    args: { project_id: '1', sha: '!1', branch: 'main' },
    exchanges: [
      {
        request: 'POST /projects/1/repository/commits/!1/revert',
        body: { branch: 'main' },
        reply: { status: 404, body: { message: '404 Commit Not Found' } }
      }
    ],
    error:
      /"!1" is a merge request: of it a commit is its sha or, once merged, its merge_commit_sha, a branch its source_branch\. Check sha/
  },
  {
    title: 'names the file of the directory that was perhaps meant',
    tool: 'get_file_contents',
    args: file('src/engin.ts'),
    exchanges: [
      raw('src%2Fengin%2Ets', '404 File Not Found'),
      tree(['src/engine.ts', 'src/launch.ts'], '&path=src')
    ],
    error:
      /^The forge answered 404 Not Found: "404 File Not Found"\. Did you mean "src\/engine\.ts"\? Check ref/
  },
  {
    title: 'says what separates folders, of a path with a backslash that is not there',
    tool: 'get_file_contents',
    args: file('src\\engine.ts'),
    exchanges: [raw('src%5Cengine%2Ets', '404 File Not Found'), tree(['README.md'], '')],
    error: /In "src\\\\engine\.ts" the backslash is part of a name: folders are separated by \/\. Check ref/
  },
  {
    title: 'finds a file that is in another directory',
    tool: 'get_file_contents',
    args: file('lib/engine.ts'),
    exchanges: [
      raw('lib%2Fengine%2Ets', '404 File Not Found'),
      { ...tree([], '&path=lib'), reply: { status: 404, body: {} } },
      {
        request: 'GET /projects/1/-/search?scope=blobs&search=engine.ts&ref=main',
        reply: { body: [{ path: 'src/engine.ts' }, { path: 'docs/engine.md' }] }
      }
    ],
    error: /Perhaps "src\/engine\.ts" is meant\./
  },
  {
    title: 'tells a few files that are beside it where none is near, and no more than it may read',
    tool: 'get_file_contents',
    args: file('zebra'),
    exchanges: [
      raw('zebra', '404 File Not Found'),
      tree(
        Array.from({ length: 9 }, (_, at) => `file-${at}.ts`),
        ''
      ),
      {
        request: 'GET /projects/1/-/search?scope=blobs&search=zebra&ref=main',
        reply: { status: 403, body: {} }
      }
    ],
    error: /Beside it are "file-0\.ts", .*"file-7\.ts" and more\./
  },
  {
    title: 'asks nothing more where it is the project that is not there',
    tool: 'get_file_contents',
    args: file('a'),
    exchanges: [raw('a', '404 Project Not Found')],
    error: /There is no such project/
  },
  {
    title: 'asks nothing more where the forge may not be asked',
    tool: 'get_file_contents',
    args: file('a'),
    exchanges: [{ ...raw('a', ''), reply: { status: 403, body: { message: 'File not found' } } }],
    error: /403 Forbidden/
  },
  {
    title: 'takes what a clone calls a branch for the branch',
    tool: 'get_commit',
    args: { project_id: '1', sha: 'origin/main' },
    exchanges: [
      {
        request: `${base}/commits/origin%2Fmain`,
        reply: { status: 404, body: { message: '404 Commit Not Found' } }
      },
      { request: `${base}/commits/origin%2Fmain`, reply: { status: 404, body: {} } },
      branches('fix/drift', 'main')
    ],
    error: /There is no "origin\/main": did you mean "main"\?/
  },
  {
    title: 'looks for a branch among very many by its name, too',
    tool: 'get_commit',
    args: { project_id: '1', sha: 'zebra' },
    exchanges: [
      { request: `${base}/commits/zebra`, reply: { status: 404, body: { message: '404 Commit Not Found' } } },
      { request: `${base}/commits/zebra`, reply: { status: 404, body: {} } },
      branches(...many),
      { request: `${base}/branches?per_page=100&search=zebra`, reply: { body: [{ name: 'fix/zebra' }] } },
      ofFork('zebra')
    ],
    error: /There is no "zebra": did you mean "fix\/zebra"\?/
  },
  {
    title: 'names the default branch before the merge requests that bring such a branch from forks',
    tool: 'get_commit',
    args: { project_id: '1', sha: 'dev' },
    exchanges: [...onlyMain, ofFork('dev', 7, 8)],
    error:
      /There is no "dev"; the default branch is "main"; list_tags has the tags\. "dev" is the source branch of !8 in the fork with project_id=7, whose files are read here by ref=7777777, and of !9 in the fork with project_id=8, whose files are read here by ref=8888888, if that is meant: a branch of that name here would be another one\./
  },
  {
    title: 'says nothing of forks where many have such a branch',
    tool: 'get_commit',
    args: { project_id: '1', sha: 'dev' },
    exchanges: [...onlyMain, ofFork('dev', 5, 6, 7, 8)],
    error: /There is no "dev"; the default branch is "main"; list_tags has the tags\. Check the ids/
  },
  {
    title: 'looks for no branch of the name of a commit',
    tool: 'get_commit',
    args: { project_id: '1', sha: 'deadbeef' },
    exchanges: [
      {
        request: `${base}/commits/deadbeef`,
        reply: { status: 404, body: { message: '404 Commit Not Found' } }
      }
    ],
    error: /404 Commit Not Found/
  }
]

runTable(repository, cases)
runTable(mergeRequests, [
  {
    title: 'looks for no tag in the place of a branch',
    tool: 'get_branch',
    args: { project_id: '1', branch_name: '1.4' },
    exchanges: [
      {
        request: `${base}/branches/1%2E4`,
        reply: { status: 404, body: { message: '404 Branch Not Found' } }
      },
      { request: `${base}/commits/1%2E4`, reply: { status: 404, body: {} } },
      branches('main'),
      ofFork('1.4')
    ],
    error: /There is no "1\.4"; the default branch is "main"\.$/
  }
])

const notThere = (noun: string) => ({ status: 404, body: { message: `404 ${noun} Not Found` } })
const searched = (name: string, ...paths: string[]) => ({
  request: `GET /projects?search=${name}&membership=true&simple=true&per_page=8`,
  reply: { body: paths.map(path_with_namespace => ({ path_with_namespace })) }
})

runTable(repository, [
  {
    title: 'names the project of the group that has nearly the name, which a search does not find',
    tool: 'list_commits',
    args: { project_id: 'acme/wdigets' },
    exchanges: [
      { request: 'GET /projects/acme%2Fwdigets/repository/commits', reply: notThere('Project') },
      searched('wdigets'),
      {
        request: 'GET /projects?search=acme&search_namespaces=true&membership=true&simple=true&per_page=100',
        reply: {
          body: [
            { name: 'Gadgets', path_with_namespace: 'acme/gadgets' },
            { name: 'Widgets', path_with_namespace: 'acme/tools/widgets' }
          ]
        }
      }
    ],
    error: /"404 Project Not Found"\. Perhaps "acme\/tools\/widgets" is meant\. There is no such project/
  },
  {
    title:
      'compares a name without a group with those of the caller’s projects, and asks once where it is one',
    tool: 'list_commits',
    args: { project_id: 'Widgets' },
    exchanges: [
      { request: 'GET /projects/Widgets/repository/commits', reply: notThere('Project') },
      searched('Widgets', 'acme/widgets', 'crew/widgets')
    ],
    error: /Perhaps "acme\/widgets" or "crew\/widgets" is meant\./
  },
  {
    title: 'names the project whose path differs in case, where a forge tells them apart',
    tool: 'list_commits',
    args: { project_id: 'Acme/Widgets' },
    exchanges: [
      { request: 'GET /projects/Acme%2FWidgets/repository/commits', reply: notThere('Project') },
      searched('Widgets', 'acme/widgets')
    ],
    error: /Perhaps "acme\/widgets" is meant\./
  },
  {
    title: 'suggests no project where that of the call is in the list, and something else is missing',
    tool: 'list_commits',
    args: { project_id: 'acme/widgets' },
    exchanges: [
      { request: 'GET /projects/acme%2Fwidgets/repository/commits', reply: notThere('Project') },
      searched('widgets', 'acme/widgets')
    ],
    error: /"404 Project Not Found"\. There is no such project/
  }
])
runTable(projects, [
  {
    title: 'names the group of the caller’s that has nearly the name',
    tool: 'get_group',
    args: { group_id: 'amce' },
    exchanges: [
      { request: 'GET /groups/amce?with_projects=false', reply: notThere('Group') },
      { request: 'GET /groups?search=amce&all_available=false&per_page=8', reply: { body: [] } },
      {
        request: 'GET /groups?all_available=false&per_page=100',
        reply: {
          body: [
            { name: 'Crew', full_path: 'crew' },
            { name: 'Acme', full_path: 'acme' }
          ]
        }
      }
    ],
    error: /"404 Group Not Found"\. Perhaps "acme" is meant\. There is no such group/
  }
])

story('a project or group by a name that is nearly its own', [issues, projects], async (t, as) => {
  const problem = async (tool: string, args: Record<string, unknown>) => (await as('ada')(tool, args)).error
  const rocket = /Perhaps "acme\/rocket" is meant\./
  for (const project_id of ['acme/rokcet', 'acmee/rocket', 'rockett', 'Acme / Rocket'])
    t.match(await problem('list_issues', { project_id, scope: 'all' }), rocket, project_id)
  t.match(
    await problem('list_issues', { group_id: 'tools', scope: 'all' }),
    /Perhaps "acme\/tools" is meant\./
  )
  t.match(await problem('list_issues', { group_id: 'acmee', scope: 'all' }), /Perhaps "acme" is meant\./)
  t.notMatch(await problem('list_issues', { project_id: 'acme/zebra' }), /Perhaps/)
})

story(
  'a project or group of which GraphQL has nothing, by a name that is nearly its own',
  [projects, workItems, dependencyProxy, security],
  async (t, as) => {
    for (const [tool, args, said] of [
      ['list_work_items', { project_id: 'acme/rokcet' }, 'project "acme/rokcet"'],
      ['get_work_item', { project_id: 'acme/rokcet', iid: '1' }, 'project "acme/rokcet"'],
      ['list_vulnerabilities', { project_id: 'acme/rokcet' }, 'project "acme/rokcet"'],
      ['list_work_items', { group_id: 'acmee' }, 'group "acmee"'],
      ['get_dependency_proxy_settings', { group_id: 'acmee' }, 'group "acmee"'],
      ['list_dependency_proxy_blobs', { group_id: 'acmee' }, 'group "acmee"']
    ] as const) {
      const meant = said.startsWith('project') ? 'acme/rocket' : 'acme'
      t.equal(
        (await as('ada')(tool, args)).error,
        `There is no ${said}, or the token may not see it. Perhaps "${meant}" is meant.`,
        tool
      )
    }
    t.equal(
      (await as('ada')('list_work_items', { project_id: 'acme/zebra' })).error,
      'There is no project "acme/zebra", or the token may not see it.'
    )
  }
)

story(
  'a wrong name is told with the right one',
  [repository, mergeRequests, pipelines, releases, issues],
  async (t, as) => {
    const problem = async (tool: string, args: object) =>
      (await as('ada')(tool, { project_id: 'acme/rocket', ...args })).error
    const main = /There is no "mian": did you mean "main"\?/
    t.match(await problem('get_branch', { branch_name: 'mian' }), main)
    t.match(await problem('create_branch', { branch: 'new', ref: 'mian' }), main)
    t.match(await problem('create_pipeline', { ref: 'mian' }), main)
    t.match(await problem('create_tag', { tag_name: 'v2', ref: 'mian' }), main)
    t.match(await problem('list_commits', { ref: 'v1.4.0..mian' }), main)
    t.match(await problem('list_commits', { ref: 'mian...v1.4.0' }), main)
    const tag = /(?:There is no "[vV]?1\.4(?:\.0)?": d|D)id you mean "v1\.4\.0"\?/
    for (const name of ['1.4.0', 'V1.4.0', 'v1.4']) {
      t.match(await problem('list_commits', { ref: name }), tag)
      t.match(await problem('get_branch_diffs', { from: name, to: 'main' }), tag)
      t.match(await problem('get_file_contents', { path: 'README.md', ref: name }), tag)
      t.match(await problem('create_pipeline', { ref: name }), tag)
      t.match(await problem('create_branch', { branch: 'patch', ref: name }), tag)
      t.match(await problem('create_release', { tag_name: name }), tag, 'rather than a second tag')
    }
    t.match(
      await problem('list_commits', { ref: 'zebra-crossing' }),
      /the default branch is "main"; list_tags has the tags\./
    )
    const release = /There is no "relaese\/1\.4": did you mean "release\/1\.4"\?/
    await as('ada')('create_branch', { project_id: 'acme/rocket', branch: 'release/1.4', ref: 'v1.4.0' })
    const onto = { sha: 'v1.4.0', branch: 'relaese/1.4' }
    t.match(await problem('cherry_pick_commit', onto), release, 'the tag is there, the branch is not')
    t.match(await problem('revert_commit', onto), release)
    t.match(await problem('get_branch_diffs', { from: 'v1.4.0', to: 'mian' }), main)
    t.match(await problem('get_branch_diffs', { from: 'mian', to: 'v1.4.0' }), main)
    t.equal(await problem('list_commits', { ref: 'v1.4.0..main' }), undefined)
    t.match(
      await problem('get_merge_request', { source_branch: 'feature/fuelgauge' }),
      /^No merge request has source_branch "feature\/fuelgauge"\. Nothing was done\. Did you mean "feature\/fuel-gauge"\?$/
    )
    t.match(
      await problem('get_merge_request', { source_branch: 'fuel-gauge' }),
      /mean "feature\/fuel-gauge"\?$/
    )
    t.match(
      await problem('get_branch', { branch_name: 'fuel-gauge' }),
      /did you mean "feature\/fuel-gauge"\?/
    )
    t.match(
      await problem('get_merge_request', { source_branch: 'nightly' }),
      /Nothing was done\. list_merge_requests says which have one\.$/
    )
    t.match(
      await problem('list_todos', { project_id: 'rocket' }),
      /Perhaps "acme\/rocket" is meant\./,
      'a project by path where the forge takes its number'
    )
    const edit = { action: 'edit', file_path: 'src/engin.ts', edits: [{ find: 'a', replace: 'b' }] }
    t.equal(
      await problem('commit_files', { branch: 'main', commit_message: 'a', actions: [edit] }),
      'There is no "src/engin.ts" on "main". Did you mean "src/engine.ts"? Nothing was committed.'
    )
    t.match(await problem('get_repository_tree', { path: 'src', ref: 'mian' }), main)
    t.match(await problem('get_repository_tree', { path: 'scr' }), /Did you mean "src"\?/)
    t.match(await problem('get_repository_tree', { path: 'README.md' }), /"README\.md" is a file\./)
    t.match(await problem('get_file_contents', { path: 'src' }), /"src" is a directory\./)
    t.match(
      await problem('get_file_contents', { path: 'a', ref: 'master' }),
      /no "master"; the default branch is "main"/
    )
    t.match(await problem('list_commits', { ref: 'fix/countdown' }), /did you mean "fix\/countdown-drift"\?/)
    t.match(await problem('get_tag', { tag_name: '1.4.0' }), /Did you mean "v1\.4\.0"\?/)
    const unreleased = /The tag "v1\.4\.0" is there, and has no release: create_release makes one\./
    t.match(await problem('get_release', { tag_name: '1.4.0' }), unreleased)
    t.match(
      await problem('create_release_link', { tag_name: 'v1.4.0', name: 'a', url: 'https://x.example' }),
      unreleased
    )
    t.match(
      await problem('get_release', { tag_name: 'v2.0.0' }),
      /There is no tag "v2\.0\.0"\. There is no release(?!.*v1\.4\.0)/,
      'of a tag that is missing no other version is meant'
    )
    t.match(
      await problem('create_release', { tag_name: 'v2.0.0' }),
      /^The forge answered 422 Unprocessable Entity: "Ref is not specified"\. Where there is no such tag give ref/,
      'a tag that is to be made is no neighbour of others'
    )
    const next = { project_id: 'acme/rocket', tag_name: 'v1.5.0', ref: 'main' }
    await as('ada')('create_release', next)
    t.match(
      await problem('get_release', { tag_name: 'v1.4.0' }),
      unreleased,
      'and no neighbour that has a release'
    )
    await as('ada')('create_release', { project_id: 'acme/rocket', tag_name: 'v1.4.0' })
    t.match(await problem('get_release', { tag_name: '1.4.0' }), /Did you mean "v1\.4\.0"\?/)
    t.match(
      await problem('get_release', { tag_name: 'nightly' }),
      /see list_releases\. Without tag_name it is the latest\.$/
    )
    t.equal(await problem('get_branch', { branch_name: 'refs/heads/main' }), undefined)
    t.equal(await problem('list_pipelines', { ref: 'refs/heads/main' }), undefined)
    const code = { project_id: 'acme/rocket', query: 'a', ref: 'refs/heads/mian' }
    t.match((await as('ada')('search_code', code)).notices, [/There is no branch or tag "mian"/])
  }
)

const rocket = { project_id: 'acme/rocket' }

for (const label of ['~kept', 'Kept', '~KEPT'])
  story(`a label that is to be deleted as ${label} is told of by its name`, [planning], async (t, as) => {
    const ada = as('ada')
    await ada('create_label', { ...rocket, name: 'kept' })
    t.equal(
      (await ada('delete_label', { ...rocket, label })).error,
      'The forge answered 404 Not Found: "404 Label Not Found". It is there as "kept", and was not deleted: give its name exactly so.'
    )
  })

story('of what is to be deleted no other name is told', [planning, repository], async (t, as) => {
  const ada = as('ada')
  await ada('create_label', { ...rocket, name: 'kept' })
  await ada('create_branch', { ...rocket, branch: 'Spare', ref: 'main' })
  t.match((await ada('delete_label', { ...rocket, label: 'kep' })).error, /It may be deleted already/)
  t.match((await ada('delete_branch', { ...rocket, branch: 'Spar' })).error, /It may be deleted already/)
  t.match((await ada('delete_branch', { ...rocket, branch: 'spare' })).error, /It is there as "Spare"/)
})

story(
  'of a repository without branches it is told how it gets one',
  [projects, repository],
  async (t, as) => {
    const call = as('margaret')
    const { value } = await call('create_project', { name: 'Bare', namespace: 'acme' })
    const { error } = await call('create_branch', { project_id: value.id, branch: 'x', ref: 'main' })
    t.match(error, /The repository has no branches: where it is empty, commit_files makes the first commit/)
  }
)
