import { registry } from '../../tools/registry/index.ts'
import { confirmed } from '../support/confirmed.ts'
import { runTable } from '../support/tool-table.ts'

const project_id = 'acme/rocket'
const P = '/projects/acme%2Frocket'
const found = {
  id: 600,
  name: '@acme/rocket',
  version: '1.4.0',
  package_type: 'npm',
  status: 'default',
  _links: { web_path: '/x' },
  created_at: 'C',
  last_downloaded_at: null,
  tags: [{ id: 1, package_id: 600, name: 'latest' }],
  pipeline: { id: 5, ref: 'main', sha: 'abc', web_url: 'x' },
  pipelines: [{ id: 5 }]
}
const shown = {
  id: 600,
  name: '@acme/rocket',
  version: '1.4.0',
  package_type: 'npm',
  status: 'default',
  created_at: 'C',
  tags: [{ name: 'latest' }],
  pipeline: { id: 5, ref: 'main', sha: 'abc' }
}
const tags = `${P}/registry/repositories/80/tags`

const image = { id: 80, path: 'acme/rocket/web', project_id: 41 }

runTable(registry, [
  {
    title: 'lists the newest first, unless told',
    tool: 'list_packages',
    args: { project_id, package_name: 'rock', package_version: '1.4.0', package_type: 'npm' },
    exchanges: [
      {
        request: `GET ${P}/packages?package_name=rock&package_version=1.4.0&package_type=npm&sort=desc`,
        reply: { body: [found] }
      }
    ],
    result: [shown]
  },
  {
    title: 'lists those of a group with the project of each',
    tool: 'list_packages',
    args: { group_id: 'acme', exclude_subgroups: true, order_by: 'project_path', sort: 'asc' },
    exchanges: [
      {
        request: 'GET /groups/acme/packages?exclude_subgroups=true&order_by=project_path&sort=asc',
        reply: { body: [{ ...found, project_id: 41, project_path: 'acme/rocket' }] }
      }
    ],
    result: [{ ...shown, project_id: 41, project_path: 'acme/rocket' }]
  },
  {
    title: 'an exact version is a matter of a project',
    tool: 'list_packages',
    args: { group_id: 'acme', package_version: '1' },
    error: /^'\w+' cannot be given with '\w+'\.$/
  },
  {
    title: 'the order by project is a matter of a group',
    tool: 'list_packages',
    args: { project_id, order_by: 'project_path' },
    error: "order_by 'project_path' goes with group_id."
  },
  {
    title: 'gets one with its files',
    tool: 'get_package',
    args: { project_id, package_id: 600 },
    exchanges: [
      { request: `GET ${P}/packages/600`, reply: { body: found } },
      {
        request: `GET ${P}/packages/600/package_files?per_page=100`,
        reply: {
          body: [
            {
              id: 6,
              package_id: 600,
              file_name: 'a.tgz',
              size: 9,
              file_md5: 'm',
              file_sha256: 's',
              created_at: 'C'
            }
          ]
        }
      }
    ],
    result: {
      ...shown,
      files: [{ id: 6, file_name: 'a.tgz', size: 9, file_sha256: 's', created_at: 'C' }]
    }
  },
  {
    title: 'says that a package has more files than are shown',
    tool: 'get_package',
    args: { project_id, package_id: 600 },
    exchanges: [
      { request: `GET ${P}/packages/600`, reply: { body: found } },
      {
        request: `GET ${P}/packages/600/package_files?per_page=100`,
        reply: { body: [{ id: 6, file_name: 'a.tgz', size: 9 }], headers: { 'x-next-page': '2' } }
      }
    ],
    result: {
      ...shown,
      files: [{ id: 6, file_name: 'a.tgz', size: 9 }],
      left_out: 'files after the first 100'
    }
  },
  {
    title: 'gets one without its files where these cannot be read, and says so',
    tool: 'get_package',
    args: { project_id, package_id: 600 },
    exchanges: [
      { request: `GET ${P}/packages/600`, reply: { body: found } },
      {
        request: `GET ${P}/packages/600/package_files?per_page=100`,
        reply: { status: 403, body: { message: '403 Forbidden' } }
      }
    ],
    result: {
      ...shown,
      left_out: 'files: The forge answered 403 Forbidden. What else is shown is complete.'
    }
  },
  ...confirmed({
    tool: 'delete_package',
    args: { project_id, package_id: 600 },
    path: `${P}/packages/600`,
    record: found,
    noun: 'package',
    field: 'name',
    done: 'The package is deleted.'
  }),
  {
    title: 'says which version was deleted, as all have one name',
    tool: 'delete_package',
    args: { project_id, package_id: 600, confirm: '@acme/rocket' },
    exchanges: [
      { request: `GET ${P}/packages/600`, reply: { body: found } },
      { request: `DELETE ${P}/packages/600`, reply: { status: 204 } }
    ],
    notices: ['It was "@acme/rocket 1.4.0".']
  },
  {
    title: 'says who may delete one',
    tool: 'delete_package',
    args: { project_id, package_id: 600, confirm: '@acme/rocket' },
    exchanges: [
      { request: `GET ${P}/packages/600`, reply: { body: found } },
      {
        request: `DELETE ${P}/packages/600`,
        reply: { status: 403, body: { message: '403 Forbidden - Package is deletion protected.' } }
      },
      { request: `GET ${P}`, reply: { body: { archived: false } } }
    ],
    error: /deletion protected"\. It takes the Maintainer role, and a package that is not protected\.$/
  },
  {
    title: 'lists repositories, with counts where they are asked for',
    tool: 'list_registry_repositories',
    args: { project_id, tags_count: true },
    exchanges: [
      {
        request: `GET ${P}/registry/repositories?tags_count=true`,
        reply: {
          body: [{ id: 80, name: 'engine', path: 'acme/rocket/engine', project_id: 41, tags_count: 3 }]
        }
      }
    ],
    result: [{ id: 80, path: 'acme/rocket/engine', project_id: 41, tags_count: 3 }]
  },
  {
    title: "lists a group's",
    tool: 'list_registry_repositories',
    args: { group_id: 7 },
    exchanges: [{ request: 'GET /groups/7/registry/repositories', reply: { body: [] } }],
    result: []
  },
  {
    title: 'counts are a matter of a project',
    tool: 'list_registry_repositories',
    args: { group_id: 7, tags_count: true },
    error: /^'\w+' cannot be given with '\w+'\.$/
  },
  {
    title: 'lists tags by page',
    tool: 'list_registry_tags',
    args: { project_id, repository_id: 80, page: 2 },
    exchanges: [
      { request: `GET ${tags}?page=2`, reply: { body: [{ name: '1.4.0', path: 'p', location: 'l' }] } }
    ],
    result: [{ name: '1.4.0', path: 'p', location: 'l' }]
  },
  ...['search', 'name', 'tag_name'].map(name => ({
    title: `says of ${name} that tags are not filtered, and how one is read`,
    tool: 'list_registry_tags',
    args: { project_id, repository_id: 80, [name]: '1.4' },
    error: `Invalid arguments: unknown argument "${name}", as tags are listed without a filter: get_registry_tag has the one of a tag_name, and per_page=100 lists more at once.`
  })),
  {
    title: 'the dots of a tag are part of its name',
    tool: 'get_registry_tag',
    args: { project_id, repository_id: 80, tag_name: '1.4.0' },
    exchanges: [
      {
        request: `GET ${tags}/1%2E4%2E0`,
        reply: { body: { name: '1.4.0', digest: 'sha256:a', total_size: null } }
      }
    ],
    result: { name: '1.4.0', digest: 'sha256:a' }
  },
  {
    title: 'says of a tag that is not there what lists tags',
    tool: 'get_registry_tag',
    args: { project_id, repository_id: 80, tag_name: '9' },
    exchanges: [{ request: `GET ${tags}/9`, reply: { status: 404, body: { message: '404 Tag Not Found' } } }],
    error:
      'The forge answered 404 Not Found: "404 Tag Not Found". There is no such tag: list_registry_tags has those there are.'
  },
  {
    title: 'says of a repository that is not there what lists repositories',
    tool: 'get_registry_tag',
    args: { project_id, repository_id: 80, tag_name: '9' },
    exchanges: [{ request: `GET ${tags}/9`, reply: { status: 404, body: { message: '404 Not found' } } }],
    error: /repository_id is the id, as list_registry_repositories has it/
  },
  {
    title: 'says of a tag to be deleted that is not there what lists tags',
    tool: 'delete_registry_tag',
    args: { project_id: 41, repository_id: 80, tag_name: '9' },
    exchanges: [
      { request: 'GET /registry/repositories/80', reply: { body: image } },
      {
        request: 'DELETE /projects/41/registry/repositories/80/tags/9',
        reply: { status: 404, body: { message: '404 Tag Not Found' } }
      }
    ],
    error: /There is no such tag: list_registry_tags has/
  },
  {
    title: 'deletes a tag of this project, named by its path',
    tool: 'delete_registry_tag',
    args: { project_id, repository_id: 80, tag_name: 'latest' },
    exchanges: [
      { request: 'GET /registry/repositories/80', reply: { body: image } },
      { request: `GET ${P}`, reply: { body: { id: 41 } } },
      { request: `DELETE ${tags}/latest`, reply: { status: 200 } }
    ],
    result: { status: 'success', message: 'The tag is deleted.' }
  },
  {
    title: 'deletes a tag of this project, named by its id',
    tool: 'delete_registry_tag',
    args: { project_id: 41, repository_id: 80, tag_name: 'latest' },
    exchanges: [
      { request: 'GET /registry/repositories/80', reply: { body: image } },
      { request: 'DELETE /projects/41/registry/repositories/80/tags/latest', reply: { status: 200 } }
    ],
    result: { status: 'success', message: 'The tag is deleted.' }
  },
  {
    title: "leaves another project's tag alone",
    tool: 'delete_registry_tag',
    args: { project_id: 42, repository_id: 80, tag_name: 'latest' },
    exchanges: [{ request: 'GET /registry/repositories/80', reply: { body: image } }],
    error:
      'This registry repository is not of this project. Nothing was done: its number counts over all projects.'
  },
  {
    title: 'a tag does not climb',
    tool: 'get_registry_tag',
    args: { project_id, repository_id: 80, tag_name: '..' },
    error: /^tag_name has an empty, "\." or "\.\." segment/
  }
])
