import t from 'tap'
import { Cancellation } from '../../../src/base/cancellation.ts'
import { exchangeOf } from '../../../src/protocol/exchange/exchange-of.ts'

const TOKEN = 'glpat-own-token-of-the-caller'

const begun = (streams: boolean) => {
  const said: string[] = []
  const gone = new Cancellation()
  let token = TOKEN
  const given = {
    get session() {
      return { credential: { kind: 'private-token', token } }
    },
    streams
  }
  const exchange = exchangeOf(given as never, gone, message => said.push(message))
  return {
    exchange,
    gone,
    said,
    renew(newer: string) {
      token = newer
    }
  }
}

t.test('what is said before an answer has no token of the caller, also not one that was renewed', async t => {
  const { exchange, renew, said } = begun(true)
  exchange.notify(`{"text":"${TOKEN}"}`)
  renew('glpat-newer-token-of-the-caller')
  exchange.notify('{"text":"glpat-newer-token-of-the-caller"}')
  t.same(said, ['{"text":"[token]"}', '{"text":"[token]"}'])
})

t.test('nothing is said before an answer to a client that accepts the answer alone', async t => {
  const { exchange, said } = begun(false)
  exchange.notify('{}')
  t.same(said, [])
})

t.test('who cancels an exchange stops it', async t => {
  const { exchange, gone } = begun(true)
  exchange.cancel!()
  t.ok(gone.aborted)
})
