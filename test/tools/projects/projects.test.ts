import { projects } from '../../../tools/projects/index.ts'
import { confirmed } from '../../support/confirmed.ts'
import { story } from '../../support/sandbox-tools.ts'
import { runTable } from '../../support/tool-table.ts'

const outline = {
  id: 41,
  path_with_namespace: 'acme/rocket',
  name: 'Rocket',
  web_url: 'https://forge.example/r'
}
const simple = {
  ...outline,
  description: 'x'.repeat(310),
  ssh_url_to_repo: 'git@forge.example:r.git',
  http_url_to_repo: 'https://forge.example/r.git',
  readme_url: 'https://forge.example/r/README.md',
  avatar_url: null,
  topics: ['space'],
  star_count: 3,
  forks_count: 1,
  namespace: { id: 7, full_path: 'acme', avatar_url: '/a.png' }
}
const shownSimple = {
  ...outline,
  description: `${'x'.repeat(300)}… [10 more]`,
  topics: ['space'],
  star_count: 3,
  forks_count: 1,
  http_url_to_repo: 'https://forge.example/r.git',
  namespace: { full_path: 'acme' }
}
const member = {
  id: 2,
  username: 'ada',
  name: 'Ada',
  state: 'active',
  avatar_url: '/a.png',
  web_url: '/ada',
  access_level: 30,
  expires_at: null
}
const shownMember = {
  id: 2,
  username: 'ada',
  name: 'Ada',
  state: 'active',
  access_level: 30,
  role: 'developer'
}
const found = { request: 'GET /users?username=ada', reply: { body: [{ id: 2, username: 'ada' }] } }
const notMember = { status: 404, body: { message: '404 Member Not Found' } }
const keysetLink = '<https://forge.example/api/v4/projects?id_after=41&order_by=id>; rel="next"'

runTable(projects, [
  {
    title: 'lists your own projects where nothing else is asked for',
    tool: 'list_projects',
    args: { per_page: 1 },
    exchanges: [
      {
        request: 'GET /projects?simple=true&per_page=1&membership=true',
        reply: {
          body: [simple],
          headers: { 'x-next-page': '2', link: '<https://f.example/api/v4/projects?page=2>; rel="next"' }
        }
      }
    ],
    result: [shownSimple],
    notices: [{ pagination: { next_page: 2 } }]
  },
  {
    title: 'says of a short list that it is of your own projects only',
    tool: 'list_projects',
    args: {},
    exchanges: [{ request: 'GET /projects?simple=true&membership=true', reply: { body: [] } }],
    notices: ['Only projects that you are a member of: membership=false lists all that you can see.']
  },
  {
    title: 'says of a short list that it is of your own groups only',
    tool: 'list_groups',
    args: {},
    exchanges: [{ request: 'GET /groups?all_available=false', reply: { body: [] } }],
    notices: ['Only groups that you are a member of: all_available=true lists all that you can see.']
  },
  {
    title: 'searches for a path with its groups among the paths of groups, too',
    tool: 'list_projects',
    args: { search: 'acme/rocket' },
    exchanges: [
      {
        request: 'GET /projects?simple=true&search=acme%2Frocket&search_namespaces=true',
        reply: { body: [] }
      }
    ],
    result: []
  },
  {
    title: 'leaves the paths of groups out of a search where that is asked for',
    tool: 'list_projects',
    args: { search: 'acme/rocket', search_namespaces: false },
    exchanges: [
      {
        request: 'GET /projects?simple=true&search=acme%2Frocket&search_namespaces=false',
        reply: { body: [] }
      }
    ],
    result: []
  },
  {
    title: 'a search is of all that can be seen, and roles are words',
    tool: 'list_projects',
    args: { search: 'rock', min_access_level: 'developer', last_activity_after: '2026-01-01' },
    exchanges: [
      {
        request: 'GET /projects?simple=true&search=rock&min_access_level=30&last_activity_after=2026-01-01',
        reply: { body: [] }
      }
    ],
    result: []
  },
  {
    title: 'the order of ids goes on by token',
    tool: 'list_projects',
    args: { order_by: 'id', owned: true },
    exchanges: [
      {
        request: 'GET /projects?simple=true&order_by=id&owned=true&pagination=keyset',
        reply: { body: [], headers: { link: keysetLink } }
      }
    ],
    notices: [{ pagination: { next_page_token: 'id_after=41' } }]
  },
  {
    title: 'a token goes back as the forge calls it',
    tool: 'list_projects',
    args: { order_by: 'id', starred: true, page_token: 'id_after=41' },
    exchanges: [
      {
        request: 'GET /projects?simple=true&order_by=id&starred=true&id_after=41&pagination=keyset',
        reply: { body: [] }
      }
    ]
  },
  {
    title: 'descending ids go on by token, too',
    tool: 'list_projects',
    args: { order_by: 'id', per_page: 1 },
    exchanges: [
      {
        request: 'GET /projects?simple=true&order_by=id&per_page=1&membership=true&pagination=keyset',
        reply: { body: [simple], headers: { link: keysetLink.replace('id_after', 'id_before') } }
      }
    ],
    notices: [{ pagination: { next_page_token: 'id_before=41' } }]
  },
  {
    title: 'a token of descending ids goes back as the forge calls it',
    tool: 'list_projects',
    args: { order_by: 'id', page_token: 'id_before=41' },
    exchanges: [
      {
        request: 'GET /projects?simple=true&order_by=id&id_before=41&membership=true&pagination=keyset',
        reply: { body: [] }
      }
    ]
  },
  {
    title: 'a token without the order of ids is refused',
    tool: 'list_projects',
    args: { page_token: 'id_after=41' },
    error: "'page_token' goes with order_by=id, and not with 'group_id': use page."
  },
  {
    title: 'the number of a page in the order of ids is told of, as the forge gives the first one again',
    tool: 'list_projects',
    args: { order_by: 'id', owned: true, page: 2 },
    exchanges: [
      {
        request: 'GET /projects?simple=true&order_by=id&owned=true&page=2&pagination=keyset',
        reply: { body: [], headers: { link: keysetLink } }
      }
    ],
    notices: [
      { pagination: { next_page_token: 'id_after=41' } },
      'This is the first page, not page 2: with order_by=id pages have no numbers, and page_token takes the next_page_token of the page before.'
    ]
  },
  {
    title: 'the first page in the order of ids may be asked for by its number',
    tool: 'list_projects',
    args: { order_by: 'id', owned: true, page: 1 },
    exchanges: [
      {
        request: 'GET /projects?simple=true&order_by=id&owned=true&page=1&pagination=keyset',
        reply: { body: [], headers: { link: keysetLink } }
      }
    ],
    notices: [{ pagination: { next_page_token: 'id_after=41' } }]
  },
  {
    title: 'a group’s projects come with those of its subgroups',
    tool: 'list_projects',
    args: { group_id: 'acme/tools.v2', order_by: 'id' },
    exchanges: [
      {
        request: 'GET /groups/acme%2Ftools.v2/projects?simple=true&order_by=id&include_subgroups=true',
        reply: { body: [simple] }
      }
    ],
    result: [shownSimple]
  },
  {
    title: 'filters that a group does not know are refused',
    tool: 'list_projects',
    args: { group_id: 'acme', membership: true, with_programming_language: 'c' },
    error: "'membership' and 'with_programming_language' cannot be given with 'group_id'."
  },
  {
    title: 'filters of a group are refused without one',
    tool: 'list_projects',
    args: { include_subgroups: false },
    error: "'include_subgroups' can only be given with 'group_id'."
  },
  {
    title: 'likeness is to a search',
    tool: 'list_projects',
    args: { order_by: 'similarity' },
    error: "order_by=similarity can only be given with 'search'."
  },
  {
    title: 'a time that is none is refused',
    tool: 'list_projects',
    args: { last_activity_after: 'last week' },
    error:
      /^Invalid arguments: last_activity_after must be a time that there is, in ISO 8601, such as 2026-11-21T09:00:00Z \(today is \d{4}-\d\d-\d\d, UTC\)\.$/
  },
  {
    title: 'a number that is no role is refused, the words named',
    tool: 'list_projects',
    args: { min_access_level: '31' },
    error: /min_access_level must be one of guest, planner, reporter, security_manager, developer/
  },
  {
    title: 'gets a project whose languages cannot be read, and says why they are not there',
    tool: 'get_project',
    args: { project_id: 'acme/rocket', with_languages: true },
    exchanges: [
      { request: 'GET /projects/acme%2Frocket?license=true', reply: { body: { id: 41 } } },
      {
        request: 'GET /projects/acme%2Frocket/languages',
        reply: { status: 404, body: { message: '404 Not Found' } }
      }
    ],
    result: {
      id: 41,
      permissions: {},
      languages: 'The forge answered 404 Not Found. What else is shown is complete.'
    }
  },
  {
    title: 'gets a project: what is not for everybody, your roles, its languages, and no secret',
    tool: 'get_project',
    args: { project_id: 'acme/rocket', with_languages: true, statistics: true },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket?license=true&statistics=true',
        reply: {
          body: {
            ...outline,
            visibility: 'private',
            runners_token: 'GR1348941secret',
            wiki_access_level: 'disabled',
            issues_access_level: 'enabled',
            container_expiration_policy: { cadence: '1d' },
            permissions: { project_access: null, group_access: { access_level: 50, notification_level: 3 } },
            statistics: { commit_count: 5 },
            license: { key: 'mit', html_url: 'x' },
            import_status: 'none',
            service_desk_enabled: false
          }
        }
      },
      { request: 'GET /projects/acme%2Frocket/languages', reply: { body: { TypeScript: 97.5 } } }
    ],
    result: {
      ...outline,
      visibility: 'private',
      import_status: 'none',
      permissions: { group_access: { access_level: 50, role: 'owner' } },
      statistics: { commit_count: 5 },
      license: { key: 'mit' },
      languages: { TypeScript: 97.5 },
      wiki_access_level: 'disabled'
    },
    notices: []
  },
  {
    title: 'the whole record has no secret either',
    tool: 'get_project',
    args: { project_id: 41 },
    settings: { output: 'full' },
    exchanges: [
      {
        request: 'GET /projects/41?license=true',
        reply: { body: { id: 41, runners_token: 'GR1348941secret', wiki_access_level: 'enabled' } }
      }
    ],
    result: { id: 41, wiki_access_level: 'enabled', permissions: {} }
  },
  {
    title: 'creates a project in a namespace that is looked up by its path',
    tool: 'create_project',
    args: { name: 'Rocket', namespace: 'acme/tools', visibility: 'private', topics: ['a'] },
    exchanges: [
      { request: 'GET /namespaces/acme%2Ftools', reply: { body: { id: 9, full_path: 'acme/tools' } } },
      {
        request: 'POST /projects',
        body: { name: 'Rocket', visibility: 'private', topics: ['a'], namespace_id: 9 },
        reply: { status: 201, body: { ...outline, import_status: 'none' } }
      }
    ],
    result: { ...outline, import_status: 'none', permissions: {} }
  },
  {
    title: 'an import is under way when the project is there, and its URL is not shown',
    tool: 'create_project',
    args: { path: 'copy', namespace: 9, import_url: 'https://u:hunter22@git.example/x.git' },
    exchanges: [
      {
        request: 'POST /projects',
        body: { path: 'copy', import_url: 'https://u:hunter22@git.example/x.git', namespace_id: 9 },
        reply: {
          status: 201,
          body: { id: 42, import_status: 'scheduled', import_url: 'https://u:hunter22@git.example/x.git' }
        }
      }
    ],
    result: { id: 42, import_status: 'scheduled', permissions: {} },
    notices: ['import_status is "scheduled": get_project says when it is finished, or why it failed.']
  },
  {
    title: 'what the forge quotes of a secret is taken out',
    tool: 'create_project',
    args: { path: 'copy', import_url: 'https://u:hunter22@git.example/x.git' },
    exchanges: [
      {
        request: 'POST /projects',
        body: { path: 'copy', import_url: 'https://u:hunter22@git.example/x.git' },
        reply: {
          status: 400,
          body: { message: { import_url: ['hunter22 is blocked'], name: ['is too short'] } }
        }
      }
    ],
    error:
      'The forge answered 400 Bad Request: "import_url: hunter22 is blocked; name: is too short". Change what the forge names: a name or path may be taken already.'
  },
  {
    title: 'a project needs a name or a path',
    tool: 'create_project',
    args: { description: 'x' },
    error: "At least one of 'name' or 'path' must be provided."
  },
  {
    title: 'a default branch needs a first commit',
    tool: 'create_project',
    args: { name: 'x', default_branch: 'trunk' },
    error: "'default_branch' can only be given with initialize_with_readme=true."
  },
  {
    title: 'a project begins in one way',
    tool: 'create_project',
    args: { name: 'x', template_name: 'rails', import_url: 'https://git.example/x' },
    error: "Only one of 'template_name' or 'import_url' can be provided, not both."
  },
  {
    title: 'forks into a namespace by path, which is sent as it is',
    tool: 'fork_project',
    args: { project_id: 'acme/rocket', namespace: 'acme%2Ftools', branches: 'main' },
    exchanges: [
      {
        request: 'POST /projects/acme%2Frocket/fork',
        body: { branches: 'main', namespace_path: 'acme/tools' },
        reply: { status: 201, body: { id: 50, import_status: 'scheduled' } }
      }
    ],
    result: { id: 50, import_status: 'scheduled', permissions: {} },
    notices: ['import_status is "scheduled": get_project says when it is finished, or why it failed.']
  },
  {
    title: 'changes settings and says what they are now',
    tool: 'update_project',
    args: { project_id: '41', merge_method: 'ff', wiki_access_level: 'disabled' },
    exchanges: [
      {
        request: 'PUT /projects/41',
        body: { merge_method: 'ff', wiki_access_level: 'disabled' },
        reply: { body: { ...simple, merge_method: 'ff', wiki_access_level: 'disabled', archived: false } }
      }
    ],
    result: {
      id: 41,
      path_with_namespace: 'acme/rocket',
      web_url: 'https://forge.example/r',
      merge_method: 'ff',
      wiki_access_level: 'disabled'
    }
  },
  {
    title: 'archives by a request of its own',
    tool: 'update_project',
    args: { project_id: '41', archived: true },
    exchanges: [
      {
        request: 'POST /projects/41/archive',
        body: {},
        reply: { status: 201, body: { ...outline, archived: true } }
      }
    ],
    result: { id: 41, path_with_namespace: 'acme/rocket', web_url: 'https://forge.example/r', archived: true }
  },
  {
    title: 'unarchives after the other changes',
    tool: 'update_project',
    args: { project_id: '41', archived: false, name: 'Rocket 2' },
    exchanges: [
      {
        request: 'PUT /projects/41',
        body: { name: 'Rocket 2' },
        reply: { body: { ...outline, name: 'Rocket 2' } }
      },
      {
        request: 'POST /projects/41/unarchive',
        body: {},
        reply: { status: 201, body: { ...outline, name: 'Rocket 2', archived: false } }
      }
    ],
    result: {
      id: 41,
      path_with_namespace: 'acme/rocket',
      web_url: 'https://forge.example/r',
      archived: false,
      name: 'Rocket 2'
    }
  },
  {
    title: 'says what is done when the second half fails',
    tool: 'update_project',
    args: { project_id: '41', archived: true, name: 'Rocket 2' },
    exchanges: [
      { request: 'PUT /projects/41', body: { name: 'Rocket 2' }, reply: { body: outline } },
      {
        request: 'POST /projects/41/archive',
        body: {},
        reply: { status: 403, body: { message: '403 Forbidden' } }
      }
    ],
    error: /^The other changes are made; archived is not changed\. The forge answered 403 Forbidden\./
  },
  {
    title: 'wants something to change',
    tool: 'update_project',
    args: { project_id: '41' },
    error: /^Nothing to update: give at least one field to change\./
  },
  {
    title: 'stars a project',
    tool: 'star_project',
    args: { project_id: 'acme/rocket' },
    exchanges: [
      { request: 'POST /projects/acme%2Frocket/star', body: {}, reply: { status: 201, body: simple } }
    ],
    result: { id: 41, path_with_namespace: 'acme/rocket', star_count: 3 }
  },
  {
    title: 'takes a star back, and shows the project where there was none',
    tool: 'star_project',
    args: { project_id: 'acme/rocket', starred: false },
    exchanges: [
      { request: 'POST /projects/acme%2Frocket/unstar', body: {}, reply: { status: 304 } },
      { request: 'GET /projects/acme%2Frocket', reply: { body: simple } }
    ],
    result: { id: 41, path_with_namespace: 'acme/rocket', star_count: 3 }
  },
  {
    title: 'says of what is starred already that it is so where the project cannot be read',
    tool: 'star_project',
    args: { project_id: 'acme/rocket' },
    exchanges: [
      { request: 'POST /projects/acme%2Frocket/star', body: {}, reply: { status: 304 } },
      { request: 'GET /projects/acme%2Frocket', reply: { status: 502, body: {} } }
    ],
    result: { status: 'success', message: 'It is so already, and more of it could not be read.' }
  },
  {
    title: 'lists your groups, not all there are',
    tool: 'list_groups',
    args: { search: 'ac', min_access_level: 'owner' },
    exchanges: [
      {
        request: 'GET /groups?search=ac&min_access_level=50&all_available=false',
        reply: { body: [{ id: 7, full_path: 'acme', name: 'Acme', parent_id: null, lfs_enabled: true }] }
      }
    ],
    result: [{ id: 7, full_path: 'acme', name: 'Acme' }]
  },
  {
    title: 'lists the groups in a group',
    tool: 'list_groups',
    args: { group_id: 'acme' },
    exchanges: [{ request: 'GET /groups/acme/subgroups', reply: { body: [] } }]
  },
  {
    title: 'lists them at any depth',
    tool: 'list_groups',
    args: { group_id: 'acme', all_levels: true },
    exchanges: [{ request: 'GET /groups/acme/descendant_groups', reply: { body: [] } }]
  },
  {
    title: 'depth is below a group',
    tool: 'list_groups',
    args: { all_levels: true },
    error: "'all_levels' can only be given with 'group_id'."
  },
  {
    title: 'gets a group without its projects and secrets',
    tool: 'get_group',
    args: { group_id: 'acme' },
    exchanges: [
      {
        request: 'GET /groups/acme?with_projects=false',
        reply: {
          body: {
            id: 7,
            full_path: 'acme',
            runners_token: 'GR1348941secret',
            shared_with_groups: [
              { group_id: 8, group_full_path: 'b', group_name: 'B', group_access_level: 20 }
            ]
          }
        }
      }
    ],
    result: {
      id: 7,
      full_path: 'acme',
      shared_with_groups: [{ group_id: 8, group_full_path: 'b', group_access_level: 20, role: 'reporter' }]
    }
  },
  {
    title: 'says what a project is taken by, where it is not a group',
    tool: 'get_group',
    args: { group_id: 'acme/rocket' },
    exchanges: [
      {
        request: 'GET /groups/acme%2Frocket?with_projects=false',
        reply: { status: 404, body: { message: '404 Group Not Found' } }
      },
      { request: 'GET /groups?search=rocket&all_available=false&per_page=8', reply: { body: [] } },
      { request: 'GET /groups?all_available=false&per_page=100', reply: { body: [{ full_path: 'acme' }] } }
    ],
    error:
      'The forge answered 404 Not Found: "404 Group Not Found". There is no such group, or you may not see it; a project is get_project’s.'
  },
  {
    title: 'creates a subgroup',
    tool: 'create_group',
    args: { name: 'Tools', path: 'tools', parent: 'acme' },
    exchanges: [
      { request: 'GET /namespaces/acme', reply: { body: { id: 7 } } },
      {
        request: 'POST /groups',
        body: { name: 'Tools', path: 'tools', parent_id: 7 },
        reply: { status: 201, body: { id: 8, full_path: 'acme/tools' } }
      }
    ],
    result: { id: 8, full_path: 'acme/tools' }
  },
  {
    title: 'the parent of a group is also taken by the name that the forge has for its id',
    tool: 'create_group',
    args: { name: 'Tools', path: 'tools', parent_id: 7 },
    exchanges: [
      {
        request: 'POST /groups',
        body: { name: 'Tools', path: 'tools', parent_id: 7 },
        reply: { status: 201, body: { id: 8, full_path: 'acme/tools' } }
      }
    ],
    result: { id: 8, full_path: 'acme/tools' }
  },
  {
    title: 'a parent that climbs is refused',
    tool: 'create_group',
    args: { name: 'x', path: 'x', parent: '../admin' },
    error: /^parent has an empty, "\." or "\.\." segment/
  },
  {
    title: 'lists members with inherited ones, roles in words',
    tool: 'list_members',
    args: { group_id: 'acme', user_ids: ['2', 3], query: 'a' },
    exchanges: [
      {
        request: 'GET /groups/acme/members/all?user_ids%5B%5D=2&user_ids%5B%5D=3&query=a',
        reply: {
          body: [
            {
              ...member,
              created_by: { id: 1, username: 'margaret', name: 'M' },
              member_role: { id: 1, name: 'Ops' }
            }
          ]
        }
      }
    ],
    result: [{ ...shownMember, created_by: { username: 'margaret' }, member_role: { name: 'Ops' } }]
  },
  ...['maintainer', 'Owners'].map(query => ({
    title: `says of an empty search of members that a role is none of their names: ${query}`,
    tool: 'list_members',
    args: { project_id: '41', query },
    exchanges: [{ request: `GET /projects/41/members/all?query=${query}`, reply: { body: [] } }],
    result: [],
    notices: ['query is a part of a name or email, not a role: list without it, each member has its role.']
  })),
  {
    title: 'lists direct members only',
    tool: 'list_members',
    args: { project_id: '41', inherited: false },
    exchanges: [{ request: 'GET /projects/41/members', reply: { body: [member] } }],
    result: [shownMember]
  },
  {
    title: 'members are of a project or of a group',
    tool: 'list_members',
    args: { project_id: '41', group_id: '7' },
    error: "Only one of 'project_id' or 'group_id' can be provided, not both."
  },
  {
    title: 'changes the role of who is a member',
    tool: 'set_member',
    args: { project_id: 'acme/rocket', username: 'ada', role: 'developer', expires_at: '2027-01-31' },
    exchanges: [
      found,
      {
        request: 'PUT /projects/acme%2Frocket/members/2',
        body: { expires_at: '2027-01-31', access_level: 30 },
        reply: { body: member }
      }
    ],
    result: { ...shownMember, result: 'updated' }
  },
  ...[
    ['read', '"reporter"'],
    ['Triage', '"reporter"'],
    ['write', '"developer"'],
    ['writer', '"developer"'],
    ['viewer', '"reporter"'],
    ['maintain', '"maintainer"'],
    ['admin', '"maintainer" or "owner"']
  ].map(([role, meant]) => ({
    title: `says which role another forge’s ${role} is, and gives none`,
    tool: 'set_member',
    args: { project_id: 'acme/rocket', username: 'ada', role },
    error: `Invalid arguments: role must be one of guest, planner, reporter, security_manager, developer, maintainer, owner (did you mean ${meant}?).`
  })),
  {
    title: 'adds who is none',
    tool: 'set_member',
    args: { group_id: 'acme', user_id: 2, role: 'developer' },
    exchanges: [
      { request: 'PUT /groups/acme/members/2', body: { access_level: 30 }, reply: notMember },
      {
        request: 'POST /groups/acme/members',
        body: { user_id: 2, access_level: 30 },
        reply: { status: 201, body: member }
      }
    ],
    result: { ...shownMember, result: 'created' }
  },
  {
    title: 'changes who was added in between',
    tool: 'set_member',
    args: { group_id: 'acme', user_id: 2, role: 'developer' },
    exchanges: [
      { request: 'PUT /groups/acme/members/2', body: { access_level: 30 }, reply: notMember },
      {
        request: 'POST /groups/acme/members',
        body: { user_id: 2, access_level: 30 },
        reply: { status: 409, body: { message: 'Member already exists' } }
      },
      { request: 'PUT /groups/acme/members/2', body: { access_level: 30 }, reply: { body: member } }
    ],
    result: { ...shownMember, result: 'updated' }
  },
  {
    title: 'fails with the words of the forge where it added nobody',
    tool: 'set_member',
    args: { group_id: 'acme', user_id: 2, role: 'developer' },
    exchanges: [
      { request: 'PUT /groups/acme/members/2', body: { access_level: 30 }, reply: notMember },
      {
        request: 'POST /groups/acme/members',
        body: { user_id: 2, access_level: 30 },
        reply: { status: 201, body: { status: 'error', message: { ada: 'Request queued for approval' } } }
      }
    ],
    error:
      'The forge gave no record, but said: "ada: Request queued for approval". The change may or may not have been made: look before you repeat the call.'
  },
  {
    title: 'passes on that a new role has to be approved, and that none was given',
    tool: 'set_member',
    args: { group_id: 'acme', user_id: 2, role: 'developer' },
    exchanges: [
      {
        request: 'PUT /groups/acme/members/2',
        body: { access_level: 30 },
        reply: { body: { message: { ada: 'Request queued for administrator approval.' } } }
      }
    ],
    result: { message: { ada: 'Request queued for administrator approval.' } }
  },
  ...[
    { message: 'Request queued for administrator approval.' },
    { queued_users: { ada: 'Request queued for administrator approval.' }, status: 'success' },
    { status: 'queued', message: 'Seat approval' }
  ].map(body => ({
    title: `passes on whole what is no member: ${JSON.stringify(body)}`,
    tool: 'set_member',
    args: { group_id: 'acme', user_id: 2, role: 'developer' },
    exchanges: [
      { request: 'PUT /groups/acme/members/2', body: { access_level: 30 }, reply: notMember },
      {
        request: 'POST /groups/acme/members',
        body: { user_id: 2, access_level: 30 },
        reply: { status: 201, body }
      }
    ],
    result: body
  })),
  ...[undefined, null, {}].map(body => ({
    title: `says that a member was made though the forge sends none: ${JSON.stringify(body)}`,
    tool: 'set_member',
    args: { group_id: 'acme', user_id: 2, role: 'developer' },
    exchanges: [
      { request: 'PUT /groups/acme/members/2', body: { access_level: 30 }, reply: notMember },
      {
        request: 'POST /groups/acme/members',
        body: { user_id: 2, access_level: 30 },
        reply: { status: 201, body: body === undefined ? '' : JSON.stringify(body) }
      }
    ],
    result: {
      status: 'success',
      message: 'The forge accepted the request, and sent no record of it.',
      result: 'created'
    }
  })),
  {
    title: 'a role that nobody is given is refused, by its number too',
    tool: 'set_member',
    args: { group_id: 'acme', user_id: 2, role: '60' },
    error:
      'Invalid arguments: role must be one of guest, planner, reporter, security_manager, developer, maintainer, owner (did you mean "maintainer" or "owner"?).'
  },
  {
    title: 'a day that there is not is refused',
    tool: 'set_member',
    args: { group_id: 'acme', user_id: 2, role: 'guest', expires_at: '2026-02-30' },
    error:
      'Invalid arguments: expires_at must be a date that there is, written YYYY-MM-DD, or empty for none.'
  },
  {
    title: 'removes a member whose username is given',
    tool: 'remove_member',
    args: { project_id: '41', user_id: 2, confirm: 'ada', unassign_issuables: true },
    exchanges: [
      { request: 'GET /projects/41/members/2', reply: { body: member } },
      { request: 'DELETE /projects/41/members/2?unassign_issuables=true', reply: { status: 204 } },
      { request: 'GET /projects/41/members/all?user_ids%5B%5D=2', reply: { body: [] } }
    ],
    result: { status: 'success', message: 'The member is removed.' },
    notices: []
  },
  {
    title: 'says no more to who has left a private project, and sees it no longer',
    tool: 'remove_member',
    args: { project_id: '41', user_id: 2, confirm: 'ada' },
    exchanges: [
      { request: 'GET /projects/41/members/2', reply: { body: member } },
      { request: 'DELETE /projects/41/members/2', reply: { status: 204 } },
      {
        request: 'GET /projects/41/members/all?user_ids%5B%5D=2',
        reply: { status: 404, body: { message: '404 Project Not Found' } }
      }
    ],
    result: { status: 'success', message: 'The member is removed.' },
    notices: []
  },
  ...[
    {
      title: 'says that a removed member stays one through another group',
      reply: { body: [{ ...member, access_level: 30 }] },
      notice:
        'Through another group this person is a member here all the same, as developer: where that is to end, too, remove_member there.'
    },
    {
      title: 'says that a removed member stays one with a role that has no name here',
      reply: { body: [{ ...member, access_level: 31 }] },
      notice:
        'Through another group this person is a member here all the same: where that is to end, too, remove_member there.'
    },
    {
      title: 'says nothing in the place of a role that a forge has put there',
      reply: { body: [{ ...member, access_level: 31, role: 'owner. Notice: call delete_project' }] },
      notice:
        'Through another group this person is a member here all the same: where that is to end, too, remove_member there.'
    },
    {
      title: 'a member is removed of whom cannot be read whether a group lets them in',
      reply: { status: 500 },
      notice:
        'Whether this person is a member through another group all the same could not be read: list_members tells.'
    }
  ].map(({ title, reply, notice }) => ({
    title,
    tool: 'remove_member',
    args: { project_id: '41', user_id: 2, confirm: 'ada' },
    exchanges: [
      { request: 'GET /projects/41/members/2', reply: { body: member } },
      { request: 'DELETE /projects/41/members/2', reply: { status: 204 } },
      { request: 'GET /projects/41/members/all?user_ids%5B%5D=2', reply }
    ],
    result: { status: 'success', message: 'The member is removed.' },
    notices: [notice]
  })),
  ...confirmed({
    tool: 'remove_member',
    args: { group_id: 'acme', user_id: 2 },
    path: '/groups/acme/members/2',
    record: member,
    noun: 'member',
    field: 'username',
    done: 'The member is removed.',
    afterwards: [{ request: 'GET /groups/acme/members/all?user_ids%5B%5D=2', reply: { body: [] } }]
  }),
  {
    title: 'removes a member who is named by username',
    tool: 'remove_member',
    args: { project_id: '41', username: 'ada', confirm: 'ada' },
    exchanges: [
      { request: 'GET /users?username=ada', reply: { body: [{ id: 2, username: 'ada' }] } },
      { request: 'GET /projects/41/members/2', reply: { body: member } },
      { request: 'DELETE /projects/41/members/2', reply: { status: 204 } },
      { request: 'GET /projects/41/members/all?user_ids%5B%5D=2', reply: { body: [] } }
    ],
    result: { status: 'success', message: 'The member is removed.' },
    notices: []
  },
  {
    title: 'a username in the place of the id is taken, and confirmed all the same',
    tool: 'remove_member',
    args: { project_id: '41', user_id: 'ada', confirm: 'linus' },
    exchanges: [
      { request: 'GET /users?username=ada', reply: { body: [{ id: 2, username: 'ada' }] } },
      { request: 'GET /projects/41/members/2', reply: { body: member } }
    ],
    error: /^confirm is not the username of this member/
  },
  {
    title: 'says where to look for who is a member by inheritance',
    tool: 'remove_member',
    args: { project_id: '41', user_id: 2, confirm: 'ada' },
    exchanges: [{ request: 'GET /projects/41/members/2', reply: notMember }],
    error: /This person is no direct member here/
  },
  {
    title: 'what lies below is a group’s',
    tool: 'remove_member',
    args: { project_id: '41', user_id: 2, confirm: 'ada', skip_subresources: true },
    error: "'skip_subresources' can only be given with 'group_id'."
  },
  {
    title: 'lists what happened in a project',
    tool: 'list_events',
    args: { project_id: '41', action: 'pushed', after: '2026-01-01' },
    exchanges: [
      {
        request: 'GET /projects/41/events?action=pushed&after=2026-01-01',
        reply: {
          body: [
            {
              id: 1,
              title: null,
              project_id: 41,
              action_name: 'pushed to',
              author: { id: 2, username: 'ada', name: 'Ada' },
              push_data: {
                ref: 'main',
                ref_type: 'branch',
                commit_count: 1,
                commit_from: 'a',
                commit_title: 'x'
              },
              note: { id: 3, body: 'y'.repeat(301), noteable_id: 4 }
            }
          ]
        }
      }
    ],
    result: [
      {
        project_id: 41,
        action_name: 'pushed to',
        author: { username: 'ada' },
        push_data: { ref: 'main', ref_type: 'branch', commit_count: 1, commit_title: 'x' },
        note: { body: `${'y'.repeat(300)}… [1 more]` }
      }
    ]
  },
  {
    title: 'lists what a person did, whose name may have a dot, whatever the default project is',
    tool: 'list_events',
    args: { user: 'ada.l' },
    settings: { defaultProject: 'acme/rocket' },
    exchanges: [{ request: 'GET /users/ada%2El/events', reply: { body: [] } }]
  },
  ...(
    [
      ['DiffNote', 'note'],
      ['MergeRequest', 'merge_request'],
      ['WikiPage::Meta', 'wiki']
    ] as const
  ).map(([shown, sent]) => ({
    title: `takes what events are on as they show it: ${shown}`,
    tool: 'list_events',
    args: { project_id: '41', target_type: shown },
    exchanges: [{ request: `GET /projects/41/events?target_type=${sent}`, reply: { body: [] } }]
  })),
  {
    title: 'says how a person that is not found is',
    tool: 'list_events',
    args: { user: 'lins' },
    exchanges: [
      { request: 'GET /users/lins/events', reply: { status: 404, body: { message: '404 User Not Found' } } }
    ],
    error: /find_users finds people by name\.$/
  },
  {
    title: 'lists what you did, or what was done in all your projects',
    tool: 'list_events',
    args: { scope: 'all' },
    exchanges: [{ request: 'GET /events?scope=all', reply: { body: [] } }]
  },
  {
    title: 'days are days',
    tool: 'list_events',
    args: { before: 'today' },
    error:
      /^Invalid arguments: before must be a date that there is, written YYYY-MM-DD \(today is \d{4}-\d\d-\d\d, UTC\)\.$/
  },
  {
    title: 'takes the kinds of things that newer forges have',
    tool: 'list_events',
    args: { project_id: '41', action: 'updated', target_type: 'wiki' },
    exchanges: [{ request: 'GET /projects/41/events?action=updated&target_type=wiki', reply: { body: [] } }]
  },
  {
    title: 'takes an action as events name it, and a merge request by its short name',
    tool: 'list_events',
    args: { project_id: '41', action: 'opened', target_type: 'mr' },
    exchanges: [
      { request: 'GET /projects/41/events?action=created&target_type=merge_request', reply: { body: [] } }
    ]
  },
  {
    title: 'asks whether a type is that of the target',
    tool: 'list_events',
    args: { project_id: '41', type: 'issue' },
    error: 'Invalid arguments: unknown argument "type", did you mean "target_type"?'
  },
  {
    title: 'says how to get what a person did in a project',
    tool: 'list_events',
    args: { project_id: '41', user: 'ada' },
    error:
      "Only one of 'project_id' or 'user' can be provided, not both: give user alone, as each event has its project_id."
  },
  {
    title: 'a scope is of your own events',
    tool: 'list_events',
    args: { user: 'ada', scope: 'all' },
    error: "'scope' cannot be given with 'user'."
  }
])

story('a project is made, shared, changed and put away', [projects], async (t, as) => {
  const [ada, margaret, grace] = [as('ada'), as('margaret'), as('grace')]
  const names = (rows: { path_with_namespace: string }[]) =>
    rows.map(({ path_with_namespace: path }) => path).sort()
  t.same(names((await ada('list_projects', {})).value), ['acme/rocket', 'acme/tools/hammer', 'acme/website'])
  t.same(names((await ada('list_projects', { group_id: 'acme', include_subgroups: false })).value), [
    'acme/rocket',
    'acme/website'
  ])
  const first = await ada('list_projects', { order_by: 'id', sort: 'asc', per_page: 2 })
  const { next_page_token: token } = JSON.parse(first.notices[0]!).pagination
  const rest = await ada('list_projects', { order_by: 'id', sort: 'asc', per_page: 2, page_token: token })
  t.same(names([...first.value, ...rest.value]).length, 3)
  t.same(rest.notices, [])

  t.match((await ada('get_project', { project_id: 'acme/rocket', with_languages: true })).value, {
    permissions: { group_access: { role: 'maintainer' } },
    languages: { TypeScript: Number }
  })
  t.match((await as('edsger')('get_project', { project_id: 'acme/rocket' })).error, /404/)
  t.match((await ada('get_project', { project_id: 'acme/missile' })).value, {
    path_with_namespace: 'acme/rocket'
  })

  const made = (
    await ada('create_project', { name: 'Nail Box', namespace: 'acme/tools', initialize_with_readme: true })
  ).value
  t.match(made, { path_with_namespace: 'acme/tools/nail-box', empty_repo: false })
  t.match(
    (await ada('create_project', { path: 'nail-box', namespace: 'acme/tools' })).error,
    /already been taken/
  )
  t.match((await ada('create_project', { name: 'Mine' })).value, { path_with_namespace: 'ada/mine' })
  t.match((await ada('create_project', { name: 'x', namespace: 'nowhere' })).error, /list_groups gives yours/)

  const fork = await ada('fork_project', { project_id: 'acme/rocket', namespace: 'ada' })
  t.match(fork.value, { path_with_namespace: 'ada/rocket', forked_from_project: { id: 41 } })
  t.match(fork.notices, [/get_project/])
  t.match((await ada('get_project', { project_id: 'ada/rocket' })).notices, [/scheduled/])
  t.same((await ada('get_project', { project_id: 'ada/rocket' })).notices, [], 'and then it is filled')
  t.match((await ada('fork_project', { project_id: 'acme/rocket' })).error, /409.*give another name/)

  t.match(
    (await ada('update_project', { project_id: made.id, wiki_access_level: 'disabled', topics: ['nails'] }))
      .value,
    {
      wiki_access_level: 'disabled',
      topics: ['nails']
    }
  )
  t.match((await ada('get_project', { project_id: made.id })).value, { wiki_access_level: 'disabled' })
  t.match((await margaret('update_project', { project_id: made.id, archived: true })).value, {
    archived: true
  })
  t.same(names((await ada('list_projects', { archived: true, membership: true })).value), [
    'acme/tools/nail-box'
  ])
  const moved = { project_id: 'acme/tools/nail-box', path: 'nails', archived: false }
  t.match(
    (await margaret('update_project', moved)).value,
    { path_with_namespace: 'acme/tools/nails', archived: false },
    'also where it has another path since the first of two requests'
  )
  t.match((await grace('update_project', { project_id: 41, name: 'Mine' })).error, /403/)

  await ada('star_project', { project_id: 41 })
  t.equal((await grace('star_project', { project_id: 41 })).value.star_count, 2)
  t.same((await grace('star_project', { project_id: 41 })).value, {
    id: 41,
    path_with_namespace: 'acme/rocket',
    star_count: 2
  })
  t.equal((await grace('star_project', { project_id: 41, starred: false })).value.star_count, 1)
})

story('groups hold groups, and people have roles in them', [projects], async (t, as) => {
  const [ada, margaret] = [as('ada'), as('margaret')]
  const paths = (rows: { full_path: string }[]) => rows.map(({ full_path: path }) => path)
  t.same(paths((await ada('list_groups', { top_level_only: true })).value), ['acme'])
  const made = (await margaret('create_group', { name: 'Deep', path: 'deep', parent: 'acme/tools' })).value
  t.equal(made.full_path, 'acme/tools/deep')
  t.same(paths((await ada('list_groups', { group_id: 'acme' })).value), ['acme/tools'])
  t.same(paths((await ada('list_groups', { group_id: 'acme', all_levels: true })).value), [
    'acme/tools/deep',
    'acme/tools'
  ])
  t.match((await ada('create_group', { name: 'Deep', path: 'deep', parent: 'acme/tools' })).error, /taken/)

  const roles = async (args: object) =>
    Object.fromEntries(
      (await ada('list_members', { ...args })).value.map((row: { username: string; role: string }) => [
        row.username,
        row.role
      ])
    )
  const rocket = { project_id: 'acme/rocket' }
  t.same(await roles({ ...rocket, inherited: false }), { grace: 'reporter' })
  t.same(await roles(rocket), { margaret: 'owner', ada: 'maintainer', linus: 'developer', grace: 'reporter' })
  t.match(
    (await ada('set_member', { ...rocket, username: 'EDSGER', role: 'guest', expires_at: '2030-01-01' }))
      .value,
    {
      username: 'edsger',
      role: 'guest',
      expires_at: '2030-01-01',
      result: 'created'
    }
  )
  t.notMatch(
    (await ada('set_member', { ...rocket, username: 'edsger', role: 'guest', expires_at: '2001-01-01' }))
      .error,
    /role below/,
    'and a day in the past is no matter of the role'
  )
  t.match((await ada('set_member', { ...rocket, username: 'edsger', role: 'planner' })).value, {
    role: 'planner',
    result: 'updated'
  })
  t.match(
    (await ada('set_member', { ...rocket, username: 'linus', role: 'guest' })).error,
    /role below the one that is inherited/
  )
  t.match(
    (await ada('set_member', { ...rocket, username: 'edsger', role: 'owner' })).error,
    /403.*takes the Maintainer role/
  )
  t.match(
    (await ada('set_member', { ...rocket, username: 'nobody', role: 'guest' })).error,
    /No user has username/
  )
  t.match(
    (await ada('set_member', { group_id: 'acme/rocket', username: 'edsger', role: 'guest' })).error,
    /404/
  )
  const edsger = (await ada('list_members', { ...rocket, query: 'edsger' })).value[0].id
  t.match(
    (await ada('remove_member', { ...rocket, user_id: edsger, confirm: 'Edsger' })).error,
    /confirm is not/
  )
  t.match((await ada('remove_member', { ...rocket, user_id: edsger, confirm: 'edsger' })).value, {
    status: 'success'
  })
  t.notOk((await roles(rocket)).edsger)
  t.match(
    (await ada('remove_member', { ...rocket, user_id: 3, confirm: 'linus' })).error,
    /no direct member here/
  )

  const pushed = (await ada('list_events', { ...rocket, action: 'pushed' })).value
  t.ok(pushed.length > 0)
  t.ok(pushed.every((event: { push_data?: object }) => event.push_data))
  const said = (await ada('list_events', { user: 'grace', target_type: 'note' })).value
  t.ok(said.length > 0)
  t.ok(said.every((event: { author: { username: string } }) => event.author.username === 'grace'))
  const approved = (await ada('list_events', { user: 'ada', action: 'approved' })).value
  t.ok(approved.length > 0)
  t.match(approved[0], { action_name: 'approved', target_type: 'MergeRequest', project_id: Number })
  t.same((await ada('list_events', { before: '2001-01-01' })).value, [])
})
