import t from 'tap'
import { people } from '../../tools/people/index.ts'
import { story } from '../support/sandbox-tools.ts'
import { runTable } from '../support/tool-table.ts'

const ada = {
  id: 2,
  username: 'ada',
  name: 'Ada Lovelace',
  state: 'active',
  avatar_url: 'https://forge.example/a.png',
  web_url: 'https://forge.example/ada'
}
const { avatar_url: _, ...shownAda } = ada
const found = { request: 'GET /users?username=ada', reply: { body: [ada] } }
const token = {
  id: 9,
  name: 'agent',
  scopes: ['api'],
  active: true,
  expires_at: '2999-01-01',
  last_used_at: '2026-11-21T09:00:00Z',
  token: 'glpat-must-not-be-shown'
}
const metadata = { version: '19.5.0', revision: 'abc', enterprise: true, kas: { enabled: true } }
const status401 = { status: 401, body: { message: '401 Unauthorized' } }

runTable(people, [
  {
    title: 'says who calls, with what token, and what forge it is, and never the token',
    tool: 'get_current_user',
    args: {},
    exchanges: [
      {
        request: 'GET /user',
        reply: { body: { ...ada, email: 'ada@acme.example', namespace_id: 5, bot: false } }
      },
      { request: 'GET /personal_access_tokens/self', reply: { body: token } },
      { request: 'GET /metadata', reply: { body: metadata } }
    ],
    result: {
      user: {
        id: 2,
        username: 'ada',
        name: 'Ada Lovelace',
        state: 'active',
        email: 'ada@acme.example',
        bot: false,
        web_url: 'https://forge.example/ada',
        namespace_id: 5
      },
      token: {
        name: 'agent',
        scopes: ['api'],
        expires_at: '2999-01-01',
        last_used_at: '2026-11-21T09:00:00Z',
        active: true
      },
      forge: { version: '19.5.0', revision: 'abc', enterprise: true }
    },
    notices: []
  },
  {
    title: 'a part that fails says why and takes no other with it; an old forge is asked for its version',
    tool: 'get_current_user',
    args: {},
    exchanges: [
      { request: 'GET /user', reply: { body: ada } },
      {
        request: 'GET /personal_access_tokens/self',
        reply: { status: 400, body: { message: 'requires token type to be a personal access token' } }
      },
      { request: 'GET /metadata', reply: { status: 404, body: {} } },
      { request: 'GET /version', reply: { body: { version: '15.1.0', revision: 'def' } } }
    ],
    result: {
      user: shownAda,
      token: {
        reason: 'The forge answered 400 Bad Request: "requires token type to be a personal access token".'
      },
      forge: { version: '15.1.0', revision: 'def' }
    }
  },
  {
    title: 'a token that ends within two weeks is worth a word',
    tool: 'get_current_user',
    args: {},
    settings: { today: '2026-06-15' },
    exchanges: [
      { request: 'GET /user', reply: { body: ada } },
      {
        request: 'GET /personal_access_tokens/self',
        reply: { body: { ...token, expires_at: '2026-06-20' } }
      },
      { request: 'GET /metadata', reply: { body: metadata } }
    ],
    notices: ['This token expires on 2026-06-20, in 5 days: have it renewed.']
  },
  {
    title: 'the token is left out of the whole records too',
    tool: 'get_current_user',
    args: {},
    settings: { output: 'full' },
    exchanges: [
      { request: 'GET /user', reply: { body: { id: 2 } } },
      { request: 'GET /personal_access_tokens/self', reply: { body: { id: 9, token: 'glpat-secret' } } },
      { request: 'GET /metadata', reply: { body: metadata } }
    ],
    result: { user: { id: 2 }, token: { id: 9 }, forge: metadata }
  },
  {
    title: 'a job’s token is that of its job’s person',
    tool: 'get_current_user',
    args: {},
    exchanges: [
      { request: 'GET /user', reply: status401 },
      { request: 'GET /personal_access_tokens/self', reply: status401 },
      { request: 'GET /metadata', reply: { body: metadata } },
      { request: 'GET /job', reply: { body: { id: 7, name: 'test', status: 'running', user: ada } } }
    ],
    result: {
      user: shownAda,
      job: { id: 7, name: 'test', status: 'running' },
      token: {
        reason:
          'The forge answered 401 Unauthorized. The token was not accepted: it may be wrong, expired or revoked, or sent in the header of another kind. JOB-TOKEN is for tokens of CI jobs, which open few things, and Authorization: Bearer for OAuth. Send a valid one, or log in again; over stdio it is in FORGE_PERSONAL_ACCESS_TOKEN.'
      },
      forge: { version: '19.5.0', revision: 'abc', enterprise: true }
    }
  },
  {
    title: 'a token that opens nothing is told so by the first answer',
    tool: 'get_current_user',
    args: {},
    exchanges: [
      { request: 'GET /user', reply: status401 },
      { request: 'GET /personal_access_tokens/self', reply: status401 },
      { request: 'GET /metadata', reply: status401 },
      { request: 'GET /job', reply: { status: 404, body: {} } }
    ],
    error: /^The forge answered 401 Unauthorized\./
  },
  {
    title: 'finds people who are active and no bots',
    tool: 'find_users',
    args: { search: 'love', per_page: 5 },
    exchanges: [
      {
        request: 'GET /users?per_page=5&search=love&active=true&humans=true',
        reply: { body: [ada], headers: { 'x-next-page': '2', 'x-page': '1', 'x-total': '9' } }
      }
    ],
    result: [shownAda],
    notices: [{ pagination: { page: 1, next_page: 2, total: 9 } }]
  },
  {
    title: 'finds one by exact username, blocked ones too when asked',
    tool: 'find_users',
    args: { username: 'ada', active: false },
    exchanges: [{ request: 'GET /users?username=ada&active=false&humans=true', reply: { body: [ada] } }],
    result: [shownAda]
  },
  {
    title: 'searches a project by its own list, where an exact username is compared here',
    tool: 'find_users',
    args: { username: 'ADA', project_id: 'acme/rocket.js' },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket.js/users?search=ADA',
        reply: { body: [ada, { ...ada, id: 3, username: 'adalbert' }] }
      }
    ],
    result: [shownAda]
  },
  {
    title: 'searches a group with the roles in it',
    tool: 'find_users',
    args: { search: 'a', group_id: 'acme/tools' },
    exchanges: [
      {
        request: 'GET /groups/acme%2Ftools/members/all?query=a',
        reply: { body: [{ ...ada, access_level: 40, expires_at: null }] }
      }
    ],
    result: [{ ...shownAda, access_level: 40, role: 'maintainer' }]
  },
  {
    title: 'wants to know whom',
    tool: 'find_users',
    args: {},
    error: "At least one of 'search' or 'username' must be provided."
  },
  {
    title: 'searches one place at a time',
    tool: 'find_users',
    args: { search: 'a', project_id: '1', group_id: '2' },
    error: "Only one of 'project_id' or 'group_id' can be provided, not both."
  },
  {
    title: 'the lists of a project and a group do not tell who is active',
    tool: 'find_users',
    args: { search: 'ada', project_id: '1', active: false },
    error: "'active' cannot be given with 'project_id'."
  },
  {
    title: 'gets a profile by id',
    tool: 'get_user',
    args: { user_id: 2 },
    exchanges: [
      {
        request: 'GET /users/2',
        reply: { body: { ...ada, bio: 'x'.repeat(600), job_title: 'Engineer', linkedin: '', followers: 3 } }
      }
    ],
    result: { ...shownAda, job_title: 'Engineer', bio: `${'x'.repeat(500)}… [100 more]` }
  },
  {
    title: 'gets a profile by username, in any case',
    tool: 'get_user',
    args: { username: 'Ada' },
    exchanges: [
      { request: 'GET /users?username=Ada', reply: { body: [ada] } },
      { request: 'GET /users/2', reply: { body: ada } }
    ],
    result: shownAda
  },
  {
    title: 'takes digits alone for an id',
    tool: 'get_user',
    args: { username: '2' },
    exchanges: [{ request: 'GET /users/2', reply: { body: ada } }]
  },
  {
    title: 'says when there is nobody of that name',
    tool: 'get_user',
    args: { username: 'nobody' },
    exchanges: [
      { request: 'GET /users?username=nobody', reply: { body: [] } },
      { request: 'GET /users?search=nobody&per_page=3', reply: { body: [] } }
    ],
    error: 'No user has username "nobody". Nothing was done. find_users finds people by name.'
  },
  {
    title: 'takes a username where an id is meant',
    tool: 'get_user',
    args: { user_id: 'ada' },
    exchanges: [
      { request: 'GET /users?username=ada', reply: { body: [{ id: 2, username: 'ada' }] } },
      { request: 'GET /users/2', reply: { body: { id: 2, username: 'ada' } } }
    ],
    result: { id: 2, username: 'ada' }
  },
  {
    title: 'takes an id or a username, not both',
    tool: 'get_user',
    args: { user_id: 2, username: 'linus' },
    error: "Only one of 'user_id' or 'username' can be provided, not both."
  },
  {
    title: 'lists who follows a person',
    tool: 'list_user_followers',
    args: { username: 'ada' },
    exchanges: [found, { request: 'GET /users/2/followers', reply: { body: [ada] } }],
    result: [shownAda]
  },
  {
    title: 'lists whom a person follows',
    tool: 'list_user_followers',
    args: { user_id: '2', following: true, page: 2 },
    exchanges: [{ request: 'GET /users/2/following?page=2', reply: { body: [] } }],
    result: []
  },
  {
    title: 'follows a person',
    tool: 'follow_user',
    args: { username: 'ada' },
    exchanges: [found, { request: 'POST /users/2/follow', body: {}, reply: { status: 201, body: ada } }],
    result: shownAda
  },
  {
    title: 'no longer follows a person, and that it was so already is a success',
    tool: 'follow_user',
    args: { user_id: 2, follow: false },
    exchanges: [{ request: 'POST /users/2/unfollow', body: {}, reply: { status: 304 } }],
    result: { status: 'success', message: 'It is so already.' }
  },
  {
    title: 'sets one part of the status and keeps the rest, which the forge would clear',
    tool: 'set_user_status',
    args: { message: 'Reviewing', clear_after: '3_hours' },
    exchanges: [
      {
        request: 'GET /user/status',
        reply: { body: { emoji: 'coffee', message: 'Lunch', availability: 'busy', clear_status_at: null } }
      },
      {
        request: 'PUT /user/status',
        body: { message: 'Reviewing', emoji: 'coffee', availability: 'busy', clear_status_after: '3_hours' },
        reply: {
          body: { emoji: 'coffee', message: 'Reviewing', availability: 'busy', message_html: 'Reviewing' }
        }
      }
    ],
    result: { emoji: 'coffee', message: 'Reviewing', availability: 'busy' }
  },
  {
    title: 'keeps nothing where there was nothing, and an emoji has no colons',
    tool: 'set_user_status',
    args: { emoji: ':palm_tree:' },
    exchanges: [
      {
        request: 'GET /user/status',
        reply: { body: { emoji: null, message: null, availability: 'not_set' } }
      },
      {
        request: 'PUT /user/status',
        body: { emoji: 'palm_tree', availability: 'not_set' },
        reply: { body: {} }
      }
    ]
  },
  {
    title: 'takes a status that is a message alone for one',
    tool: 'set_user_status',
    args: { message: 'In a meeting' },
    exchanges: [
      { request: 'GET /user/status', reply: { body: { message: 'Lunch' } } },
      {
        request: 'PUT /user/status',
        body: { message: 'In a meeting' },
        reply: { body: { message: 'In a meeting' } }
      }
    ],
    result: { message: 'In a meeting' }
  },
  {
    title: 'reads no status of which nothing is kept',
    tool: 'set_user_status',
    args: { message: '', emoji: 'coffee', availability: 'busy' },
    exchanges: [
      {
        request: 'PUT /user/status',
        body: { message: '', emoji: 'coffee', availability: 'busy' },
        reply: { body: { emoji: 'coffee', message: null, availability: 'busy' } }
      }
    ],
    result: { emoji: 'coffee', availability: 'busy' }
  },
  ...[
    { status: 404, body: { message: '404 Not Found' } },
    { status: 200, body: [] },
    { status: 500, body: { message: 'x' } }
  ].map(reply => ({
    title: `changes nothing where what would be cleared cannot be read: ${JSON.stringify(reply)}`,
    tool: 'set_user_status',
    args: { message: 'In a meeting' },
    exchanges: [{ request: 'GET /user/status', reply }],
    error:
      /^The forge answered .*nothing was changed\. Give message, emoji and availability together, each as it is to be: then the status is not read\.( The trouble is on its side: try again later\.)?$/
  })),
  {
    title: 'clears the status by sending nothing',
    tool: 'set_user_status',
    args: { clear: true },
    exchanges: [{ request: 'PUT /user/status', body: {}, reply: { body: { emoji: null, message: null } } }],
    result: {}
  },
  {
    title: 'clears the status where the forge has no record of none',
    tool: 'set_user_status',
    args: { clear: true },
    exchanges: [{ request: 'PUT /user/status', body: {}, reply: { body: 'null' } }],
    result: { status: 'success', message: 'The forge accepted the request, and sent no record of it.' }
  },
  {
    title: 'clears or sets, not both',
    tool: 'set_user_status',
    args: { clear: true, message: 'x' },
    error: "Give what the status is to be, or 'clear': true alone to remove it."
  },
  {
    title: 'clears or sets, one of them',
    tool: 'set_user_status',
    args: {},
    error: "Give what the status is to be, or 'clear': true alone to remove it."
  },
  {
    title: 'refuses a message that the forge has no room for',
    tool: 'set_user_status',
    args: { message: 'x'.repeat(101) },
    error: 'Invalid arguments: message must not have more than 100 characters.'
  }
])

story('people find each other, follow, and say what they are at', [people], async (t, as) => {
  const ada = as('ada')
  const you = (await ada('get_current_user')).value
  t.match(you, { user: { username: 'ada' }, token: { scopes: ['api'] }, forge: { version: '19.5.0' } })
  t.same((await ada('find_users', { search: 'bot' })).value, [], 'bots are no people')
  t.match((await ada('find_users', { search: 'GRACE' })).value, [{ username: 'grace' }])
  t.match((await ada('find_users', { username: 'linus', group_id: 'acme' })).value, [{ role: 'developer' }])
  t.match((await ada('find_users', { search: 'grace', project_id: 'acme/rocket' })).value, [
    { username: 'grace' }
  ])
  t.match((await ada('find_users', { search: 'x', group_id: 'acme/rocket' })).error, /404/)

  t.equal((await ada('follow_user', { username: 'grace' })).value.username, 'grace')
  t.match((await ada('follow_user', { username: 'grace' })).value, { message: 'It is so already.' })
  t.match((await ada('list_user_followers', { username: 'grace' })).value, [{ username: 'ada' }])
  t.match(
    (await ada('list_user_followers', { username: 'ada', following: true })).value.map(
      ({ username }: { username: string }) => username
    ),
    ['margaret', 'grace']
  )
  await ada('follow_user', { username: 'grace', follow: false })
  t.same((await ada('list_user_followers', { username: 'grace' })).value, [])
  t.match((await ada('follow_user', { username: 'ada' })).error, /cannot follow yourself/)

  await ada('set_user_status', { message: 'Lunch', emoji: 'coffee' })
  t.match((await ada('set_user_status', { availability: 'busy' })).value, {
    message: 'Lunch',
    emoji: 'coffee',
    availability: 'busy'
  })
  t.same((await ada('set_user_status', { clear: true })).value, { availability: 'not_set' })
  t.match((await as('reader')('set_user_status', { clear: true })).error, /403/)
})

t.test('the people tools that name no project are not offered where projects are limited', async t => {
  const { Catalog } = await import('../../src/catalog/catalog.ts')
  const catalog = new Catalog({ allowedProjects: ['acme/rocket'] })
  catalog.add(people)
  t.same(
    catalog.visible(catalog.policy.viewOf(['people'])).map(({ name }) => name),
    ['find_users']
  )
})
