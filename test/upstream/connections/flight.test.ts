import t from 'tap'
import type { Dispatcher } from 'undici'
import { type Dispatching, launch } from '../../../src/upstream/connections/flight.ts'
import { ForgeError } from '../../../src/upstream/errors.ts'

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
  launch(dispatcher, options, 60_000, undefined, sink).stop(new ForgeError('timeout', 'too late'))
  return failed
}

t.test('a request that is given up tells whether the forge had answered anything', async t => {
  t.match(givenUp(undefined), { fault: 'timeout', isUnanswered: true })
  t.match(givenUp(200), { fault: 'timeout', isUnanswered: false })
  t.match(givenUp(103), { isUnanswered: false }, 'as also an informational answer does')
})
