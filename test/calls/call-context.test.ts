import t from 'tap'
import { CallContext, type CallParts, type ContextParts } from '../../src/calls/call-context.ts'
import type { AnswerParts } from '../../src/protocol/exchange/exchange.ts'

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
