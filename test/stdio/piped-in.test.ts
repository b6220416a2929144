import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { answerPipedIn } from '../../src/stdio/piped-in.ts'

async function saidTo(start: string, isTTY = false): Promise<{ answer: string; said: string }> {
  const input = Object.assign(new PassThrough(), { isTTY })
  const [output, errors] = [new PassThrough(), new PassThrough()]
  answerPipedIn(input, output, errors)
  input.write(start)
  await new Promise(setImmediate)
  output.end()
  errors.end()
  return { answer: await text(output), said: await text(errors) }
}

t.test('a client that speaks to the standard input of a server over HTTP is told the switch', async t => {
  const { answer, said } = await saidTo('{"jsonrpc":"2.0","id":0,"method":"initialize"}\n{"jsonrpc":"2.0"}\n')
  t.match(said, /set STREAMABLE_HTTP=false/)
  t.match(JSON.parse(answer), { id: 0, error: { message: /set STREAMABLE_HTTP=false/ } })
  const half = await saidTo('{"jsonrpc":"2.0","id":0,"method":"initi')
  t.match(half, { answer: '', said: /set STREAMABLE_HTTP=false/ })
})

t.test('it is told when such a client has gone, but not of other input that ends', async t => {
  const endOf = async (sent: string) => {
    const input = new PassThrough()
    let isOver = false
    answerPipedIn(input, new PassThrough(), new PassThrough()).then(() => {
      isOver = true
    })
    input.write(sent)
    await new Promise(setImmediate)
    t.equal(isOver, false, 'before the input ends')
    input.end('more\n')
    await new Promise(setImmediate)
    return isOver
  }
  t.equal(await endOf('{"jsonrpc":"2.0","id":0,"method":"initialize"}\n'), true)
  for (const other of ['some text\n', '{"of":"another"}\n']) t.equal(await endOf(other), false, other)
})

t.test('what is no message, or comes from a terminal, is not answered', async t => {
  t.same(await saidTo('some text\n'), { answer: '', said: '' })
  t.same(await saidTo('{"jsonrpc":"2.0","id":0}\n', true), { answer: '', said: '' })
})
