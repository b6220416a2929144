import t from 'tap'
import { Cancellation } from '../../../src/base/cancellation.ts'
import { explainFailure } from '../../../src/results/failure.ts'
import { givenBy, refuseUnexpected } from '../../../src/upstream/answers/expected.ts'
import { type AnswerReader, type Keeping, UnparsedAnswer } from '../../../src/upstream/answers/unparsed.ts'
import type { Method } from '../../../src/upstream/request.ts'
import { operations } from '../../forge/contract-operations.ts'

/** Notes of one discussion are published as a record; no tool reads them there. */
const unread = /\/discussions\/\{discussion_id\}\/notes$/

t.test('what a request is said to give is what its published contract says', async t => {
  const wrong = operations.flatMap(({ method, path, responses }) => {
    const { type } = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1] ?? {}
    if (method === 'DELETE' || unread.test(path) || !['array', 'object', 'empty'].includes(type ?? ''))
      return []
    const given = givenBy({ method: method as Method, template: path.replace('/api/v4', '') })
    const named = given === 'list' ? 'array' : given === 'record' ? 'object' : 'empty'
    return named === type ? [] : [`${method} ${path}: ${named}, not ${type}`]
  })
  t.same(wrong, [])
})

const saidOf = (method: Method, template: string, value: unknown, status = 200): string => {
  try {
    refuseUnexpected(value, status, { method, template }, () => 'not now')
    return 'taken'
  } catch (error) {
    return explainFailure(error, false) ?? ''
  }
}

t.test('an answer of another kind than was asked for is refused, with what it says', async t => {
  const issues = '/projects/{project_id}/issues'
  const issue = `${issues}/{issue_iid}`
  const member = '/projects/{project_id}/members/{user_id}'
  const noList = 'The forge gave no list, but said: "not now".'
  const noRecord = 'The forge gave no record, but said: "not now".'
  for (const [method, template, value, says] of [
    ['GET', issues, [], 'taken'],
    ['GET', issues, [{ id: 1 }], 'taken'],
    ['GET', issues, { message: 'not now' }, noList],
    ['GET', issues, { error: 'not now', status: 500 }, noList],
    ['GET', issues, { id: 1 }, 'The forge answered with something that is not a list.'],
    ['GET', issues, [{ id: 1 }, null], 'The forge answered with a list of something that is no record.'],
    ['GET', issues, [1, 2], 'The forge answered with a list of something that is no record.'],
    ['GET', issue, { message: 'not now' }, noRecord],
    ['GET', issue, { id: 1, message: 'a commit has one' }, 'taken'],
    ['GET', issue, [], 'The forge answered with something that is not a record.'],
    ['GET', '/user/status', {}, 'taken'],
    ['GET', '/user/status', { message: 'In a meeting' }, 'taken'],
    ['GET', '/user/status', { message: 'not now', status: 503 }, noRecord],
    ['PUT', '/user/status', { message: 'In a meeting' }, 'taken'],
    ['GET', '/projects/{project_id}/merge_trains/merge_requests/{merge_request_iid}', { id: 1 }, 'taken'],
    ['POST', issues, {}, 'taken'],
    ['POST', issues, null, 'taken'],
    ['POST', issues, undefined, 'taken'],
    ['POST', issues, [{ id: 1 }], 'The forge answered with something that is not a record.'],
    ['POST', issues, { message: 'not now' }, noRecord],
    ['DELETE', issue, { error: 'not now' }, noRecord],
    ['DELETE', issue, { error: null, message: 'Deleted' }, 'taken'],
    ['DELETE', issue, { message: 'Purge scheduled' }, 'taken'],
    ['DELETE', issue, { message: '503 Service Unavailable' }, noRecord],
    ['DELETE', issue, { message: { base: ['not now'] } }, noRecord],
    ['DELETE', issue, { message: 'not now', detail: 'quota' }, noRecord],
    ['DELETE', issue, { message: '202 Accepted' }, 'taken'],
    ['DELETE', issue, [null], 'The forge answered with a list, which was not asked for.'],
    ['PUT', issue, { message: '202 Accepted' }, noRecord],
    ['PUT', member, { message: { ada: 'queued for approval' } }, 'taken'],
    ['PUT', member, { message: 'queued for approval' }, 'taken'],
    ['PUT', member, { message: 'not now', error: 'quota' }, noRecord],
    ['PUT', member, { message: '503 Service Unavailable' }, noRecord],
    ['PUT', member, { status: 'error', message: { ada: 'level is not in the list' } }, noRecord]
  ] as const)
    t.equal(saidOf(method, template, value), says, `${method} ${template}: ${JSON.stringify(value)}`)
  for (const refusal of [
    { success: false },
    { success: false, detail: 'quota' },
    { errors: ['not now'] },
    { reason: 'not now' },
    { message: 'not now', documentation_url: 'https://gateway.example/docs' }
  ])
    for (const method of ['GET', 'PUT', 'DELETE'] as const)
      t.equal(saidOf(method, issue, refusal), noRecord, `${method}: ${JSON.stringify(refusal)}`)
  t.equal(saidOf('DELETE', issue, { success: true, message: 'gone' }), 'taken')
  t.equal(saidOf('PUT', issue, { id: 1, errors: [], detail: 'a record has one' }), 'taken')
  t.equal(saidOf('PUT', issue, { message: '202 Accepted' }, 202), 'taken', 'the forge does it later')
  for (const none of [null, undefined, {}])
    t.match(saidOf('GET', issue, none), /^The forge answered without a record: check that the API URL/)
})

t.test('any success of playing a schedule is one, whatever is said', t => {
  const play = '/projects/{project_id}/pipeline_schedules/{schedule_id}/play'
  const said = [{ message: 'Pipeline scheduled' }, { message: '404' }, {}, [], [1], 'ok', { id: 5 }]
  const odd = [
    { message: { base: ['queued'] } },
    { message: ['queued'] },
    { error: 'no' },
    { errors: ['no'] },
    { success: false }
  ]
  for (const status of [200, 201, 202, 204])
    for (const value of [...said, ...odd])
      t.equal(saidOf('POST', play, value, status), 'taken', `${status} ${JSON.stringify(value)}`)
  t.end()
})

t.test('changes of several at once may be answered with one record in place of a list', async t => {
  const train = '/projects/{project_id}/merge_trains/merge_requests/{merge_request_iid}'
  for (const [method, template] of [
    ['PUT', '/suggestions/batch_apply'],
    ['POST', train]
  ] as const) {
    t.equal(saidOf(method, template, { id: 1 }), 'taken', template)
    t.equal(saidOf(method, template, [{ id: 1 }]), 'taken', template)
    t.match(saidOf(method, template, { message: 'not now' }), /but said: "not now"/, template)
    t.match(saidOf(method, template, [1]), /a list of something that is no record/, template)
    t.match(saidOf(method, template, 1), /something that is not a list/, template)
  }
})

t.test('of a large answer that is only shown the kind is told by how it begins', async t => {
  const unread = (text: string) =>
    new UnparsedAnswer(
      Buffer.from(text),
      {},
      {} as AnswerReader,
      { caller: 'a' },
      { stop: new Cancellation() } as unknown as Keeping,
      () => {}
    )
  t.equal(saidOf('GET', '/projects/{project_id}', unread('{"id":1}')), 'taken')
  t.equal(saidOf('GET', '/projects', unread(' [{"id":1}]')), 'taken')
  t.match(saidOf('GET', '/projects', unread('{"id":1}')), /not a list/)
  t.match(saidOf('GET', '/projects/{project_id}', unread('[]')), /not a record/)
})
