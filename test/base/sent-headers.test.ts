import t from 'tap'
import { placesOfHeader } from '../../src/base/sent-headers.ts'

t.test('a header is found in each of its places, in any case, and its name in no value', async t => {
  const raw = ['Host', 'a.example', 'Accept', 'host', 'HOST', 'b.example', 'X-Host', 'c.example']
  t.same(placesOfHeader(raw, 'host'), [0, 4])
  t.same(placesOfHeader(raw, 'origin'), [])
})
