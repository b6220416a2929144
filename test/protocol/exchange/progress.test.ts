import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { withMeta } from '../../../src/protocol/exchange/call-meta.ts'
import { Progress } from '../../../src/protocol/exchange/progress.ts'
import { until } from '../../support/until.ts'

const wait = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** Has so much time go by, in milliseconds, whenever the clock is looked at. */
function letPass(t: Test, ms: number): void {
  let clock = performance.now()
  t.intercept(performance, 'now', { value: () => (clock += ms) })
}

function watch(t: Test) {
  const sent: { progress: number; total?: number; message: string; progressToken: unknown }[] = []
  const progress = new Progress('token', message => {
    const { jsonrpc, method, params } = JSON.parse(message)
    if (jsonrpc !== '2.0' || method !== 'notifications/progress') t.fail(message)
    sent.push(params)
  })
  t.teardown(() => progress.end())
  return { progress, sent }
}

t.test('what a tool reports is sent at once, in its own numbers', async t => {
  letPass(t, 60)
  const { progress, sent } = watch(t)
  for (const done of [0, 50, 100]) {
    progress.report(`${done} of 100`, done, 100)
  }
  t.same(
    sent,
    [0, 50, 100].map(done => ({
      progressToken: 'token',
      progress: done,
      total: 100,
      message: `${done} of 100`
    }))
  )
})

t.test('every value is larger than the last, whatever is reported', async t => {
  letPass(t, 60)
  const { progress, sent } = watch(t)
  for (const done of [5, 5, 3, undefined, 6]) {
    progress.report('step', done, 5)
  }
  t.same(
    sent.map(({ progress }) => progress),
    [5, 5.001, 5.002, 5.003, 6]
  )
  t.same(
    sent.map(({ total }) => total),
    [5, undefined, undefined, undefined, undefined],
    'more than all there is cannot be done'
  )
})

t.test('from the first second on a call that says nothing is said to run, until it is over', async t => {
  const { progress, sent } = watch(t)
  progress.observe('Two of them are read.', 2)
  t.same(sent, [])
  await wait(1500)
  t.match(sent, [{ progress: 2, message: 'Two of them are read.' }])
  t.equal(sent.length, 1)
  progress.end()
  progress.report('late')
  await wait(60)
  t.equal(sent.length, 1)
})

t.test('that calls run is said in turns of their caller, and not if they are over by then', async t => {
  const turns: (() => void)[] = []
  const next = () => new Promise<void>(resolve => turns.push(resolve))
  const said: string[] = []
  const begin = (progressToken: string) => {
    let end = () => {}
    const ended = new Promise<void>(resolve => (end = resolve))
    const request = { params: { _meta: { progressToken } } }
    const notify = (message: string) => said.push(JSON.parse(message).params.progressToken)
    const exchange = { notify, session: {}, warnings: [], parts: { next } }
    return { end, done: withMeta(request as never, exchange as never, () => ended) }
  }
  const calls = ['one', 'another'].map(begin)
  await until(() => turns.length === 2)
  t.same(said, [])
  calls[1]?.end()
  await calls[1]?.done
  for (const turn of turns) turn()
  await setImmediate()
  t.same(said, ['one'])
  calls[0]?.end()
  await calls[0]?.done
})

t.test('messages close to each other are one, and those of a call are bounded', async t => {
  const { progress, sent } = watch(t)
  for (let done = 0; done < 1000; done++) progress.report('busy', done)
  t.ok(sent.length < 50)
  letPass(t, 100)
  for (let done = 0; done < 1000; done++) progress.report('busy', done)
  t.ok(sent.length <= 500)
})
