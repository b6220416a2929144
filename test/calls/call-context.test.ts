import t from 'tap'
import { Cancellation, type CancelSignal } from '../../src/base/cancellation.ts'
import { CallContext, type CallParts, type ContextParts } from '../../src/calls/call-context.ts'
import { form } from '../../src/engine/consent/question.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import type { WorkOwner } from '../../src/fairness/fair-queue.ts'
import type { AnswerParts } from '../../src/protocol/exchange/exchange.ts'
import { pause } from '../../src/upstream/guard/pause.ts'
import { withoutExcluded } from '../../tools/families/files/excluded-files.ts'

const contextOf = (parts: Partial<AnswerParts> | undefined): CallContext =>
  new CallContext({} as ContextParts, { meta: {}, exchange: { parts } } as unknown as CallParts)

t.test('each part of a call takes a turn among the requests of its address', async t => {
  let asked = 0
  const context = contextOf({ next: async () => void asked++ })
  await context.nextPart()
  await context.nextPart()
  t.equal(asked, 2)
})

t.test('where nobody else is served a part begins in the next turn of the event loop', async t => {
  const order: string[] = []
  setImmediate(() => order.push('another'))
  await contextOf(undefined).nextPart()
  t.same(order, ['another'])
})

t.test('the web addresses that a call looks up are counted together', async t => {
  const forge = { webUrl: 'https://forge.example' }
  const call = { meta: {}, forge } as unknown as CallParts
  const [context, another] = [call, call].map(parts => new CallContext({} as ContextParts, parts))
  const address = `https://forge.example/acme/rocket/-/issues/1?${'x'.repeat(4_000)}`
  for (let at = 0; at < 2; at++) t.equal(context!.readWebUrl(address).kind, 'issue')
  t.throws(() => context!.readWebUrl(address), { message: /more than 8192 characters together/ })
  t.equal(another!.readWebUrl(address).kind, 'issue', 'of each call for itself')
})

/** A context whose forge is told to drop what it keeps, and a client that never answers. */
function withoutRoom() {
  const lost = new Error('no room')
  const forge = {
    async waits(wait: (signal: CancelSignal) => Promise<unknown>) {
      const signal = new Cancellation()
      const waited = wait(signal)
      waited.catch(() => {})
      signal.abort()
      throw lost
    }
  }
  const asker = { can: () => true, ask: () => new Promise(() => {}) }
  const call = { meta: { asker }, forge, tool: {}, exchange: { session: {} } } as unknown as CallParts
  return { context: new CallContext({} as ContextParts, call), lost }
}

t.test('a pause, and a question to a person, last no longer than there is room for what is kept', async t => {
  const { context, lost } = withoutRoom()
  await t.rejects(context.pause(600_000), lost)
  await t.rejects(context.ask({ sure: form('Sure?', {}) }), lost)
})

t.test('a pause ends when the caller has gone, of a write too', async t => {
  const signal = new Cancellation()
  // Of a write, as its requests go on.
  const forge = { waits: (wait: (signal: CancelSignal) => Promise<unknown>) => wait(new Cancellation()) }
  const call = { meta: {}, forge, exchange: { signal } } as unknown as CallParts
  const paused = new CallContext({} as ContextParts, call).pause(600_000)
  signal.abort()
  await t.rejects(paused, { name: 'ForgeError', message: 'The call was cancelled.' })
})

t.test('what a call waits for a person, and for the forge to have done something, is known', async t => {
  const forge = { waits: (wait: (signal: CancelSignal) => Promise<unknown>) => wait(new Cancellation()) }
  const asker = { can: () => true, ask: () => pause(30).then(() => ({})) }
  const call = { meta: { asker }, forge, tool: {}, exchange: { session: {} } } as unknown as CallParts
  const context = new CallContext({} as ContextParts, call)
  await context.ask({ sure: form('Sure?', {}) })
  t.ok(context.waitedMs >= 29)
  await context.pause(30)
  t.ok(context.waitedMs >= 58)
})

t.test('so does the wait of paths to be matched, which are dropped', async t => {
  const { context, lost } = withoutRoom()
  const signals: unknown[] = []
  const patterns = { match: (_: unknown, { signal }: WorkOwner) => new Promise(() => signals.push(signal)) }
  const matching = { caller: 'ada', forge: context.forge, patterns } as unknown as ToolContext
  await t.rejects(withoutExcluded([{ new_path: 'a' }], ['b'], matching), lost)
  t.match(signals, [{ aborted: true }])
})
