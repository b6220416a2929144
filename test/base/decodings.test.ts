import t from 'tap'
import { decodings } from '../../src/base/decodings.ts'

t.test(
  'a text is read as it is and after each decoding, and one that is encoded four times not at all',
  async t => {
    const twice = 'a%252Fb'
    t.same(decodings('a/b'), ['a/b'])
    t.same(decodings(twice), [twice, 'a%2Fb', 'a/b'])
    t.same(decodings(encodeURIComponent(twice)), ['a%25252Fb', twice, 'a%2Fb', 'a/b'])
    t.equal(decodings(encodeURIComponent(encodeURIComponent(twice))), undefined)
  }
)
