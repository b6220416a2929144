import t from 'tap'
import { nameFolder, sameName } from '../../../src/engine/arguments/same-name.ts'

t.test('a name is the same in another case', async t => {
  const isAda = sameName('Ada.L')
  t.ok(isAda('ada.l'))
  t.ok(isAda('ADA.L'))
  t.notOk(isAda('ada.b'))
  t.notOk(isAda('ada.lo'))
})

t.test('what is no text is no name', async t => {
  t.notOk(sameName('undefined')(undefined))
  t.notOk(sameName('1,2')([1, 2]))
})

t.test('of a name longer than any, the case of letters counts', async t => {
  const long = 'Ab'.repeat(128)
  t.ok(sameName(long)(long))
  t.notOk(sameName(long)(long.toLowerCase()))
  t.ok(sameName(long.slice(1))(long.slice(1).toUpperCase()))
})

t.test('after very many names, those that are not in small letters are left as they are', async t => {
  const isSame = sameName('Ab'.repeat(100))
  for (let at = 0; at < 1500; at++) isSame('x'.repeat(200))
  t.ok(isSame('Ab'.repeat(100)))
  t.notOk(isSame('AB'.repeat(100)))
  const folded = nameFolder()
  for (let at = 0; at < 1500; at++) folded('X'.repeat(200))
  t.equal(folded('X'), 'X')
})
