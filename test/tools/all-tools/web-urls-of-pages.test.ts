import { mergeRequests } from '../../../tools/merge-requests/index.ts'
import { registry } from '../../../tools/registry/index.ts'
import { releases } from '../../../tools/releases/index.ts'
import { repository } from '../../../tools/repository/index.ts'
import { snippets } from '../../../tools/snippets/index.ts'
import { wiki } from '../../../tools/wiki/index.ts'
import { runTable } from '../../support/tool-table.ts'

/* Addresses of the pages that a thing has beside its own: where it is changed, of its files, in other formats. */

const project_id = 'acme/rocket'
const home = 'https://forge.example/acme/rocket/-'
const sha = 'a'.repeat(40)
const gone = { reply: { status: 204 } }

runTable(releases, [
  ...['releases/v1/edit', 'tags/v1/release/edit', 'releases/v1'].flatMap(page =>
    [
      { project_id, tag_name: `${home}/${page}` },
      { project_id: `${home}/${page}`, tag_name: 'v1' }
    ].map(args => ({
      title: `deletes the release of ${page}, beside ${args.tag_name}`,
      tool: 'delete_release',
      args,
      exchanges: [{ request: 'DELETE /projects/acme%2Frocket/releases/v1', ...gone }]
    }))
  ),
  {
    title: 'knows a tag that ends as a page does by its slash, which the forge encodes',
    tool: 'delete_release',
    args: { project_id, tag_name: `${home}/releases/v1%2Fedit` },
    exchanges: [{ request: 'DELETE /projects/acme%2Frocket/releases/v1%2Fedit', ...gone }]
  },
  {
    title: 'deletes no release at the address of one of its files',
    tool: 'delete_release',
    args: { project_id, tag_name: `${home}/releases/v1/downloads/bin/rocket.zip` },
    error:
      'tag_name is the address of a part, "/bin/rocket.zip": for the release itself leave out "/bin/rocket.zip".'
  }
])

const whole = { id: 1, tag_name: 'v1', name: 'N' }

runTable(releases, [
  {
    title: 'changes the release whose address is given for its project',
    tool: 'update_release',
    args: { project_id: `${home}/releases/v1`, name: 'N' },
    exchanges: [
      { request: 'PUT /projects/acme%2Frocket/releases/v1', body: { name: 'N' }, reply: { body: whole } }
    ],
    result: { tag_name: 'v1', name: 'N' }
  },
  {
    title: 'changes no release by the address of a list',
    tool: 'update_release',
    args: { project_id: `${home}/releases`, name: 'N' },
    error: 'Invalid arguments: tag_name is required.'
  },
  {
    title: 'changes no release where its address and its tag are of two',
    tool: 'update_release',
    args: { project_id: `${home}/releases/v1`, tag_name: 'v2', name: 'N' },
    error: 'project_id is the address of tag_name "v1", and tag_name is "v2": give the one that is meant.'
  }
])

runTable(repository, [
  {
    title: 'deletes the tag whose address is given for its project',
    tool: 'delete_tag',
    args: { project_id: `${home}/tags/v1` },
    exchanges: [{ request: 'DELETE /projects/acme%2Frocket/repository/tags/v1', ...gone }]
  }
])

runTable(registry, [
  {
    title: 'takes the tag of a repository for none of an image',
    tool: 'delete_registry_tag',
    args: { project_id: `${home}/tags/v1`, repository_id: 5 },
    error:
      /^project_id is the address of a tag, which get_tag shows: for what else delete_registry_tag is for /
  }
])

runTable(wiki, [
  {
    title: 'changes the wiki page whose address is given for its project',
    tool: 'update_wiki_page',
    args: { project_id: `${home}/wikis/Ops/Run`, content: 'C' },
    exchanges: [
      {
        request: 'PUT /projects/acme%2Frocket/wikis/Ops%2FRun',
        body: { content: 'C' },
        reply: { body: { slug: 'Ops/Run', title: 'Run', format: 'markdown' } }
      }
    ],
    result: { slug: 'Ops/Run', title: 'Run', format: 'markdown' }
  },
  {
    title: 'takes the page where a wiki page is changed for that',
    tool: 'delete_wiki_page',
    args: { project_id, slug: `${home}/wikis/Ops/Run/edit` },
    exchanges: [{ request: 'DELETE /projects/acme%2Frocket/wikis/Ops%2FRun', ...gone }]
  }
])

runTable(
  snippets,
  ['raw/main/readme', 'raw/main/src/a', 'raw/main/a.sql', 'blob/main/makefile'].map(page => ({
    title: `deletes no snippet at the address ${page} of one of its files`,
    tool: 'delete_snippet',
    args: { project_id: `${home}/snippets/4/${page}`, confirm: 'S' },
    error: /^project_id is the address of a part, .*: for the snippet itself leave out /
  }))
)

runTable(
  repository,
  [`commit/${sha}.patch`, `commit/${sha}.diff`, `commit/${sha}/pipelines`, `commit/${sha}`].map(page => ({
    title: `shows the commit of ${page.replace(sha, 'sha')}`,
    tool: 'get_commit',
    args: { project_id: `${home}/${page}` },
    exchanges: [
      { request: `GET /projects/acme%2Frocket/repository/commits/${sha}`, reply: { body: { id: sha } } }
    ],
    result: { id: sha }
  }))
)

runTable(
  mergeRequests,
  ['merge_requests/3.diff', 'merge_requests/3.patch', 'merge_requests/3.json'].map(page => ({
    title: `merges by the address ${page}`,
    tool: 'merge_merge_request',
    args: { project_id: `${home}/${page}` },
    exchanges: [
      { request: 'PUT /projects/acme%2Frocket/merge_requests/3/merge', body: {}, reply: { body: { iid: 3 } } }
    ],
    result: { iid: 3 }
  }))
)
