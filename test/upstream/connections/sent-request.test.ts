import t from 'tap'
import type { Dispatcher } from 'undici'
import {
  type Dispatching,
  type SentRequest,
  sendRequest
} from '../../../src/upstream/connections/sent-request.ts'
import { cancelled, ForgeError } from '../../../src/upstream/errors.ts'

const controller = { abort() {}, pause() {}, resume() {} } as unknown as Dispatcher.DispatchController

/** A request that is under way, of which the answer begins or does not, and how it fails once it is given up. */
function givenUp(status: number | undefined): ForgeError | undefined {
  const dispatcher: Dispatching = {
    dispatch(_options, handler) {
      handler.onRequestStart?.(controller, undefined)
      if (status !== undefined) handler.onResponseStart?.(controller, status, {})
      return true
    }
  }
  let failed: ForgeError | undefined
  const fail = (error: ForgeError) => {
    failed = error
  }
  const sink = { head() {}, data() {}, end() {}, fail }
  const options = { origin: 'https://forge.example', path: '/', method: 'GET' } as const
  sendRequest(dispatcher, options, 60_000, undefined, sink).stop(new ForgeError('timeout', 'too late'))
  return failed
}

t.test('a request that is given up tells whether the forge had answered anything', async t => {
  t.match(givenUp(undefined), { fault: 'timeout', isUnanswered: true })
  t.match(givenUp(200), { fault: 'timeout', isUnanswered: false })
  t.match(givenUp(103), { isUnanswered: false }, 'as also an informational answer does')
})

t.test(
  'it tells how long nothing had come of its answer, unless its own reader had made it wait',
  async t => {
    let now = 0
    t.intercept(performance, 'now', { value: () => now })
    let handler: Dispatcher.DispatchHandler
    const dispatch: Dispatching['dispatch'] = (_options, given) => {
      handler = given
      handler.onRequestStart?.(controller, undefined)
      return true
    }
    const chunk = Buffer.from('x')
    const silentMs = (...steps: readonly ((sentRequest: SentRequest) => void)[]) => {
      let failed = 0
      const fail = ({ silentMs }: ForgeError) => {
        failed = silentMs
      }
      const sink = { head() {}, data() {}, end() {}, fail }
      const options = { origin: 'https://forge.example', path: '/', method: 'GET' } as const
      const sentRequest = sendRequest({ dispatch }, options, 60_000, undefined, sink)
      for (const step of steps) {
        now += 3_000
        step(sentRequest)
      }
      now += 7_000
      sentRequest.stop(cancelled())
      return failed
    }
    const head = () => handler.onResponseStart?.(controller, 200, {})
    const data = () => handler.onResponseData?.(controller, chunk)
    const pause = (sentRequest: SentRequest) => sentRequest.pause()
    const resume = (sentRequest: SentRequest) => sentRequest.resume()
    t.equal(silentMs(), 7_000)
    t.equal(silentMs(head), 7_000)
    t.equal(silentMs(head, data, data), 7_000)
    t.equal(
      silentMs(head, () => {}),
      10_000
    )
    t.equal(silentMs(head, data, pause), 0)
    t.equal(silentMs(head, data, pause, resume), 7_000)
    t.equal(silentMs(head, data, resume), 10_000, 'an answer that did not wait does not begin again')
  }
)
