import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { answerPipedIn } from '../../src/stdio/piped-in.ts'

const saidTo = async (start: string, isTTY = false): Promise<string> => {
  const input = Object.assign(new PassThrough(), { isTTY })
  const errors = new PassThrough()
  answerPipedIn(input, errors)
  input.write(start)
  await new Promise(setImmediate)
  errors.end()
  return text(errors)
}

t.test(
  'a client that speaks to the standard input of a server over HTTP is told the switch, once',
  async t => {
    const said = await saidTo('{"jsonrpc":"2.0","id":0,"method":"initialize"}\n')
    t.match(said, /STREAMABLE_HTTP=false/)
    t.equal(said.match(/STREAMABLE_HTTP/g)?.length, 1)
  }
)

t.test('what is no message, or comes from a terminal, is not answered', async t => {
  t.equal(await saidTo('some text\n'), '')
  t.equal(await saidTo('{"jsonrpc":"2.0"}\n', true), '')
})
