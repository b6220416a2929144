import t from 'tap'
import { checkRequest } from '../forge/contract.ts'

const P = '/api/v4/projects/acme%2Frocket'
const row = (method: string, url: string, body?: unknown) => checkRequest({ method, url, body })

t.test('a request the contract publishes has nothing against it', async t => {
  for (const [method, url, body] of [
    ['GET', `https://forge.example/prefix${P}/merge_requests?state=opened&labels=a,b&per_page=100&page=2`],
    ['GET', `${P}/merge_requests?approved_by_usernames[]=ada&approved_by_usernames[]=linus&reviewer_id=None`],
    ['GET', `${P}/issues?assignee_username[]=ada&due_date=week&created_after=2026-01-01T00:00:00Z`],
    ['GET', `${P}/pipelines/7/jobs?scope[]=failed&scope[]=success&include_retried=true`],
    ['GET', `${P}/jobs/5/artifacts/dist/deep/a%20b.txt`],
    ['GET', `${P}/jobs/5/artifacts/tree?recursive=true`],
    ['GET', '/api/v4/todos?type=DesignManagement%3A%3ADesign'],
    ['GET', '/api/v4/job'],
    [
      'POST',
      `${P}/merge_requests`,
      { title: 'T', source_branch: 'a', target_branch: 'b', assignee_ids: [2, 3] }
    ],
    ['PUT', `${P}/merge_requests/3`, '{"labels":"a,b"}'],
    ['POST', `${P}/pipeline`, { ref: 'main', variables: [{ key: 'A', value: 'b' }], inputs: { level: 3 } }],
    ['POST', `${P}/issues/1/links`, { target_project_id: 'acme/rocket', target_issue_iid: 2 }]
  ] as const)
    t.strictSame(row(method, url, body), [], `${method} ${url}`)
})

t.test('a path or a method the forge does not publish is named', async t => {
  t.strictSame(row('GET', `${P}/merge_requests/3/conflicts`), [
    `no operation GET ${P}/merge_requests/3/conflicts`
  ])
  t.match(row('PATCH', `${P}/merge_requests/3`), [/the contract has GET, PUT, DELETE/])
  t.match(row('GET', '/api/v4/projects/acme/rocket/issues'), [/no operation/], 'an unencoded project path')
  t.match(row('POST', `${P}/issues/1/discussions/abc/notes/4/award_emoji`), [/no operation/])
})

t.test('path parameters are of the declared type and encoded once', async t => {
  t.match(row('GET', `${P}/merge_requests/one`), [/^get_merge_request: merge_request_iid is invalid/])
  t.match(row('GET', '/api/v4/projects/acme%252Frocket/issues'), [/percent-encoded twice/])
  t.match(row('GET', '/api/v4/projects/%2e%2e/issues'), [/dot segment/])
  t.match(row('GET', '/api/v4/projects/a%zz/issues'), [/malformed percent escape/])
})

t.test('undeclared keys count, because the forge drops them silently', async t => {
  const body = { title: 'T', source_branch: 'a', target_branch: 'b', draft: true }
  t.strictSame(row('POST', `${P}/merge_requests`, body), [
    'create_merge_request: draft is not a declared body key; the forge would drop it silently'
  ])
  t.match(row('GET', `${P}/merge_requests/3/changes?view=inline`), [/view is not a declared query parameter/])
  t.match(row('GET', `${P}/deployments?sha=abc`), [/sha is not a declared query parameter/])
  t.match(row('POST', `${P}/jobs/5/cancel?force=true`), [/force belongs in the body/])
  t.match(row('PUT', `${P}/merge_requests/3/draft_notes/1`, { note: 'x', resolve_discussion: true }), [
    /not a declared/
  ])
})

t.test('values are checked against type, enum and bounds', async t => {
  t.match(row('GET', `${P}/issues?due_date=2026-01-01`), [/due_date does not have a valid value/])
  t.match(row('GET', `${P}/merge_requests?per_page=101`), [/per_page is above 100/])
  t.match(row('GET', `${P}/merge_requests?page=0`), [/page is below 1/])
  t.match(row('GET', `${P}/merge_requests?assignee_id=ada`), [/should be an integer, "None" or "Any"/])
  t.match(row('GET', `${P}/pipelines?yaml_errors=1`), [/true or false expected/])
  t.match(row('GET', `${P}/pipelines?updated_after=yesterday`), [/not an ISO 8601 time/])
  t.match(row('GET', `${P}/pipelines/7/jobs?scope[]=done`), [/does not have a valid value/])
  t.match(row('GET', `${P}/environments?search=ab`), [/less than 3 characters/])
  t.match(row('PUT', `${P}/merge_requests/3`, { state_event: 'merge' }), [
    /state_event does not have a valid value/
  ])
  t.match(row('PUT', `${P}/merge_requests/3`, { squash: 'false' }), [/squash is invalid \(boolean expected/])
  t.match(row('PUT', `${P}/merge_requests/3`, { assignee_ids: ['ada'] }), [/assignee_ids\[0\] is invalid/])
  t.match(row('POST', `${P}/pipeline`, { ref: 'main', variables: [{ key: 'A', value: 'b', secret: 1 }] }), [
    /secret\] is not declared/
  ])
})

t.test('required keys and exclusive groups hold', async t => {
  t.strictSame(row('POST', `${P}/issues`, {}), ['create_issue: title is missing'])
  t.match(row('GET', `${P}/repository/compare?from=a`), [/to is missing/])
  t.match(row('GET', `${P}/issues?author_id=1&author_username=ada`), [/mutually exclusive/])
  t.match(row('PUT', `${P}/issues/1`, {}), [/at least one parameter must be provided/])
  const note = `${P}/issues/1/discussions/abc/notes/4`
  t.match(row('PUT', note, {}), [/exactly one parameter must be provided/])
  t.match(row('PUT', note, { body: 'x', resolved: true }), [/mutually exclusive/])
  t.match(row('POST', `${P}/merge_requests/3/discussions`, { body: 'x', position: { base_sha: 'a' } }), [
    /position\[start_sha\] is missing/,
    /position\[head_sha\] is missing/,
    /position\[position_type\] is missing/
  ])
})

t.test('bodies are JSON objects, and only where a body belongs', async t => {
  t.match(row('PUT', `${P}/issues/1`, '{'), [/the body is not JSON/, /at least one/])
  t.match(row('PUT', `${P}/issues/1`, '[]'), [/not a JSON object/, /at least one/])
  t.match(row('GET', `${P}/issues/1`, { a: 1 }), [/GET carries a body/, /not a declared body key/])
})

t.test('GraphQL documents are validated against the published schema', async t => {
  const send = (body: unknown) => row('POST', '/prefix/api/graphql', body)
  t.strictSame(
    send({
      query: 'query($p: ID!) { group(fullPath: $p) { dependencyProxyBlobCount } }',
      variables: { p: 'a' }
    }),
    []
  )
  t.match(send({ query: '{ group(fullPath: "a") { proxy } }' }), [/Cannot query field "proxy"/])
  t.match(send({ query: '{ group' }), [/Syntax Error/])
  t.match(send({ query: '{ currentUser { name } }', variables: { first: 101 } }), [/first is above 100/])
  const mutation =
    'mutation($i: UpdateDependencyProxySettingsInput!) { updateDependencyProxySettings(input: $i) { errors } }'
  t.strictSame(send({ query: mutation, variables: { i: { groupPath: 'acme', enabled: true } } }), [])
  t.match(send({ query: mutation, variables: { i: { groupPath: 'acme', enable: true } } }), [/"enable"/])
  t.match(send({}), [/query is missing/])
  t.match(row('GET', '/api/graphql'), [/no operation/])
})
