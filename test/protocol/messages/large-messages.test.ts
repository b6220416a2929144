import t from 'tap'
import { LARGE_MESSAGE, LargeMessages, readSmallText } from '../../../src/protocol/messages/large-messages.ts'
import { MAX_NAMES } from '../../../src/protocol/messages/message-text.ts'

const messages = new LargeMessages()
t.teardown(() => messages.close())
const ada = { caller: 'ada', signal: undefined }

t.test('a large message is what it would be if it were small', async t => {
  const message = { jsonrpc: '2.0', id: 1, method: 'ping', params: { pad: 'é'.repeat(LARGE_MESSAGE) } }
  t.same((await messages.read(JSON.stringify(message), ada)).message, message)
})

/** An object of so many names, one value each. */
const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 0]))

t.test('a message of many values is a large one, however short it is', async t => {
  const values = (count: number) => JSON.stringify(Array(count - 1).fill(0))
  t.match(readSmallText(values(MAX_NAMES)), { message: Array(MAX_NAMES - 1).fill(0), weight: 65_999 })
  t.equal(readSmallText(values(MAX_NAMES + 1)), undefined)
  t.equal(readSmallText(`"${'x'.repeat(LARGE_MESSAGE)}"`), undefined)
  t.match(readSmallText('[0,'), { fault: 'broken' })
  t.same(readSmallText('['.repeat(200)), { fault: 'deep' })
})

t.test('its names may be many, and so many different ones', async t => {
  const most = [named(MAX_NAMES), ...Array(10).fill(named(150))]
  t.same((await messages.read(JSON.stringify(most), ada)).message, most)
  for (const more of [named(MAX_NAMES + 1), [named(MAX_NAMES), { a: { b: 0 } }]])
    await t.rejects(messages.read(JSON.stringify(more), ada), {
      name: 'Refusal',
      status: 413,
      message: 'The body has more than 1000 different names of fields.'
    })
})

t.test('one that is none is refused in the same words', async t => {
  const pad = ' '.repeat(LARGE_MESSAGE)
  const refused: [text: string, status: number, message: RegExp][] = [
    [pad, 400, /there is no message/],
    [`{"a":${pad}`, 400, /^Parse error/],
    [`{"__proto__":${pad}{}}`, 400, /forbidden prototype property/],
    [`${'['.repeat(LARGE_MESSAGE)}`, 400, /nested deeper/],
    [`[${'1,'.repeat(LARGE_MESSAGE)}1]`, 413, /more than 20000 values/]
  ]
  for (const [text, status, message] of refused)
    await t.rejects(messages.read(text, ada), { name: 'Refusal', status, message })
})

t.test('one whose sender leaves while it waits is not read', async t => {
  const gone = new AbortController()
  const first = messages.read(JSON.stringify(['x'.repeat(LARGE_MESSAGE)]), ada)
  const second = messages.read('[]', { caller: 'ben', signal: gone.signal })
  gone.abort()
  await t.rejects(second, { name: 'Refusal', status: 499 })
  await first
})
