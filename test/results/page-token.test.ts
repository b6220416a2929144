import t from 'tap'
import { tokenParameter } from '../../src/results/page-token.ts'

t.test('a token of a page stands for the parameter that it names', async t => {
  t.same(tokenParameter('id_after=7'), ['id_after', '7'])
  t.same(tokenParameter('x'.repeat(1000)), ['page_token', 'x'.repeat(1000)])
})

t.test(
  'a token that no list gives is refused before a forge is asked: an empty one, and a long one',
  async t => {
    for (const token of ['', 'x'.repeat(1001), `cursor=${'x'.repeat(1000)}`])
      t.throws(() => tokenParameter(token), { message: /page_token.*next_page_token/ })
  }
)
