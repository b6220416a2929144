import t from 'tap'
import { LARGE_MESSAGE, LargeMessages } from '../../src/protocol/large-messages.ts'

const messages = new LargeMessages()
t.teardown(() => messages.close())
const ada = { caller: 'ada', signal: undefined }

t.test('a large message is what it would be if it were small', async t => {
  const message = { jsonrpc: '2.0', id: 1, method: 'ping', params: { pad: 'é'.repeat(LARGE_MESSAGE) } }
  t.same(await messages.read(JSON.stringify(message), ada), message)
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
