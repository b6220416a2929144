import { PassThrough, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { answerBeforeEnd, answerPipedIn } from '../../src/stdio/piped-in.ts'

const initialize = '{"jsonrpc":"2.0","id":0,"method":"initialize"}\n'

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

t.test('a server goes on where nobody reads any more what such a client is told', async t => {
  const input = new PassThrough()
  const gone = () =>
    new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('x'), { code: 'EPIPE' }))
    })
  const [output, errors] = [gone(), gone()]
  answerPipedIn(input, output, errors)
  input.write(initialize)
  await new Promise(setImmediate)
  t.ok(output.destroyed && errors.destroyed, 'and no error is left to end the process')
})

t.test('what is no message, or comes from a terminal, is not answered', async t => {
  t.same(await saidTo('some text\n'), { answer: '', said: '' })
  t.same(await saidTo('{"jsonrpc":"2.0","id":0}\n', true), { answer: '', said: '' })
})

async function lastWords(input: PassThrough, isTTY = false): Promise<string> {
  const output = new PassThrough()
  await answerBeforeEnd(Object.assign(input, { isTTY }), output, 'cannot start: why')
  output.end()
  return text(output)
}

t.test('a request that waits for a program that cannot start is answered with the reason', async t => {
  const input = new PassThrough()
  input.write(initialize)
  t.match(JSON.parse(await lastWords(input)), { id: 0, error: { message: 'cannot start: why' } })
})

t.test('a program that cannot start waits for a client no longer than its first words may take', async t => {
  const began = performance.now()
  t.equal(await lastWords(new PassThrough()), '', 'of silent input')
  t.ok(performance.now() - began < 5000)
})

t.test('what is no request, is typed, or is read already has no answer from a program that ends', async t => {
  const closed = new PassThrough()
  closed.end()
  t.equal(await lastWords(closed), '', 'of input that is empty')
  const [other, typed, taken] = [new PassThrough(), new PassThrough(), new PassThrough()]
  for (const input of [typed, taken]) input.write(initialize)
  other.write('some text\n')
  t.equal(await lastWords(other), '')
  t.equal(await lastWords(typed, true), '')
  answerPipedIn(taken, new PassThrough(), new PassThrough())
  t.equal(await lastWords(taken), '')
})
