import t from 'tap'
import { explainFailure, withConsequence } from '../../src/results/failure.ts'
import { ForgeError, ForgeStatusError, Intercepted } from '../../src/upstream/errors.ts'

const explained = (error: unknown, advice = {}) => explainFailure(error, false, advice)

t.test('a project that is not there may be a group, whatever else the tool would advise', async t => {
  t.equal(
    explained(new ForgeStatusError(404, '404 Project Not Found'), { 404: 'Check the ref.' }),
    'The forge answered 404 Not Found: "404 Project Not Found". There is no such project, or the token may not see it: give its id or full path (group/project), which list_projects with search finds. A group goes in group_id where a tool takes one.'
  )
})

t.test('a group that is not there may be a project', async t => {
  t.match(
    explained(new ForgeStatusError(404, '404 Group Not Found')),
    /There is no such group, .*; a project is no group, and goes in project_id\.$/
  )
})

t.test('what else is not there is for the tool to say', async t => {
  t.equal(
    explained(new ForgeStatusError(404, '404 File Not Found'), { 404: 'Check the path.' }),
    'The forge answered 404 Not Found: "404 File Not Found". Check the path.'
  )
})

t.test('where the path of a read has no id, the forge may be none: no id is to be checked', async t => {
  const error = new ForgeStatusError(404, '404 Not Found')
  error.hasFixedPath = true
  t.match(
    explained(error),
    /^The forge answered 404 Not Found\. No id in the path could be wrong\. .* FORGE_API_URL \(or X-Forge-API-URL\)/
  )
  t.notMatch(explained(error), /Check the ids/)
  t.match(explained(error, { 404: 'It has no to-dos.' }), /Not Found\. It has no to-dos\.$/)
  error.reason = 'It is of a paid edition.'
  t.match(explained(error), /Not Found\. It is of a paid edition\.$/)
})

/** A failure to reach the forge. */
function unreached(isUnsent: boolean, message = 'The forge x could not be reached (E).'): ForgeError {
  const error = new ForgeError('unreachable', message)
  error.isUnsent = isUnsent
  return error
}

t.test('what was not sent was not done, and is to be tried later', async t => {
  t.equal(
    explained(unreached(true)),
    'The forge x could not be reached (E). Nothing was done. Try again later, and tell who runs this server if it stays so.'
  )
})

t.test('a read whose connection broke is to be tried later', async t => {
  t.match(explained(unreached(false)), /\(E\)\. Try again later, and tell/)
})

t.test('what waited for a connection until its time was over was not done', async t => {
  const error = new ForgeError('timeout', 'The forge did not answer in full within 30 seconds.')
  error.isUnsent = true
  t.match(explained(error), /within 30 seconds\. Nothing was done\. Try again later/)
})

t.test('a read that took too long is to be tried later', async t => {
  const late = new ForgeError('timeout', 'The forge x did not answer in time.')
  t.equal(
    explained(late),
    'The forge x did not answer in time. Try again later, and tell who runs this server if it stays so.'
  )
  const large = new ForgeError('timeout', 'The forge takes too long over a large answer. Ask for less of it.')
  t.equal(explained(large), large.message)
})

t.test('a change whose reads took too long was not done, as nothing of it was sent', async t => {
  const late = new ForgeError('timeout', 'The forge x did not answer in time.')
  t.match(explainFailure(late, false, {}, true), /in time\. Nothing was done\. Try again later, and tell/)
  t.match(explainFailure(unreached(false), false, {}, true), /\(E\)\. Nothing was done\. Try again later/)
  t.match(explainFailure(late, true, {}, true), /in time\. The change may or may not have been made/)
})

t.test('what says itself when to try again is not told so twice', async t => {
  t.equal(explained(unreached(true, 'Too many. Try again soon.')), 'Too many. Try again soon.')
})

t.test('a change that was not sent leaves nothing open, though others before it were', async t => {
  t.match(explainFailure(unreached(true), true), /\(E\)\. This was not sent, but others of the call were/)
  t.match(explainFailure(unreached(false), true), /may or may not have been made/)
})

t.test('a cursor that the forge did not make is told where one comes from', async t => {
  t.equal(
    explained(new ForgeError('graphql', 'Please provide a valid cursor')),
    'The forge refused the request: "Please provide a valid cursor". That is after: it takes the endCursor of the page before as it came, and is left out for the first.'
  )
})

t.test('a page token that the forge did not make is told where one comes from', async t => {
  t.equal(
    explained(new ForgeStatusError(422, 'Invalid page token: 2')),
    'The forge answered 422 Unprocessable Entity: "Invalid page token: 2". page_token takes the next_page_token of the page before as it came, and is left out for the first.'
  )
})

t.test('the status is not said twice', async t => {
  t.equal(
    explained(new ForgeStatusError(403, '403 forbidden - Job is not retryable'), { 403: 'Read it first.' }),
    'The forge answered 403 Forbidden: "Job is not retryable". Read it first.'
  )
  t.match(explained(new ForgeStatusError(400, '403 Forbidden - odd')), /: "403 Forbidden - odd"\.$/)
})

t.test('a refusal in plain text may be of what stands before the forge', async t => {
  const said = (status: number, text: string) => {
    const error = new ForgeStatusError(status, text)
    error.isText = true
    return explained(error)
  }
  t.match(
    said(403, 'RBAC: access denied'),
    /^The forge answered 403 Forbidden: "RBAC: access denied" \(no JSON: it may come from what stands before the forge\)\. The token/
  )
  t.match(
    said(401, 'Unauthorized'),
    /^The forge answered 401 Unauthorized \(no JSON: .*\)\. The token was not/
  )
  t.notMatch(said(429, 'Retry later'), /no JSON/, 'as GitLab says that')
})

t.test('a token of too narrow scope is told of its scope, whatever else the tool would advise', async t => {
  const error = new ForgeStatusError(403, 'insufficient_scope: The request requires higher privileges.')
  error.reason = 'It may be the edition.'
  t.equal(
    explained(error, { 403: 'The branch is protected.' }),
    'The forge answered 403 Forbidden: "insufficient_scope: The request requires higher privileges". The token’s scope is too narrow for this: use one with the scope api (read_api to read). Nothing was done.'
  )
})

t.test('a permission that a token lacks, and a login that has ended, are told as that', async t => {
  const told = (says: string) => explained(new ForgeStatusError(403, says), { 403: 'It takes a role.' })
  t.match(
    told('insufficient_granular_scope: Your token lacks the required permissions: [read_issue]'),
    /\[read_issue\]"\. Give the token the permission that is named, or use one with the scope api/
  )
  for (const says of [
    'Your SAML session has expired.',
    'Your session for SSO ended.',
    'To see this, sign in with SAML.',
    'SAML: re-authenticate.'
  ])
    t.match(
      told(`403 Forbidden - ${says}`),
      /The owner of the token has to log in at the forge in a browser; then call again\.$/,
      says
    )
  for (const says of ['SAML SSO is managed by the group.', `SAML${' -'.repeat(41)} session`])
    t.match(told(`403 Forbidden - ${says}`), /It takes a role\.$/, says)
})

t.test('whom the forge keeps out altogether is not told to get a higher role', async t => {
  const told = (says: string, advice = {}) =>
    explained(new ForgeStatusError(403, `403 Forbidden - ${says}`), advice)
  for (const says of [
    'Your account has been blocked.',
    'You (@ada) must accept the Terms of Service in order to perform this action.',
    'Your password expired.'
  ])
    t.match(
      told(says, { 403: 'It takes the Maintainer role.' }),
      /"\. The owner of the token has to resolve this at the forge: log in there as that user\.$/
    )
  t.match(told('Your IP address is not allowed'), /"\. The forge blocks the address of this server/)
  t.match(told('Job is not retryable'), /"\. The token may not do this: its owner needs a higher role/)
})

t.test('a tool may say what to ask for in place of an answer that is too large', async t => {
  const error = new ForgeError('too-large', 'It is too large.')
  t.equal(explained(error, { 'too-large': 'Give lines.' }), 'It is too large. Give lines.')
  t.equal(explained(error), 'It is too large.')
})

t.test(
  'of a refusal in the forge’s place nothing else is advised, nor that it may have been done',
  async t => {
    const error = new Intercepted(403, 'A web page says no.')
    for (const writes of [false, true])
      t.equal(explainFailure(error, writes, { 403: 'Ask for the role.' }), 'A web page says no.')
    error.reason = 'Nothing was published.'
    t.equal(explained(error), 'A web page says no. Nothing was published.')
  }
)

t.test('what follows from a failed read stands behind why it failed', async t => {
  const error = new ForgeStatusError(403, '403 Forbidden')
  error.reason = 'It is of a paid edition.'
  t.equal(withConsequence(error, 'So nothing was changed.'), error)
  t.match(
    explained(error),
    /^The forge answered 403 Forbidden\. It is of a paid edition\. So nothing was changed\./
  )
})

t.test(
  'of a refused token it is said what it is, and nothing of what could be read with another',
  async t => {
    const error = new ForgeStatusError(401, '401 Unauthorized')
    error.reason = 'It is the token of a runner.'
    error.isExplained = true
    const says = explained(error)
    t.equal(explained(withConsequence(error, 'Give all of it: then nothing is read.')), says)
  }
)
