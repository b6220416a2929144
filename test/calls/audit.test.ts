import t from 'tap'
import { createdIn, outcomeOf, projectOf, reasonOf } from '../../src/calls/audit.ts'
import { PolicyProblem } from '../../src/results/problem.ts'
import { ForgeError } from '../../src/upstream/errors.ts'

t.test('a call that timed out or was cancelled is told from one that was wrong', async t => {
  t.equal(outcomeOf('ok', undefined, false), 'ok')
  t.equal(outcomeOf('tool_error', new Error('wrong'), false), 'tool_error')
  t.equal(outcomeOf('tool_error', new ForgeError('timeout', 'late'), false), 'timeout')
  t.equal(outcomeOf('tool_error', new ForgeError('cancelled', 'gone'), false), 'cancelled')
  t.equal(outcomeOf('tool_error', new ForgeError('unreachable', 'down'), false), 'tool_error')
  t.equal(outcomeOf('ok', undefined, true), 'cancelled')
  t.equal(outcomeOf('fault', new ForgeError('timeout', 'late'), false), 'fault')
})

t.test('the project or group is taken from arguments that nobody has checked', async t => {
  t.equal(projectOf({ project_id: 'a/b', group_id: 'g' }), 'a/b')
  t.equal(projectOf({ group_id: 7 }), '7')
  t.equal(projectOf({ project_id: 'a%2F%62' }), 'a/b', 'escapes hide none')
  t.equal(projectOf({ project_id: 'a%2' }), 'a%2', 'which is not sent')
  t.equal(
    projectOf({ project_id: 'a/\u001b[2J%0Ab\u202e\u0085' }),
    'a/\ufffd[2J\ufffdb\ufffd\ufffd',
    'no controls'
  )
  for (const odd of [undefined, null, 'text', 7, [], {}, { project_id: null }, { project_id: { a: 1 } }])
    t.equal(projectOf(odd), undefined)
})

t.test('why policy let nothing through is told without the control characters of an argument', async t => {
  t.equal(
    reasonOf(new PolicyProblem('project_id "a\u009b2J" is not served here.')),
    'project_id "a\ufffd2J" is not served here.'
  )
  t.equal(
    reasonOf(new ForgeError('forbidden', 'It may not be asked.')),
    'It may not be asked.',
    'of addresses, too'
  )
})

const token = '0F1E2d3c4b5a69788796a5b4c3d2e1f07'

t.test('a record that was made is named by its number, whatever a forge has put in its place', async t => {
  t.same(createdIn({ id: 70, iid: 7 }, token), { iid: '7' })
  t.same(createdIn({ id: 'gid://gitlab/Note/9' }, token), { id: '9' })
  const noText = { toString: 1, valueOf: 1 }
  for (const odd of [noText, [noText], { a: 1 }, null, true])
    t.equal(createdIn({ id: odd, iid: odd }, token), undefined)
})

t.test('a page that was made, which has no number, is named by its slug', async t => {
  t.same(createdIn({ slug: 'docs/Set-up', title: 'Set up' }, token), { slug: 'docs/Set-up' })
  t.same(createdIn({ slug: token.slice(0, 1) }, token), { slug: token.slice(0, 1) })
  t.same(createdIn({ id: 7, slug: 'other' }, token), { id: '7' })
  for (const slug of ['', 'a\u009bb', 'x'.repeat(201), `docs/${token}`, token.slice(3, 20), 7])
    t.equal(createdIn({ slug }, token), undefined)
})

t.test('a token that a forge gives back as a commit is not told', async t => {
  const commit = token.toLowerCase()
  for (const id of [commit, commit.slice(3, 20), `ab${commit}cd`])
    t.equal(createdIn({ id }, token), undefined, id)
  t.same(createdIn({ id: 'a'.repeat(40) }, token), { id: 'a'.repeat(40) })
})
