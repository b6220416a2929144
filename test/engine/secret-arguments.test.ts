import t from 'tap'
import { Type } from 'typebox'
import { optional, secret, text } from '../../src/catalog/fields.ts'
import { secretHider } from '../../src/engine/secret-arguments.ts'

const hide = secretHider(Type.Object({ name: text(), password: optional(secret()) }))

t.test('a secret argument is taken out of what a failure says, wherever it stands', async t => {
  const error = new Error('no "correct horse" for ada: correct horse')
  t.equal(hide(error, { name: 'ada', password: 'correct horse' }), error)
  t.equal(error.message, 'no "[password]" for ada: [password]')
})

t.test('other arguments stay, and so does a text too short to be a password', async t => {
  const error = new Error('the name ada is taken')
  hide(error, { name: 'ada', password: 'the' })
  hide(error, { name: 'ada' })
  t.equal(error.message, 'the name ada is taken')
})

t.test('what is no error is left alone', async t => {
  t.equal(hide('text', { password: 'text' }), 'text')
})
