import { changeMutations, listQuery, oneQuery } from '../../tools/security/documents.ts'
import { security } from '../../tools/security/index.ts'
import { story } from '../support/sandbox-tools.ts'
import { type Exchange, runTable } from '../support/tool-table.ts'

const graphql = (query: string, variables: object, answer: unknown): Exchange => ({
  request: 'POST /api/graphql',
  body: { query, variables },
  reply: { body: answer }
})
const found = {
  id: 'gid://gitlab/Vulnerability/7',
  title: 'Launch code in a URL',
  state: 'DETECTED',
  severity: 'HIGH',
  reportType: 'SAST',
  location: { file: 'src/engine.ts', startLine: '3', endLine: '5' },
  identifiers: [{ name: 'CWE-598' }],
  detectedAt: '2026-11-01T00:00:00Z',
  webUrl: 'https://forge.example/acme/rocket/-/security/vulnerabilities/7'
}
const shown = {
  id: 7,
  title: 'Launch code in a URL',
  state: 'DETECTED',
  severity: 'HIGH',
  report_type: 'SAST',
  location: 'src/engine.ts:3-5',
  identifiers: ['CWE-598'],
  detected_at: '2026-11-01T00:00:00Z',
  web_url: 'https://forge.example/acme/rocket/-/security/vulnerabilities/7'
}
const dependency = { package: { name: 'zlib' }, version: '1.2' }
const listed = (answer: unknown) => graphql(listQuery, { fullPath: 'acme/rocket', first: 20 }, answer)
const project_id = 'acme/rocket'
const ultimate =
  'The forge shows no vulnerabilities to this token: they take the Ultimate edition, and in it the Developer role.'
const one = (answer: unknown) => graphql(oneQuery, { id: found.id }, answer)

runTable(security, [
  {
    title: 'gives what was found, where it is in one line, and where the list goes on',
    tool: 'list_vulnerabilities',
    args: {
      project_id: 41,
      state: ['detected', 'confirmed'],
      severity: ['high'],
      report_type: ['sast'],
      first: 2,
      after: 'abc'
    },
    exchanges: [
      { request: 'GET /projects/41', reply: { body: { id: 41, path_with_namespace: 'acme/rocket' } } },
      graphql(
        listQuery,
        {
          fullPath: 'acme/rocket',
          state: ['DETECTED', 'CONFIRMED'],
          severity: ['HIGH'],
          reportType: ['SAST'],
          first: 2,
          after: 'abc'
        },
        {
          data: {
            project: {
              vulnerabilities: { nodes: [found], pageInfo: { hasNextPage: true, endCursor: 'def' } }
            }
          }
        }
      )
    ],
    result: { vulnerabilities: [shown], pageInfo: { hasNextPage: true, endCursor: 'def' } }
  },
  {
    title: 'says in one line where each kind of scanner found it',
    tool: 'list_vulnerabilities',
    // An empty list filters nothing.
    args: { project_id, state: [], severity: [], report_type: [] },
    exchanges: [
      listed({
        data: {
          project: {
            vulnerabilities: {
              nodes: [
                { file: 'a.ts', startLine: '3', endLine: '3' },
                { file: 'package-lock.json', dependency },
                { image: 'acme/rocket', operatingSystem: 'alpine', dependency },
                { hostname: 'https://acme.example', path: '/login' },
                null,
                { file: 'main', startLine: { number: 3 }, endLine: 3, dependency: { version: ['1'] } }
              ].map((location, at) => ({ id: `gid://gitlab/Vulnerability/${at}`, location })),
              pageInfo: { hasNextPage: false }
            }
          }
        }
      })
    ],
    result: {
      vulnerabilities: [
        { id: 0, location: 'a.ts:3' },
        { id: 1, location: 'package-lock.json: zlib 1.2' },
        { id: 2, location: 'acme/rocket (alpine): zlib 1.2' },
        { id: 3, location: 'https://acme.example/login' },
        { id: 4 },
        { id: 5, location: 'main' }
      ],
      pageInfo: { hasNextPage: false }
    }
  },
  {
    title: 'says what it takes where the forge shows none',
    tool: 'list_vulnerabilities',
    args: { project_id },
    exchanges: [listed({ data: { project: { vulnerabilities: null } } })],
    error: ultimate
  },
  ...[true, false].map(enterprise => ({
    title: `says what it takes where ${enterprise ? 'a paid' : 'a free'} forge knows none`,
    tool: 'list_vulnerabilities',
    args: { project_id },
    exchanges: [
      listed({ errors: [{ message: "Field 'vulnerabilities' doesn't exist on type 'Project'" }] }),
      { request: 'GET /metadata', reply: { body: { version: '19.5.0', enterprise } } }
    ],
    error: enterprise
      ? /list_vulnerabilities needs the Ultimate edition of the forge: that may be why/
      : 'list_vulnerabilities needs the Ultimate edition of the forge, and this forge is the free edition.'
  })),
  {
    title: 'names a project that is not there',
    tool: 'list_vulnerabilities',
    args: { project_id },
    exchanges: [
      listed({ data: { project: null } }),
      { request: 'GET /projects?search=rocket&membership=true&simple=true&per_page=8', reply: { body: [] } },
      {
        request: 'GET /projects?search=acme&search_namespaces=true&membership=true&simple=true&per_page=100',
        reply: { body: [] }
      }
    ],
    error: 'There is no project "acme/rocket", or the token may not see it.'
  },
  {
    title: 'passes other errors on',
    tool: 'list_vulnerabilities',
    args: { project_id },
    exchanges: [listed({ errors: [{ message: 'Timeout' }] })],
    error: 'The forge refused the request: "Timeout".'
  },
  {
    title: 'gives all of one, its description cut',
    tool: 'get_vulnerability',
    args: { vulnerability_id: 7 },
    exchanges: [
      one({
        data: {
          vulnerability: {
            ...found,
            description: 'x'.repeat(4001),
            dismissalReason: null,
            scanner: { name: 'Watchdog', externalId: 'watchdog', vendor: null },
            identifiers: [{ externalType: 'cwe', externalId: '598', name: 'CWE-598', url: null }],
            links: [{ name: null, url: 'https://example.com' }],
            project: { fullPath: 'acme/rocket' }
          }
        }
      })
    ],
    result: {
      ...shown,
      description: `${'x'.repeat(4000)}… [1 more]`,
      scanner: { name: 'Watchdog', external_id: 'watchdog' },
      identifiers: [{ type: 'cwe', id: '598', name: 'CWE-598' }],
      links: [{ url: 'https://example.com' }],
      project: 'acme/rocket'
    }
  },
  {
    title: 'names one that is not there',
    tool: 'get_vulnerability',
    args: { vulnerability_id: 'gid://gitlab/Vulnerability/7' },
    exchanges: [one({ data: { vulnerability: null } })],
    error: /^There is no vulnerability gid:\/\/gitlab\/Vulnerability\/7, or the token may not see it/
  },
  {
    title: 'refuses an id of another type',
    tool: 'get_vulnerability',
    args: { vulnerability_id: 'gid://gitlab/Issue/7' },
    error: /^vulnerability_id must be a number or gid:\/\/gitlab\/Vulnerability\/…/
  },
  ...(['confirmed', 'resolved', 'detected', 'dismissed'] as const).map(state => {
    const reason = state === 'dismissed' ? { reason: 'used_in_tests' } : {}
    const payload = {
      confirmed: 'vulnerabilityConfirm',
      resolved: 'vulnerabilityResolve',
      detected: 'vulnerabilityRevertToDetected',
      dismissed: 'vulnerabilityDismiss'
    }[state]
    return {
      title: `has a mutation for ${state}`,
      tool: 'change_vulnerability_state',
      args: { vulnerability_id: '7', state, ...reason, comment: 'Seen' },
      exchanges: [
        graphql(
          changeMutations[state],
          {
            input: {
              id: found.id,
              ...(state === 'dismissed' && { dismissalReason: 'USED_IN_TESTS' }),
              comment: 'Seen'
            }
          },
          {
            data: {
              [payload]: { vulnerability: { id: found.id, state: state.toUpperCase() }, errors: [] }
            }
          }
        )
      ],
      result: { id: 7, state: state.toUpperCase() }
    }
  }),
  {
    title: 'says that a finding needs no project',
    tool: 'change_vulnerability_state',
    args: { project_id: 'acme/rocket', vulnerability_id: '7', state: 'resolved' },
    error: 'Invalid arguments: unknown argument "project_id", vulnerability_id alone says which one.'
  },
  {
    title: 'wants the reason of a dismissal',
    tool: 'change_vulnerability_state',
    args: { vulnerability_id: '7', state: 'dismissed' },
    error: /^reason is required to dismiss: one of acceptable_risk, /
  },
  {
    title: 'wants a reason of a dismissal only',
    tool: 'change_vulnerability_state',
    args: { vulnerability_id: '7', state: 'resolved', reason: 'false_positive' },
    error: "'reason' can only be given with state dismissed."
  },
  {
    title: 'tells the errors of the payload',
    tool: 'change_vulnerability_state',
    args: { vulnerability_id: '7', state: 'confirmed' },
    exchanges: [
      graphql(
        changeMutations.confirmed,
        { input: { id: found.id } },
        { data: { vulnerabilityConfirm: { vulnerability: null, errors: ['It is confirmed already'] } } }
      )
    ],
    error: 'The forge refused the change: "It is confirmed already".'
  }
])

story('a finding is looked at and dismissed', [security], async (t, as) => {
  const margaret = as('margaret')
  const place = { project_id: 'acme/rocket' }
  const [first] = (await margaret('list_vulnerabilities', { ...place, severity: ['high'] })).value
    .vulnerabilities
  t.match(first, { location: 'src/engine.ts:3-5', state: 'DETECTED' })
  const one = { vulnerability_id: first.id }
  t.match((await margaret('get_vulnerability', one)).value, {
    project: 'acme/rocket',
    scanner: { vendor: 'Acme' }
  })
  const dismissed = await margaret('change_vulnerability_state', {
    ...one,
    state: 'dismissed',
    reason: 'false_positive'
  })
  t.match(dismissed.value, { state: 'DISMISSED', dismissal_reason: 'FALSE_POSITIVE' })
  const left = await margaret('list_vulnerabilities', { ...place, state: ['detected'] })
  t.same(left.value.vulnerabilities, [])
  t.match(await as('linus')('change_vulnerability_state', { ...one, state: 'detected' }), {
    error: /don't have permission/
  })
  const none = await margaret('change_vulnerability_state', { vulnerability_id: 99, state: 'detected' })
  t.match(none.error, /"\. It may not be there, or the token may not do this: its owner needs a higher role/)
  t.match(await as('grace')('list_vulnerabilities', place), { error: /Ultimate/ })
})

story(
  'a Community forge has no vulnerabilities',
  [security],
  async (t, as) => {
    const margaret = as('margaret')
    t.match(await margaret('list_vulnerabilities', { project_id: 'acme/rocket' }), { error: /Ultimate/ })
    t.match(await margaret('get_vulnerability', { vulnerability_id: 1 }), { error: /Ultimate/ })
  },
  { edition: 'ce' }
)
