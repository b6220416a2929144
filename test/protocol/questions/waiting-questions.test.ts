import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { Cancellation } from '../../../src/base/cancellation.ts'
import { form } from '../../../src/engine/consent/question.ts'
import { WaitingQuestions } from '../../../src/protocol/questions/waiting-questions.ts'
import { mostInATurn } from '../../support/in-turns.ts'

const question = form('Really?', {})

/** Waits of made-up callers, and what their clients were sent. */
function scene(limits: Partial<ConstructorParameters<typeof WaitingQuestions>[0]> = {}) {
  let count = 0
  const all = { perCaller: 4, perSession: 100, inAll: 1_000, waitMs: 60_000, ...limits }
  const questions = new WaitingQuestions(all)
  // biome-ignore lint/suspicious/noExplicitAny: messages of every kind are looked into
  const sent: any[] = []
  const put = (
    caller: string,
    {
      asked = { a: question } as Record<string, typeof question>,
      from = caller,
      idOf = () => `q${++count}`,
      session: sessionKey = caller,
      signal = undefined as Cancellation | undefined
    } = {}
  ) =>
    questions
      .put(asked, {
        caller,
        from,
        sessionKey,
        idOf,
        notify: message => void sent.push(JSON.parse(message)),
        signal
      })
      .catch((error: Error) => error)
  return { questions, sent, put }
}
const answerTo = (id: string, result: object = { action: 'accept' }) => ({ id, result, error: undefined })

t.test('a call goes on when all of its questions are answered, in whichever order', async t => {
  const { questions, sent, put } = scene()
  const waiting = put('ada', { asked: { a: question, b: question } })
  t.match(sent, [
    { id: 'q1', method: 'elicitation/create' },
    { id: 'q2', method: 'elicitation/create' }
  ])
  t.equal(questions.take('ada', answerTo('q2', { of: 'b' })), true)
  t.equal(questions.take('ada', answerTo('q2', { of: 'b again' })), false, 'each once')
  t.equal(questions.take('grace', answerTo('q1')), false, 'of its session only')
  questions.take('ada', answerTo('q1', { of: 'a' }))
  t.same(await waiting, { a: { of: 'a' }, b: { of: 'b' } })
  t.equal(questions.size, 0)
})

t.test('one answer that is none ends the call, and its other questions', async t => {
  const { questions, sent, put } = scene()
  const waiting = put('ada', { asked: { a: question, b: question } })
  questions.take('ada', { id: 'q1', result: undefined, error: { message: 'x'.repeat(1_000) } })
  const { message } = (await waiting) as Error
  t.match(message, /^The client did not ask: "x+"/)
  t.ok(message.length < 300)
  t.match(
    sent.slice(2).map(({ params }) => params.requestId),
    ['q2'],
    'what is answered cannot be cancelled'
  )
  t.equal(questions.take('ada', answerTo('q2')), false)
})

t.test('an answer without a result is told what it lacks', async t => {
  const { questions, put } = scene()
  const waiting = put('ada')
  questions.take('ada', { id: 'q1', result: undefined, error: undefined })
  t.match(await waiting, {
    message: /^The client did not ask, or its answer has no result that is an object\.$/
  })
})

t.test('an answer with an error is no yes, whatever result it has beside it', async t => {
  const { questions, put } = scene()
  const result = { action: 'accept', content: {} }
  for (const [error, message] of [
    [{ code: -1, message: 'closed' }, 'The client did not ask: "closed".'],
    [{ code: -1 }, 'The client did not ask: its answer has an error.']
  ] as const) {
    const waiting = put('ada', { idOf: () => 'q' })
    questions.take('ada', { id: 'q', result, error })
    t.match(await waiting, { message })
  }
})

t.test('an error that is null is none', async t => {
  const { questions, put } = scene()
  const waiting = put('ada')
  questions.take('ada', { id: 'q1', result: { action: 'accept' }, error: null })
  t.same(await waiting, { a: { action: 'accept' } })
})

t.test('nobody is waited for longer than the bound', async t => {
  const { questions, sent, put } = scene({ waitMs: 20 })
  const waiting = put('ada')
  // The timer of a wait keeps no process.
  await sleep(40)
  t.match(await waiting, { name: 'Unanswered', message: /^Nobody answered within 0.02 seconds./ })
  t.match(sent[1], { method: 'notifications/cancelled', params: { requestId: 'q1' } })
  t.equal(questions.size, 0)
})

t.test('a question whose session has answered under another id ends with that', async t => {
  const { questions, put } = scene({ waitMs: 20 })
  const [ada, grace] = [put('ada'), put('grace')]
  questions.strayed('ada')
  await sleep(40)
  t.match(await ada, { message: /^Nobody answered .* came under an id that no question has: / })
  t.notMatch(((await grace) as Error).message, /id/)
})

t.test('room is made by the oldest of the caller, or of whoever has the most', async t => {
  const { questions, put } = scene({ perCaller: 2, inAll: 3 })
  const ada = [put('ada'), put('ada')]
  const third = put('ada')
  t.match(await ada[0], { message: /newer question/ })
  put('grace')
  put('linus')
  t.match(await ada[1], { message: /most of them from this address/ }, 'ada has the most')
  questions.take('ada', answerTo('q3'))
  t.same(await third, { a: { action: 'accept' } })
  t.equal(questions.size, 2)
})

t.test('an address with any number of callers makes room itself', async t => {
  const { questions, put } = scene({ inAll: 3 })
  const person = put('grace')
  const noise = [1, 2, 3, 4].map(at => put(`made up ${at}`, { from: '192.0.2.1' }))
  t.match(await noise[0], { message: /most of them from this address/ })
  t.match(await noise[1], { message: /most of them from this address/ })
  questions.take('grace', answerTo('q1'))
  t.same(await person, { a: { action: 'accept' } })
})

t.test('a session with any number of callers makes room itself, and no other does', async t => {
  const { questions, put } = scene({ perSession: 2 })
  const other = put('grace', { from: '192.0.2.1' })
  const noise = [1, 2, 3].map(at => put(`made up ${at}`, { from: '192.0.2.1', session: 's' }))
  t.match(await noise[0], { message: /^A newer question took its place: a session has 2 open at once\.$/ })
  questions.take('grace', answerTo('q1'))
  t.same(await other, { a: { action: 'accept' } })
  t.equal(questions.size, 2)
})

t.test('what cannot be asked takes no place', async t => {
  const { questions, put } = scene()
  const long = () => {
    throw new Error('too long')
  }
  t.match(await put('ada', { idOf: long }), { message: 'too long' })
  t.equal(questions.size, 0)
})

t.test('who cancels, before or after it is asked, is not waited for', async t => {
  const { questions, sent, put } = scene()
  const gone = new Cancellation()
  const waiting = put('ada', { signal: gone })
  gone.abort()
  t.match(await waiting, { name: 'CancelledError' })
  t.match(await put('ada', { signal: gone }), { name: 'CancelledError' })
  t.equal(sent.filter(({ method }) => method === 'elicitation/create').length, 1)
  t.equal(questions.size, 0)
})

t.test('when a session ends, its clients are not waited for, and others are', async t => {
  const { questions, put } = scene()
  const waiting = [put('ada'), put('ada')]
  put('grace')
  questions.endOf('ada')
  for (const ended of waiting) t.match(await ended, { message: /^The session was ended / })
  t.equal(questions.size, 1)
})

t.test('when a session ends, those who wait in it go on a few in a turn of the event loop', async t => {
  const { questions, put } = scene()
  const waiting = Array.from({ length: 40 }, (_, at) =>
    put(`made up ${at}`, { from: '192.0.2.1', session: 's' })
  )
  questions.endOf('s')
  const most = await mostInATurn(waiting)
  t.ok(most < 10, `${most} in a turn`)
})

t.test('who is answered before the end of the session has its turn is not ended', async t => {
  const { questions, put } = scene()
  const waiting = Array.from({ length: 6 }, (_, at) =>
    put(`made up ${at}`, { from: '192.0.2.1', session: 's' })
  )
  questions.endOf('s')
  questions.take('s', answerTo('q6'))
  t.same(await waiting[5], { a: { action: 'accept' } })
  await Promise.all(waiting)
  t.equal(questions.size, 0)
})

t.test('when the service leaves, nobody is waited for or asked', async t => {
  const { questions, sent, put } = scene()
  const waiting = put('ada')
  questions.close()
  t.match(await waiting, { message: /^The server is shutting down / })
  const before = sent.length
  t.match(await put('ada'), { message: /^The server is shutting down / })
  t.equal(sent.length, before)
})
