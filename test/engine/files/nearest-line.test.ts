import t from 'tap'
import { nearestLine } from '../../../src/engine/files/nearest-line.ts'
import { cpuMsOf } from '../../support/event-loop.ts'

const file = 'const rate = 12\n\n\tif (burning) {\n    tank.level -= rate\n}\n'

t.test('a line that differs by its blanks alone is meant', async t => {
  t.same(nearestLine(file, '  if (burning)  {'), { number: 3, line: '\tif (burning) {' })
  t.same(nearestLine(file, '\tif (burning) {\n\ttank.level -= rate'), {
    number: 4,
    line: '    tank.level -= rate'
  })
})

t.test('else the line nearest to the first that is not there, or none', async t => {
  t.same(nearestLine(file, 'const rates = 10'), { number: 1, line: 'const rate = 12' })
  t.equal(nearestLine(file, 'something else altogether'), undefined)
  t.equal(nearestLine(file, ' \n '), undefined)
  t.equal(nearestLine('', 'x'), undefined)
})

t.test('texts that are made to be slow are compared in little time', async t => {
  const took = await cpuMsOf(() => {
    nearestLine(`${'a'.repeat(1000)}\n`.repeat(1000), `${'a'.repeat(500)}b\n`.repeat(5000))
    nearestLine('a'.repeat(1_000_000), `${'a'.repeat(400_000)}b`)
  })
  t.ok(took < 2000, `${took} ms`)
})
