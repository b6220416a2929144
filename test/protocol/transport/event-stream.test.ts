import { once } from 'node:events'
import t from 'tap'
import { EventStream } from '../../../src/protocol/transport/event-stream.ts'
import { stayAwake } from '../../support/stay-awake.ts'

stayAwake(t)

const wait = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

t.test(
  'messages are events, a quiet stream says that it is still there, and it ends with the answer',
  async t => {
    const stream = new EventStream(20)
    let text = ''
    stream.body.on('data', chunk => {
      text += chunk
    })
    stream.notify('{"a":1}')
    await wait(70)
    stream.end('{"b":2}')
    await once(stream.body, 'end')
    t.match(
      text,
      /^event: message\ndata: \{"a":1\}\n\n(: still here\n\n)+event: message\ndata: \{"b":2\}\n\n$/
    )
  }
)

t.test('what is not taken is bounded, and who takes nothing is given up', async t => {
  const stream = new EventStream(20)
  const closed = once(stream.body, 'close')
  const message = `"${'x'.repeat(1000)}"`
  for (let sent = 0; sent < 1000; sent++) stream.notify(message)
  t.ok(stream.body.readableLength <= 80 * 1024)
  await closed
  t.ok(stream.body.destroyed)
})

t.test('who reads slowly is not', async t => {
  const stream = new EventStream(40)
  t.teardown(() => stream.body.destroy())
  for (let sent = 0; sent < 30; sent++) stream.notify(`"${'x'.repeat(1000)}"`)
  for (let reads = 0; reads < 12; reads++) {
    stream.body.read(1000)
    await wait(20)
  }
  t.notOk(stream.body.destroyed)
})
