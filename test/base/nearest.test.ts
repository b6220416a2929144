import t from 'tap'
import { nearest } from '../../src/base/nearest.ts'
import { held, yardstick } from '../support/event-loop.ts'

t.test('a short name that has half of its letters in common with another is not meant as that', async t => {
  t.equal(nearest('name', ['page', 'per_page', 'active']), undefined)
  t.equal(nearest('stage', ['page', 'scope']), undefined)
  t.equal(nearest('mian', ['page', 'main']), 'main')
  t.equal(nearest('pge', ['page']), 'page')
  t.equal(nearest('tags', ['page', 'tag']), 'tag')
})

t.test('names of a hostile forge are passed over when they are long, and compared so far', async t => {
  t.equal(nearest('lable', ['x'.repeat(10_000_000), 'label']), 'label')
  const ten = await yardstick()
  const wanted = 'y'.repeat(100)
  for (const names of [
    ['z'.repeat(9_900_000)],
    Array.from({ length: 190_000 }, (_, at) => `${at}`.padEnd(80, 'z'))
  ]) {
    const ms = await held(() => nearest(wanted, names))
    t.ok(ms < 3 * ten, `${ms} ms`)
  }
})
