import { Type } from 'typebox'
import { notWith, onlyWith } from '../../../src/engine/rows/checks.ts'
import {
  Confirm,
  CursorPage,
  Day,
  KeysetPage,
  optional,
  Page,
  ProjectId,
  ProjectOrGroup,
  text,
  When
} from '../../../src/engine/rows/fields.ts'
import { graphql, rest } from '../../../src/engine/rows/row.ts'
import type { Toolset } from '../../../src/engine/rows/toolset.ts'
import { CallProblem } from '../../../src/results/problem.ts'
import { runTable } from '../../support/tool-table.ts'

const listDocument = 'query things($path: ID!, $first: Int, $after: String) { things }'
const changeDocument = 'mutation change($input: In!) { change(input: $input) { errors } }'

const newDocument = 'query thing($path: ID!) { thing { fresh } }'
const oldDocument = 'query thing($path: ID!) { thing { stale } }'

/** Rows that are no tools of the service: each has a key that several toolsets rely on. */
const sample: Toolset = {
  id: 'snippets',
  summary: 'Rows of every kind.',
  rows: [
    rest({
      name: 'list_things',
      class: 'read',
      title: 'Things',
      summary: 'List things.',
      input: Type.Object({ ...ProjectOrGroup, ...KeysetPage }),
      request: 'GET {PG}/things',
      fixed: { pagination: 'keyset' }
    }),
    rest({
      name: 'set_thing',
      class: 'write',
      title: 'Set thing',
      summary: 'Set a thing.',
      input: Type.Object({
        ...ProjectOrGroup,
        key: text(),
        value: optional(text()),
        scope: optional(text())
      }),
      request: 'PUT {PG}/things/{.key}',
      adapt: ({ scope, ...args }) => ({ ...args, filter: { scope } }),
      orElse: { request: 'POST {PG}/things', adapt: args => args, is: () => true, again: true }
    }),
    rest({
      name: 'list_things_of',
      class: 'read',
      title: 'Things of',
      summary: 'List things of a day or a person.',
      input: Type.Object({
        project_id: optional(ProjectId),
        person: optional(text()),
        kind: optional(text()),
        old: optional(Type.Boolean()),
        day: optional(Day),
        since: optional(When),
        ...Page,
        page_token: KeysetPage.page_token
      }),
      check: [onlyWith('person', 'kind'), notWith('person', 'day', 'since')],
      request: [
        'GET /projects/{project_id}/things',
        'GET /people/{.person}/things',
        'GET /people/{.person}/old_things',
        'GET /things'
      ],
      choose: ({ project_id, person, old }) => {
        if (project_id !== undefined) return 'GET /projects/{project_id}/things'
        if (person === undefined) return 'GET /things'
        return old === true ? 'GET /people/{.person}/old_things' : 'GET /people/{.person}/things'
      },
      local: ['old'],
      record: { argument: 'kind', of: { starred: 'status' } }
    }),
    rest({
      name: 'delete_thing',
      class: 'destructive',
      title: 'Delete thing',
      summary: 'Delete a thing.',
      input: Type.Object({ project_id: ProjectId, thing_id: text(), confirm: Confirm('title') }),
      confirm: { read: 'GET /projects/{project_id}/things/{thing_id}', field: 'title', noun: 'thing' },
      request: 'DELETE /projects/{project_id}/things/{thing_id}',
      local: ['confirm'],
      done: 'The thing is deleted.'
    }),
    rest({
      name: 'like_person',
      class: 'write',
      title: 'Like person',
      summary: 'Like a person.',
      input: Type.Object({ user_id: optional(text()), username: optional(text()) }),
      lookup: {
        fill: 'user_id',
        by: 'username',
        lists: [{ request: 'GET /users', query: {} }],
        field: 'id',
        noun: 'user',
        ignoreCase: true,
        lasting: true
      },
      request: 'POST /users/{user_id}/like',
      local: ['username'],
      record: 'status',
      already: { 304: 'It is so already.' }
    }),
    graphql({
      name: 'list_graph',
      class: 'read',
      title: 'Graph',
      summary: 'List by GraphQL.',
      input: Type.Object({ path: text(), ...CursorPage }),
      document: listDocument,
      shape: ({ things }) => things
    }),
    graphql({
      name: 'change_graph',
      class: 'write',
      title: 'Change graph',
      summary: 'Change by GraphQL.',
      input: Type.Object({ name: text() }),
      document: changeDocument,
      variables: args => ({ input: args }),
      payload: 'change',
      shape: ({ change }) => change
    }),
    graphql({
      name: 'get_by_schema',
      class: 'read',
      title: 'By schema',
      summary: 'Get by the schema that there is.',
      input: Type.Object({ path: text() }),
      document: (_, schema) => (schema.has('Thing.fresh') ? newDocument : oldDocument),
      shape: ({ thing }) => thing,
      explain: error => (/Timeout/.test(String(error)) ? new CallProblem('Ask for less.') : error)
    })
  ]
}

const outsideContract = true
const reply404 = { status: 404, body: { message: '404 Not Found' } }
const projectNotThere = [
  {
    request: 'GET /projects/acme%2Fnosuch/things?pagination=keyset',
    reply: { status: 404, body: { message: '404 Project Not Found' } },
    outsideContract
  },
  { request: 'GET /projects?search=nosuch&membership=true&simple=true&per_page=8', reply: { body: [] } },
  {
    request: 'GET /projects?search=acme&search_namespaces=true&membership=true&simple=true&per_page=100',
    reply: { body: [{ name: 'Rocket', path_with_namespace: 'acme/rocket' }] }
  }
]
const next = '<https://forge.example/api/v4/projects/1/things?id_after=42&per_page=2>; rel="next"'

runTable(sample, [
  {
    title: 'a request of a project or a group is of the one that is given',
    tool: 'list_things',
    args: { group_id: 'acme/tools' },
    exchanges: [
      { request: 'GET /groups/acme%2Ftools/things?pagination=keyset', reply: { body: [] }, outsideContract }
    ]
  },
  {
    title: 'both of a project and a group are refused',
    tool: 'list_things',
    args: { group_id: 'acme', project_id: '1' },
    error: "Only one of 'project_id' or 'group_id' can be provided, not both."
  },
  {
    title: 'neither of them is refused',
    tool: 'list_things',
    args: {},
    error: "At least one of 'project_id' or 'group_id' must be provided."
  },
  {
    title: 'the project of the server stands in where neither is given',
    tool: 'list_things',
    args: {},
    settings: { defaultProject: 'acme/rocket' },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/things?pagination=keyset',
        reply: { body: [] },
        outsideContract
      }
    ]
  },
  {
    title: 'the project of the server is told as that where it is not there',
    tool: 'list_things',
    args: {},
    settings: { defaultProject: 'acme/nosuch' },
    exchanges: projectNotThere,
    error:
      /"404 Project Not Found"\. The default project of this server, "acme\/nosuch", stood in, as none was named\. There is no such project/
  },
  {
    title: 'the project of the server is told, too, where something in it is not there',
    tool: 'list_things',
    args: {},
    settings: { defaultProject: 'acme/rocket' },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/things?pagination=keyset',
        reply: { status: 404, body: { message: '404 Thing Not Found' } },
        outsideContract
      }
    ],
    error:
      /"404 Thing Not Found"\. The default project of this server, "acme\/rocket", stood in, as none was named: give project_id if another is meant\.$/
  },
  {
    title: 'a project that its caller has named is not told as that of the server',
    tool: 'list_things',
    args: { project_id: 'acme/nosuch' },
    settings: { defaultProject: 'acme/nosuch' },
    exchanges: projectNotThere,
    error: /"404 Project Not Found"\. There is no such project/
  },
  {
    title: 'the project of the server does not stand in where a group is given',
    tool: 'list_things',
    args: { group_id: '7' },
    settings: { defaultProject: 'acme/rocket' },
    exchanges: [{ request: 'GET /groups/7/things?pagination=keyset', reply: { body: [] }, outsideContract }]
  },
  {
    title: 'the next keyset page is named by a token, whatever the forge calls it',
    tool: 'list_things',
    args: { project_id: '1', per_page: 2 },
    exchanges: [
      {
        request: 'GET /projects/1/things?pagination=keyset&per_page=2',
        reply: { body: [], headers: { link: next } },
        outsideContract
      }
    ],
    notices: [{ pagination: { next_page_token: 'id_after=42' } }]
  },
  {
    title: 'a token goes back under the name that the forge gave it',
    tool: 'list_things',
    args: { project_id: '1', page_token: 'id_after=42' },
    exchanges: [
      {
        request: 'GET /projects/1/things?pagination=keyset&id_after=42',
        reply: { body: [] },
        outsideContract
      }
    ]
  },
  {
    title: 'a token cannot name a parameter of its own',
    tool: 'list_things',
    args: { project_id: '1', page_token: 'sudo=root' },
    exchanges: [
      {
        request: 'GET /projects/1/things?pagination=keyset&page_token=sudo%3Droot',
        reply: { body: [] },
        outsideContract
      }
    ]
  },
  {
    title: 'what exists is changed, and free text in the path is one segment without a dot',
    tool: 'set_thing',
    args: { project_id: '1', key: 'a.b/c', value: 'x', scope: 'prod' },
    exchanges: [
      {
        request: 'PUT /projects/1/things/a%2Eb%2Fc',
        body: { value: 'x', filter: { scope: 'prod' } },
        reply: { body: { key: 'a.b/c' } },
        outsideContract
      }
    ],
    result: { key: 'a.b/c', result: 'updated' }
  },
  {
    title: 'what does not exist is made, of all that was given',
    tool: 'set_thing',
    args: { group_id: '7', key: 'A', value: 'x' },
    exchanges: [
      {
        request: 'PUT /groups/7/things/A',
        body: { value: 'x', filter: {} },
        reply: reply404,
        outsideContract
      },
      {
        request: 'POST /groups/7/things',
        body: { key: 'A', value: 'x' },
        reply: { status: 201, body: { key: 'A' } },
        outsideContract
      }
    ],
    result: { key: 'A', result: 'created' }
  },
  {
    title: 'what somebody else made in between is changed after all',
    tool: 'set_thing',
    args: { group_id: '7', key: 'A', value: 'x' },
    exchanges: [
      {
        request: 'PUT /groups/7/things/A',
        body: { value: 'x', filter: {} },
        reply: reply404,
        outsideContract
      },
      {
        request: 'POST /groups/7/things',
        body: { key: 'A', value: 'x' },
        reply: { status: 409, body: {} },
        outsideContract
      },
      {
        request: 'PUT /groups/7/things/A',
        body: { value: 'x', filter: {} },
        reply: { body: { key: 'A' } },
        outsideContract
      }
    ],
    result: { key: 'A', result: 'updated' }
  },
  {
    title: 'one of several requests is chosen by what an argument says',
    tool: 'list_things_of',
    args: { person: 'ada.l', old: true, kind: 'starred' },
    exchanges: [
      {
        request: 'GET /people/ada%2El/old_things?kind=starred',
        reply: { body: [{ emoji: 'star', more: 1 }] },
        outsideContract
      }
    ],
    result: [{ emoji: 'star' }]
  },
  {
    title: 'the project of the server does not stand in where another place is given',
    tool: 'list_things_of',
    args: { person: 'ada' },
    settings: { defaultProject: 'acme/rocket' },
    exchanges: [
      { request: 'GET /people/ada/things', reply: { body: [{ emoji: 'star', more: 1 }] }, outsideContract }
    ],
    result: [{ emoji: 'star', more: 1 }]
  },
  {
    title: 'an argument that means nothing alone is refused',
    tool: 'list_things_of',
    args: { kind: 'starred' },
    error: "'kind' can only be given with 'person'."
  },
  {
    title: 'arguments that do not go together are refused',
    tool: 'list_things_of',
    args: { person: 'ada', day: '2026-01-01', since: '2026-01-01' },
    error: "'day' and 'since' cannot be given with 'person'."
  },
  {
    title: 'a day is one of the calendar, and a time is one',
    tool: 'list_things_of',
    args: { day: '2026-02-30', since: 'yesterday' },
    error:
      /^Invalid arguments: day must be a date that there is, written YYYY-MM-DD; since must be a time that there is, in ISO 8601, such as 2026-11-21T09:00:00Z \(today is \d{4}-\d\d-\d\d, UTC\)\.$/
  },
  {
    title: 'a list that goes on by page or by token says which',
    tool: 'list_things_of',
    args: {},
    exchanges: [
      {
        request: 'GET /things',
        reply: {
          body: [],
          headers: { link: '<https://forge.example/api/v4/things?page=2>; rel="next"', 'x-next-page': '2' }
        },
        outsideContract
      }
    ],
    notices: [{ pagination: { next_page: 2 } }]
  },
  {
    title: 'free text in a path may not climb',
    tool: 'set_thing',
    args: { project_id: '1', key: '../x' },
    error: /^key has an empty, "\." or "\.\." segment/
  },
  {
    title: 'what is named right is deleted',
    tool: 'delete_thing',
    args: { project_id: '1', thing_id: 5, confirm: 'Old one' },
    exchanges: [
      { request: 'GET /projects/1/things/5', reply: { body: { title: 'Old one' } }, outsideContract },
      { request: 'DELETE /projects/1/things/5', reply: { status: 204 }, outsideContract }
    ],
    result: { status: 'success', message: 'The thing is deleted.' }
  },
  {
    title: 'what is named wrong is left alone, and its name is not given away',
    tool: 'delete_thing',
    args: { project_id: '1', thing_id: 5, confirm: 'old one' },
    exchanges: [
      { request: 'GET /projects/1/things/5', reply: { body: { title: 'Old one' } }, outsideContract }
    ],
    error:
      'confirm is not the title of this thing. Nothing was done: read the thing, and if it is the right one give its title exactly as it is.'
  },
  {
    title: 'what has no name is not deleted either',
    tool: 'delete_thing',
    args: { project_id: '1', thing_id: 5, confirm: 'undefined' },
    exchanges: [{ request: 'GET /projects/1/things/5', reply: { body: { id: 5 } }, outsideContract }],
    error: /Nothing was done/
  },
  {
    title: 'a person is found by username in any case, and what is so already is a success',
    tool: 'like_person',
    args: { username: 'Ada' },
    exchanges: [
      { request: 'GET /users?username=Ada', reply: { body: [{ id: 3, username: 'ada' }] }, outsideContract },
      { request: 'POST /users/3/like', body: {}, reply: { status: 304 }, outsideContract }
    ],
    result: { status: 'success', message: 'It is so already.' }
  },
  {
    title: 'a list by GraphQL gives what its shape takes of the data',
    tool: 'list_graph',
    args: { path: 'acme' },
    exchanges: [
      {
        request: 'POST /api/graphql',
        body: { query: listDocument, variables: { path: 'acme', first: 20 } },
        reply: { body: { data: { things: [1] } } },
        outsideContract
      }
    ],
    result: [1]
  },
  {
    title: 'a mutation that changed nothing says why',
    tool: 'change_graph',
    args: { name: 'x' },
    exchanges: [
      {
        request: 'POST /api/graphql',
        body: { query: changeDocument, variables: { input: { name: 'x' } } },
        reply: { body: { data: { change: { errors: ['Name is taken'] } } } },
        outsideContract
      }
    ],
    error: 'The forge refused the change: "Name is taken".'
  },
  {
    title: 'a reason that stands in no list is one, too',
    tool: 'change_graph',
    args: { name: 'x' },
    exchanges: [
      {
        request: 'POST /api/graphql',
        body: { query: changeDocument, variables: { input: { name: 'x' } } },
        reply: { body: { data: { change: { errors: 'Name is taken' } } } },
        outsideContract
      }
    ],
    error: 'The forge refused the change: "Name is taken".'
  },
  {
    title: 'reasons that are no texts are not told',
    tool: 'change_graph',
    args: { name: 'x' },
    exchanges: [
      {
        request: 'POST /api/graphql',
        body: { query: changeDocument, variables: { input: { name: 'x' } } },
        reply: { body: { data: { change: { errors: [{ message: 'no' }, ['no']] } } } },
        outsideContract
      }
    ],
    error: 'The forge refused the change.'
  },
  ...[
    {
      title: 'a document is chosen by what the forge has: the newer one first',
      replies: [{ data: { thing: 1 } }],
      result: 1
    },
    {
      title: 'a field that the forge turns out not to have is not asked for again',
      replies: [
        { errors: [{ message: "Field 'fresh' doesn't exist on type 'Thing'" }] },
        { data: { thing: 2 } }
      ],
      result: 2
    },
    {
      title: 'an error that another document cannot help is told',
      replies: [{ errors: [{ message: "Field 'other' doesn't exist on type 'Thing'" }] }],
      error: "The forge refused the request: \"Field 'other' doesn't exist on type 'Thing'\"."
    },
    {
      title: 'a row may say more of an error than the forge did',
      replies: [{ errors: [{ message: 'Timeout' }] }],
      error: 'Ask for less.'
    }
  ].map(({ replies, ...expected }) => ({
    tool: 'get_by_schema',
    args: { path: 'acme' },
    exchanges: replies.map((body, at) => ({
      request: 'POST /api/graphql',
      body: { query: at === 0 ? newDocument : oldDocument, variables: { path: 'acme' } },
      reply: { body },
      outsideContract
    })),
    ...expected
  }))
])
