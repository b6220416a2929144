import { releases } from '../../tools/releases/index.ts'
import { repository } from '../../tools/repository/index.ts'
import { confirmed } from '../support/confirmed.ts'
import { story } from '../support/sandbox-tools.ts'
import { type Case, runTable } from '../support/tool-table.ts'

const link = {
  id: 3,
  name: 'Binary',
  url: 'https://x.example/a',
  direct_asset_url: 'https://forge.example/a',
  link_type: 'package'
}
const release = {
  tag_name: 'v1.0',
  name: 'One',
  description: 'x'.repeat(1001),
  description_html: '<p>x</p>',
  created_at: '2026-01-01T00:00:00Z',
  released_at: '2026-01-02T00:00:00Z',
  upcoming_release: false,
  author: { id: 2, username: 'ada', name: 'Ada', state: 'active', avatar_url: '/a.png' },
  commit: { id: 'abc', message: 'm', title: 't' },
  milestones: [{ id: 1, iid: 1, title: '1.0', state: 'closed' }],
  commit_path: '/c',
  evidences: [{ sha: 'e' }],
  assets: { count: 3, sources: [{ format: 'zip', url: 'https://forge.example/z' }], links: [link] },
  _links: { self: 'x' }
}
const about = {
  tag_name: 'v1.0',
  name: 'One',
  released_at: '2026-01-02T00:00:00Z',
  upcoming_release: false,
  author: { username: 'ada' },
  commit: { id: 'abc' },
  milestones: [{ title: '1.0' }]
}
const whole = {
  ...about,
  description: 'x'.repeat(1001),
  created_at: '2026-01-01T00:00:00Z',
  assets: { count: 3, sources: [{ format: 'zip', url: 'https://forge.example/z' }], links: [link] }
}
const written = {
  tag_name: 'v1.0',
  name: 'One',
  released_at: '2026-01-02T00:00:00Z',
  commit: { id: 'abc' },
  milestones: [{ title: '1.0' }],
  assets: { count: 3, links: [link] }
}
const { direct_asset_url: _, ...shortLink } = link

/** Of 9 MB: in a URL it would have three times as many characters. */
const endless = '!'.repeat(9_000_000)

const outSoFar = (...body: object[]) => ({
  request: 'GET /projects/1/releases?order_by=released_at&per_page=100&page=1',
  reply: { body }
})

/** The line of what becomes a release, its newest commit first. */
const line = (to: string, ...ids: string[]) => ({
  request: `GET /projects/1/repository/commits?ref_name=${to}&first_parent=true&per_page=100&page=1`,
  reply: { body: ids.map(id => ({ id })) }
})

/** What tells whether the tag was made of the branch. */
const made = (branch: string, id: string) => ({
  request: `GET /projects/1/repository/commits/${branch}`,
  reply: { body: { id } }
})

/** What the commit of a release shares with what becomes one. */
const mergeBase = (commit: string, to: string, reply: object) => ({
  request: `GET /projects/1/repository/merge_base?refs%5B%5D=${commit}&refs%5B%5D=${to}`,
  reply
})

runTable(releases, [
  {
    title: 'lists releases with their texts cut',
    tool: 'list_releases',
    args: { project_id: 'acme/rocket', order_by: 'created_at', updated_after: '2026-01-01T00:00:00Z' },
    exchanges: [
      {
        request:
          'GET /projects/acme%2Frocket/releases?order_by=created_at&updated_after=2026-01-01T00%3A00%3A00Z',
        reply: { body: [release] }
      }
    ],
    result: [
      { ...about, description: `${'x'.repeat(1000)}… [1 more]`, assets: { count: 3, links: [shortLink] } }
    ]
  },
  {
    title: 'a time that is none is refused',
    tool: 'list_releases',
    args: { project_id: '1', updated_before: 'now' },
    error:
      /^Invalid arguments: updated_before must be a time that there is, in ISO 8601, such as 2026-11-21T09:00:00Z \(today is \d{4}-\d\d-\d\d, UTC\)\.$/
  },
  {
    title: 'gets a release by its tag, one segment without dots or slashes',
    tool: 'get_release',
    args: { project_id: '1', tag_name: 'app/v1.0' },
    exchanges: [{ request: 'GET /projects/1/releases/app%2Fv1%2E0', reply: { body: release } }],
    result: whole
  },
  {
    title: 'gets the latest that is out',
    tool: 'get_release',
    args: { project_id: '1' },
    exchanges: [
      {
        request: 'GET /projects/1/releases?order_by=released_at&per_page=20',
        reply: {
          body: [{ tag_name: 'v2', upcoming_release: true }, release],
          headers: { 'x-next-page': '2' }
        }
      }
    ],
    result: whole,
    notices: []
  },
  {
    title: 'says that there is none',
    tool: 'get_release',
    args: { project_id: '1' },
    exchanges: [
      { request: 'GET /projects/1/releases?order_by=released_at&per_page=20', reply: { body: [] } }
    ],
    error: 'This project has no release yet.'
  },
  {
    title: 'says that none is out, where some are planned',
    tool: 'get_release',
    args: { project_id: '1' },
    exchanges: [
      {
        request: 'GET /projects/1/releases?order_by=released_at&per_page=20',
        reply: { body: [{ tag_name: 'v2.0', upcoming_release: true }] }
      }
    ],
    error: 'No release of this project is out yet: list_releases has those planned.'
  },
  {
    title: 'says of a milestone that there is not that nothing was made',
    tool: 'create_release',
    args: { project_id: '1', tag_name: 'v1.0', milestones: ['9.9'] },
    exchanges: [
      {
        request: 'POST /projects/1/releases',
        body: { tag_name: 'v1.0', milestones: ['9.9'] },
        reply: { status: 400, body: { message: 'Milestone(s) not found: 9.9' } }
      }
    ],
    error: /Nothing was made: list_milestones has the titles\.$/
  },
  {
    title: 'creates a release with links and the tag it is of',
    tool: 'create_release',
    args: {
      project_id: '1',
      tag_name: 'v1.0',
      name: '',
      ref: 'main',
      tag_message: 'One',
      milestones: ['1.0', 'a, b'],
      links: [
        { name: 'Binary', url: 'https://x.example/a', direct_asset_path: '/bin/a', link_type: 'package' }
      ]
    },
    exchanges: [
      {
        request: 'POST /projects/1/releases',
        body: {
          tag_name: 'v1.0',
          ref: 'main',
          tag_message: 'One',
          milestones: ['1.0', 'a, b'],
          assets: {
            links: [
              {
                name: 'Binary',
                url: 'https://x.example/a',
                direct_asset_path: '/bin/a',
                link_type: 'package'
              }
            ]
          }
        },
        reply: { status: 201, body: release }
      },
      { request: 'GET /projects/1/repository/tags/v1%2E0', reply: { body: { message: 'One' } } }
    ],
    result: written,
    notices: []
  },
  {
    title: 'looks for no commits since a release whose tag the forge does not tell',
    tool: 'create_release',
    args: { project_id: '1', tag_name: 'v1.1', ref: 'main', generate_notes: true },
    exchanges: [outSoFar({ name: 'x' })],
    error: "The forge's answer lacks tag_name."
  },
  {
    title:
      'writes notes of the merge requests whose commits came since the last release, the first one first',
    tool: 'create_release',
    args: { project_id: '1', tag_name: 'v1.1', ref: 'main', description: 'Faster.', generate_notes: true },
    exchanges: [
      outSoFar({ tag_name: 'v2', upcoming_release: true }, release),
      line('main', 'c', 'b', 'abc', 'older'),
      {
        request: 'GET /projects/1/repository/commits?ref_name=v1.0..main&per_page=100&page=1',
        reply: {
          body: [
            { id: 'c', committed_date: '2026-03-01T00:00:00Z' },
            { id: 'b', committed_date: '2026-02-01T00:00:00Z' }
          ]
        }
      },
      {
        request:
          'GET /projects/1/merge_requests?state=merged&scope=all&updated_after=2026-02-01T00%3A00%3A00.000Z&per_page=100&page=1',
        reply: {
          body: [
            {
              iid: 4,
              title: 'Squashed',
              squash_commit_sha: 'c',
              merged_at: '2026-03-02T00:00:00Z',
              author: { username: 'ada' }
            },
            {
              iid: 9,
              title: 'On another branch',
              merge_commit_sha: 'x',
              merged_at: '2026-03-01T00:00:00Z',
              author: { username: 'ada' }
            },
            { iid: 3, title: 'Pushed', sha: 'b', merged_at: '2026-03-01T00:00:00Z', author: null }
          ]
        }
      },
      {
        request: 'POST /projects/1/releases',
        body: {
          tag_name: 'v1.1',
          ref: 'main',
          description: 'Faster.\n\n- Pushed (!3)\n- Squashed (!4, @ada)'
        },
        reply: { status: 201, body: { ...release, description: 'as sent' } }
      },
      made('main', 'abc')
    ],
    result: { ...written, notes_since: 'v1.0', generated_notes: 'as sent' }
  },
  {
    title:
      'where no release is on the line, notes begin at the one whose line left last, and never at one that has the new one',
    tool: 'create_release',
    args: { project_id: '1', tag_name: 'v2.1', ref: 'main', generate_notes: true },
    exchanges: [
      outSoFar(
        ...['v2.1', 'v3.0', 'v1.1', 'other', 'v2.0', 'v1.0'].map(tag_name => ({
          tag_name,
          commit: { id: `at-${tag_name}` }
        })),
        { tag_name: 'gone', commit: null }
      ),
      line('main', 'newest', 'b', 'a'),
      mergeBase('at-v3.0', 'main', { body: { id: 'newest', committed_date: '2026-03-01T00:00:00Z' } }),
      mergeBase('at-v1.1', 'main', { body: { id: 'a', committed_date: '2026-01-01T00:00:00Z' } }),
      mergeBase('at-other', 'main', { status: 404, body: { message: '404 Merge Base Not Found' } }),
      mergeBase('at-v2.0', 'main', { body: { id: 'b', committed_date: '2026-02-01T00:00:00Z' } }),
      mergeBase('at-v1.0', 'main', { body: { id: 'a', committed_date: '2026-01-01T00:00:00Z' } }),
      {
        request: 'GET /projects/1/repository/commits?ref_name=v2.0..main&per_page=100&page=1',
        reply: { body: [] }
      },
      {
        request: 'POST /projects/1/releases',
        body: { tag_name: 'v2.1', ref: 'main', description: 'No merge requests were merged.' },
        reply: { status: 201, body: release }
      },
      made('main', 'abc')
    ]
  },
  {
    title: 'names the tag of an earlier release where that is gone and there is no other',
    tool: 'create_release',
    args: { project_id: '1', tag_name: 'v1.1', ref: 'main', generate_notes: true },
    exchanges: [outSoFar({ tag_name: 'v1.0', commit: null }), line('main', 'b', 'a')],
    error:
      'An earlier release is of the tag "v1.0", which is not there any more: write the description yourself. Nothing was done.'
  },
  {
    title: 'says of a new tag that is not there, without a ref to make it at, to give that',
    tool: 'create_release',
    args: { project_id: '1', tag_name: 'v1.1', generate_notes: true },
    exchanges: [
      outSoFar(release),
      line('v1.1'),
      mergeBase('abc', 'v1.1', { status: 400, body: { message: 'Could not find ref: v1.1' } })
    ],
    error: /give ref/
  },
  {
    title: 'the notes of a first release are of all that was merged before',
    tool: 'create_release',
    args: { project_id: '1', tag_name: 'v1.0', generate_notes: true },
    exchanges: [
      outSoFar(),
      {
        request: 'GET /projects/1/repository/commits?ref_name=v1.0&per_page=100&page=1',
        reply: { body: [] }
      },
      {
        request: 'POST /projects/1/releases',
        body: { tag_name: 'v1.0', description: 'No merge requests were merged.' },
        reply: { status: 201, body: release }
      }
    ]
  },
  {
    title: 'says what to do where there is a release',
    tool: 'create_release',
    args: { project_id: '1', tag_name: 'v1.0', milestone_ids: ['5'] },
    exchanges: [
      {
        request: 'POST /projects/1/releases',
        body: { tag_name: 'v1.0', milestone_ids: [5] },
        reply: { status: 409, body: { message: 'Release already exists' } }
      }
    ],
    error:
      'The forge answered 409 Conflict: "Release already exists". There is a release of this tag: change it with update_release.'
  },
  {
    title: 'links have names of their own',
    tool: 'create_release',
    args: {
      project_id: '1',
      tag_name: 'v1',
      links: [
        { name: 'a', url: 'https://x.example/1' },
        { name: 'a', url: 'https://x.example/2' }
      ]
    },
    error: 'Two links have the name "a": each has its own.'
  },
  ...(
    [
      [{ url: 'x.example/1' }, 'url must be a whole address without blanks that begins with https://'],
      [{ url: 'https://x.example/a b' }, 'url must be a whole address without blanks'],
      [
        { direct_asset_path: '/a b' },
        'direct_asset_path must begin with a slash, such as /bin/app, have three'
      ],
      [{ direct_asset_path: '/bin//app' }, 'direct_asset_path must begin with a slash'],
      [{ direct_asset_path: '/bin/app/' }, 'direct_asset_path must begin with a slash']
    ] as const
  ).map(
    ([wrong, says]): Case => ({
      title: `a link that the forge would refuse after it made the tag is refused before: ${Object.values(wrong)}`,
      tool: 'create_release',
      args: {
        project_id: '1',
        tag_name: 'v1',
        ref: 'main',
        links: [{ name: 'a', url: 'https://x.example/1', ...wrong }]
      },
      error: new RegExp(`^Invalid arguments: links\\.0\\.${says}`)
    })
  ),
  {
    title: 'links have paths of their own',
    tool: 'create_release',
    args: {
      project_id: '1',
      tag_name: 'v1',
      links: [
        { name: 'a', url: 'https://x.example/1', direct_asset_path: '/bin/a' },
        { name: 'b', url: 'https://x.example/2', direct_asset_path: '/bin/a' },
        { name: 'c', url: 'https://x.example/3' },
        { name: 'd', url: 'https://x.example/4' }
      ]
    },
    error: 'Two links have the direct_asset_path "/bin/a": each has its own.'
  },
  {
    title: 'the tag of a refused release is told of, as another call would release it',
    tool: 'create_release',
    args: { project_id: '1', tag_name: 'v1', ref: 'main', name: 'One' },
    exchanges: [
      {
        request: 'POST /projects/1/releases',
        body: { tag_name: 'v1', ref: 'main', name: 'One' },
        reply: { status: 400, body: { message: { name: ['is too long'] } } }
      },
      {
        request: 'GET /projects/1/repository/tags/v1',
        reply: { body: { name: 'v1', commit: { id: 'c0ffee00' } } }
      }
    ],
    error:
      'The forge answered 400 Bad Request: "name: is too long". The tag "v1" is there now, of commit "c0ffee00": another call releases that, whatever its ref; delete_tag takes it away.'
  },
  {
    title: 'a milestone of milestone_ids is a number, and nobody of that name is asked for',
    tool: 'update_release',
    args: { project_id: '1', tag_name: 'v1', milestone_ids: ['M1'] },
    error:
      'Invalid arguments: milestone_ids.0 must be the number of one: milestones takes titles, not the string "M1".'
  },
  {
    title: 'milestones are named in one way',
    tool: 'create_release',
    args: { project_id: '1', tag_name: 'v1', milestones: ['a'], milestone_ids: [1] },
    error: "Only one of 'milestones' or 'milestone_ids' can be provided, not both."
  },
  {
    title: 'takes all milestones off a release',
    tool: 'update_release',
    args: { project_id: '1', tag_name: 'v1.0', milestones: [] },
    exchanges: [
      { request: 'PUT /projects/1/releases/v1%2E0', body: { milestones: [] }, reply: { body: release } }
    ],
    result: written
  },
  {
    title: 'wants something to change',
    tool: 'update_release',
    args: { project_id: '1', tag_name: 'v1.0' },
    error: /^Nothing to update: give at least one field to change\./
  },
  {
    title: 'deletes a release, though the forge answers with it',
    tool: 'delete_release',
    args: { project_id: '1', tag_name: 'v1.0' },
    exchanges: [{ request: 'DELETE /projects/1/releases/v1%2E0', reply: { body: release } }],
    result: { status: 'success', message: 'The release is deleted; its tag stays.' }
  },
  {
    title: 'adds a link',
    tool: 'create_release_link',
    args: { project_id: '1', tag_name: 'v1.0', name: 'Binary', url: 'https://x.example/a' },
    exchanges: [
      {
        request: 'POST /projects/1/releases/v1%2E0/assets/links',
        body: { name: 'Binary', url: 'https://x.example/a' },
        reply: { status: 201, body: link }
      }
    ],
    result: link
  },
  ...confirmed({
    tool: 'delete_release_link',
    args: { project_id: '1', tag_name: 'v1.0', link_id: 3 },
    path: '/projects/1/releases/v1%2E0/assets/links/3',
    record: link,
    noun: 'link',
    field: 'name',
    done: 'The link is deleted.'
  }),
  {
    title: 'writes no notes where the commit of an earlier release has a longer id than any has',
    tool: 'create_release',
    args: { project_id: '1', tag_name: 'v9', ref: 'main', generate_notes: true },
    exchanges: [outSoFar({ tag_name: 'v1', commit: { id: endless } })],
    error: "The forge's answer has more than 4096 characters for id."
  }
])

story('a release is made of a branch, given links, changed and taken back', [releases], async (t, as) => {
  const [ada, grace] = [as('ada'), as('grace')]
  const rocket = { project_id: 'acme/rocket' }
  const one = { ...rocket, tag_name: 'app/v9.0' }
  t.match((await ada('get_release', rocket)).error, /This project has no release yet/)
  t.match((await ada('create_release', one)).error, /422.*give ref to make it/)
  const made = await ada('create_release', {
    ...one,
    ref: 'main',
    description: 'Flies.',
    milestones: ['1.5'],
    links: [{ name: 'Binary', url: 'https://x.example/a', direct_asset_path: '/bin/a' }]
  })
  t.match(made.value, {
    name: 'app/v9.0',
    milestones: [{ title: '1.5' }],
    assets: { links: [{ name: 'Binary' }] }
  })
  t.match((await ada('create_release', one)).error, /409.*update_release/)
  await ada('create_release', {
    ...rocket,
    tag_name: 'v10',
    ref: 'main',
    released_at: '2999-01-01T00:00:00Z'
  })
  t.match((await ada('get_release', rocket)).value, { tag_name: 'app/v9.0' }, 'what is planned is not out')
  t.equal((await ada('list_releases', rocket)).value.length, 2)
  t.match((await grace('create_release', { ...rocket, tag_name: 'v11', ref: 'main' })).error, /403/)
  t.match((await ada('update_release', { ...one, name: 'Nine', milestones: [] })).value, {
    name: 'Nine',
    milestones: []
  })
  const added = await ada('create_release_link', {
    ...one,
    name: 'Notes',
    url: 'https://x.example/n',
    link_type: 'runbook'
  })
  t.match(added.value, { link_type: 'runbook' })
  t.match(
    (await ada('create_release_link', { ...one, name: 'Notes', url: 'https://x.example/2' })).error,
    /once/
  )
  const placed = (direct_asset_path: string) =>
    ada('create_release_link', { ...one, name: 'App', url: 'https://x.example/app', direct_asset_path })
  t.equal(
    (await placed('bin/app')).error,
    'Invalid arguments: direct_asset_path must begin with a slash, such as /bin/app, have three or more letters, digits, -, _, . and single slashes after it, and end with a letter or digit.'
  )
  t.match(
    (await placed('/bin//app')).error,
    /^Invalid arguments: direct_asset_path must begin with a slash, .* and single slashes/
  )
  t.match((await placed('/bin/a')).error, /"filepath: has already been taken".*once/)
  t.match((await placed('/bin/app')).value.direct_asset_url, /\/app\/v9\.0\/downloads\/bin\/app$/)
  t.match((await placed('/ab')).error, /three or more/)
  t.match(
    (
      await ada('create_release_link', {
        ...one,
        name: 'Short',
        url: 'https://x.example/s',
        direct_asset_path: '/v/1.0/app'
      })
    ).value.direct_asset_url,
    /\/downloads\/v\/1\.0\/app$/
  )
  const gone = { ...one, link_id: added.value.id, confirm: 'Notes' }
  t.match((await ada('delete_release_link', gone)).value, { status: 'success' })
  t.match((await ada('delete_release', one)).value, { message: /its tag stays/ })
  t.match((await ada('get_release', one)).error, /no release of that tag/)
  t.match((await ada('delete_release', one)).error, /"\. It may be deleted already; nothing was done\.$/)
})

story(
  'a release of a tag that was there says what was passed over',
  [releases, repository],
  async (t, as) => {
    const ada = as('ada')
    const one = { project_id: 'acme/rocket', tag_name: 'v1.4.0' }
    const { id } = (await ada('get_tag', one)).value.commit
    const { value: head } = await ada('get_commit', { project_id: 'acme/rocket', sha: 'main' })
    const said = async (args: object) => {
      const { error, notices } = await ada('create_release', { ...one, ...args })
      t.equal(error, undefined)
      await ada('delete_release', one)
      return notices
    }
    const passed = (what: string) => [`The tag was there already: ${what} passed over.`]
    t.same(await said({ ref: 'main' }), passed('ref was'))
    t.same(await said({ ref: head.id }), passed('ref was'))
    t.same(await said({ ref: 'main', tag_message: 'Other' }), passed('ref and tag_message were'))
    t.same(await said({ tag_message: 'Other' }), passed('tag_message was'))
    t.same(await said({ ref: id }), [], 'it is of the commit that was wanted')
    t.same(await said({}), [])
  }
)

story('a tag that is deleted takes its release with it', [releases, repository], async (t, as) => {
  const ada = as('ada')
  const one = { project_id: 'acme/rocket', tag_name: 'v9' }
  await ada('create_release', { ...one, ref: 'main', description: 'New' })
  t.same((await ada('get_tag', one)).value.release, { tag_name: 'v9', description: 'New' })
  t.match((await ada('delete_tag', one)).value, { status: 'success' })
  t.same((await ada('list_releases', { project_id: 'acme/rocket' })).value, [])
})

story(
  'notes of a release leave out what an earlier one had, also once one of an older line came out',
  [releases, repository],
  async (t, as) => {
    const ada = as('ada')
    const rocket = { project_id: 'acme/rocket' }
    await ada('create_release', { ...rocket, tag_name: 'v1.5.0', ref: 'main' })
    await ada('create_branch', { ...rocket, branch: 'release/1.4', ref: 'v1.4.0' })
    await ada('commit_files', {
      ...rocket,
      branch: 'release/1.4',
      commit_message: 'Mend a leak',
      actions: [{ action: 'create', file_path: 'leak.md', content: 'mended' }]
    })
    await ada('create_release', { ...rocket, tag_name: 'v1.4.1', ref: 'release/1.4' })
    const made = { ...rocket, tag_name: 'v1.6.0', ref: 'main', generate_notes: true }
    t.match((await ada('create_release', made)).value, {
      notes_since: 'v1.5.0',
      generated_notes: 'No merge requests were merged.'
    })
    for (let at = 0; at < 21; at++)
      await ada('create_release', { ...rocket, tag_name: `v1.6.0-rc${at}`, ref: 'main' })
    const patch = { ...rocket, tag_name: 'v1.4.2', ref: 'release/1.4', generate_notes: true }
    t.match((await ada('create_release', patch)).value, { notes_since: 'v1.4.1' })
    const commits = (await ada('list_commits', { ...rocket, ref: 'main' })).value
    const older = { ...rocket, tag_name: 'v0.1.0', ref: commits.at(-1).id, generate_notes: true }
    t.notOk((await ada('create_release', older)).value.notes_since, 'of a release that has this one')
  }
)
