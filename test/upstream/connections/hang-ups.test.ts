import t from 'tap'
import type { Dispatcher } from 'undici'
import { HangUps } from '../../../src/upstream/connections/hang-ups.ts'
import { sendRequest } from '../../../src/upstream/connections/sent-request.ts'
import { until } from '../../support/until.ts'

type Handler = Dispatcher.DispatchHandler

/** A request that has come to a connection, and whose caller then goes. */
function abandoned(hangUps?: Pick<HangUps, 'allows'>) {
  const state = { isCut: false, said: [] as string[] }
  const abort = () => {
    state.isCut = true
  }
  const controller = { abort, resume() {} } as unknown as Dispatcher.DispatchController
  const stop = new AbortController()
  let handler: Handler | undefined
  sendRequest(
    {
      hangUps: hangUps as HangUps | undefined,
      dispatch: (_options, given) => {
        handler = given
        return true
      }
    },
    { origin: 'http://forge.example', path: '/', method: 'GET', holder: '192.0.2.1' },
    3_600_000,
    stop.signal,
    {
      head() {},
      data: chunk => void state.said.push(chunk.toString()),
      end: () => void state.said.push('end'),
      fail({ fault, isUnanswered }) {
        state.said.push(isUnanswered ? `${fault} without an answer` : fault)
      }
    }
  )
  handler!.onRequestStart?.(controller, {})
  stop.abort()
  return {
    state,
    answer(text: string) {
      handler!.onResponseStart?.(controller, 200, {})
      handler!.onResponseData?.(controller, Buffer.from(text))
      handler!.onResponseEnd?.(controller, {})
    }
  }
}

t.test(
  'who has gone from a request that stays without an answer ends its connection after a moment',
  async t => {
    const { state } = abandoned()
    t.same(state, { isCut: false, said: [] })
    await until(() => state.isCut)
    t.same(state.said, ['cancelled without an answer'])
  }
)

t.test('what comes within that moment comes to its end, unless it is long', async t => {
  const short = abandoned()
  short.answer('whole')
  t.same(short.state, { isCut: false, said: ['whole', 'end'] })
  const long = abandoned()
  long.answer('x'.repeat(65 * 1024))
  t.same(long.state, { isCut: true, said: ['cancelled'] })
})

t.test('whose connections were ended too often has requests run to their end', async t => {
  const asked: string[] = []
  const allows = (holder: string) => asked.push(holder) < 0
  const { state, answer } = abandoned({ allows })
  await until(() => asked.length > 0)
  t.same(asked, ['192.0.2.1'])
  answer('late')
  t.same(state, { isCut: false, said: ['late', 'end'] })
})

t.test('sixty connections are ended for an address in a minute', async t => {
  let now = 0
  const hangUps = new HangUps(() => now)
  for (let ended = 0; ended < 60; ended++) t.ok(hangUps.allows('a'))
  t.notOk(hangUps.allows('a'))
  t.ok(hangUps.allows('b'))
  now = 60_000
  t.ok(hangUps.allows('a'))
})
