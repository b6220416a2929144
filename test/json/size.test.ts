import t from 'tap'
import { isLongerThan, jsonLength } from '../../src/json/size.ts'

t.test('a value is as long as its JSON, where nothing is escaped', async t => {
  const values = [
    'text',
    '',
    [],
    {},
    [1, 2, 3],
    { a: 1, b: 'two', c: [], d: { e: 5 } },
    [[], {}, ['x', { y: 'z' }], 7],
    { gone: undefined, here: 1 },
    [123456, -1.5, true, false, null, { nothing: null }],
    { gone: undefined }
  ]
  for (const value of values) {
    const { length } = JSON.stringify(value)
    t.equal(jsonLength(value), length)
    t.equal(isLongerThan(value, length), false, JSON.stringify(value))
    t.ok(isLongerThan(value, length - 2), JSON.stringify(value))
  }
})

t.test('no more of it is looked at than that takes', async t => {
  let seen = 0
  const item = () => Object.defineProperty({}, 'x', { enumerable: true, get: () => ++seen })
  t.ok(isLongerThan(Array.from({ length: 10_000 }, item), 100))
  t.ok(seen < 100, `${seen} values`)
})

t.test('a text with half a character counts as all of it would be written', async t => {
  const text = '\ud800'.repeat(100)
  t.ok(isLongerThan(text, 500))
  t.equal(isLongerThan(text, JSON.stringify(text).length), false)
})
