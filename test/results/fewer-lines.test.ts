import t from 'tap'
import { areMany, fewerLines, linesOf } from '../../src/results/fewer-lines.ts'

t.test('lines that are gone are many from ten on, if they were a quarter', async t => {
  t.ok(areMany(10, 30))
  t.notOk(areMany(10, 31))
  t.notOk(areMany(9, 0))
})

t.test('lines of texts are counted together, without blank ones at their ends', async t => {
  t.equal(linesOf(['a\n\nb\r\n\n', 'c']), 4)
  t.equal(linesOf([]), 0)
})

t.test('nothing is said of texts of more lines than are counted', async t => {
  t.equal(linesOf([`${'\n'.repeat(50_000)}a`]), undefined)
  t.equal(fewerLines('content', `${'a\n'.repeat(50_000)}a`, 'a', 'get_it'), undefined)
  t.match(fewerLines('content', `${'a\n'.repeat(49_999)}a`, 'a'), / had 50000 lines, .* what was there\.$/)
})
