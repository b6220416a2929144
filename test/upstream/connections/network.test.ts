import t from 'tap'
import { checkSettings } from '../../../src/config/load.ts'
import { scrub } from '../../../src/upstream/answers/said.ts'
import { createNetwork } from '../../../src/upstream/connections/network.ts'
import type { Dispatching } from '../../../src/upstream/connections/sent-request.ts'

t.test('what is given up at callers’ forges counts for none of the operator’s, at the same origin', t => {
  const network = createNetwork(checkSettings({ FORGE_API_URL: 'https://forge.example/api/v4' }))
  const [home, one, another] = (['home', 'callers', 'callers'] as const).map(of => {
    const dispatcher = network.dispatcher(of)
    t.teardown(() => dispatcher.destroy())
    return (dispatcher as Dispatching).givenUp!
  })
  for (let sent = 0; sent < 128; sent++) one!.add('192.0.2.1', 'https://forge.example')
  t.ok(another!.isFull('192.0.2.1', 'https://forge.example'), 'of all callers’ forges together')
  t.notOk(home!.isFull('192.0.2.1', 'https://forge.example'))
  t.end()
})

t.test('the credentials of the proxies that it goes through are told nobody', async t => {
  createNetwork(checkSettings({ HTTP_PROXY: 'http://op:S3cretPw@proxy.example' }))
  t.equal(scrub('refused: b3A6UzNjcmV0UHc= and S3cretPw', 'token'), 'refused: [redacted] and [redacted]')
})
