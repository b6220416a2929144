import { get } from 'node:http'
import { connect, type LookupFunction } from 'node:net'
import t from 'tap'
import { request } from 'undici'
import { listen } from './support/listen.ts'

/** As a resolver would be that says where each name is. */
const leadsTo =
  (address: string): LookupFunction =>
  (_host, options, callback) =>
    options.all ? callback(null, [{ address, family: 4 }]) : callback(null, address, 4)

const failure = (open: (fail: (error: Error) => void) => unknown): Promise<Error> =>
  new Promise(resolve => open(resolve))

t.test('no test reaches what is beyond this machine, by whatever way', async t => {
  const refused = /tests do not go to the network: (192\.0\.2\.1|forge\.example)/
  for (const host of ['192.0.2.1', 'forge.example']) {
    t.match(await failure(fail => connect(80, host).on('error', fail)), { message: refused }, 'a socket')
    t.match(
      await failure(fail => get(`http://${host}`).on('error', fail)),
      { message: refused },
      'a request of Node'
    )
    await t.rejects(fetch(`http://${host}`), { cause: { message: refused } }, 'fetch')
    await t.rejects(request(`https://${host}`), { message: refused }, 'undici, over TLS')
  }
})

t.test('a name goes where it leads, unless that is beyond this machine', async t => {
  const { port } = new URL(await listen(t, (_request, response) => response.end('here')))
  const ask = (address: string) =>
    new Promise<number | Error>(resolve =>
      get(`http://forge.example:${port}`, { lookup: leadsTo(address), agent: false }, response => {
        response.resume()
        resolve(response.statusCode!)
      }).on('error', resolve)
    )
  t.equal(await ask('127.0.0.1'), 200)
  t.match(await ask('192.0.2.1'), { message: 'tests do not go to the network: forge.example (192.0.2.1)' })
})
