import t from 'tap'
import { Type } from 'typebox'
import { secretHider } from '../../../src/engine/arguments/secret-arguments.ts'
import { optional, secret, text } from '../../../src/engine/rows/fields.ts'
import { ForgeError, ForgeStatusError, SaidInstead } from '../../../src/upstream/errors.ts'

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

t.test('a secret inside a list of records is one, too', async t => {
  const variables = Type.Array(Type.Object({ key: text(), value: secret() }))
  const error = new Error('B: value-of-b is no good, A: value-of-a is')
  const args = {
    variables: [
      { key: 'A', value: 'value-of-a' },
      { key: 'B', value: 'value-of-b' }
    ]
  }
  secretHider(Type.Object({ variables }))(error, args)
  t.equal(error.message, 'B: [value] is no good, A: [value] is')
})

t.test('of a long secret the beginning is taken out, too, where a message was cut', async t => {
  const password = 'abcdefghijklmnopqrstuvwxyz'
  const error = new Error(`whole ${password}, cut ${password.slice(0, 20)}`)
  hide(error, { name: 'ada', password })
  t.equal(error.message, 'whole [password], cut [password]')
})

t.test('a secret is taken out in each form in which a forge quotes it, and line by line', async t => {
  const password = 'first line\nüS3cr3t "two"\nx'
  const inJson = JSON.stringify(password)
  const said = [password, inJson, JSON.stringify(inJson), encodeURIComponent(password), 'üS3cr3t "two"', 'x']
  const error = new Error(said.join('; '))
  hide(error, { name: 'ada', password })
  t.equal(error.message, '[password]; "[password]"; "\\"[password]\\""; [password]; [password]; x')
})

t.test('a secret is taken out of what a forge says in place of a record, too', async t => {
  const error = new SaidInstead('record', 'no to "correct horse"')
  hide(error, { name: 'ada', password: 'correct horse' })
  t.equal(error.words, 'no to "[password]"')
})

t.test('names that stand in place of secrets are not looked through again', async t => {
  const lines = ['password', '[passwor', 'assword]']
  const error = new Error('no [password] here '.repeat(20))
  hide(error, { name: 'ada', password: lines.join('\n') })
  t.equal(error.message, 'no [password] here '.repeat(20))
})

t.test('what a forge says of secrets beyond what can be looked for in time is left out', async t => {
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at} of a key`).join('\n')
  const said = (message: string, password: string) => {
    const error = new ForgeStatusError(400, message)
    hide(error, { name: 'ada', password })
    return error.message
  }
  t.equal(said('line 7 of a key is no good', lines(250)), '[password] is no good')
  t.match(said('line 7 of a key is no good', lines(600)), /^\(left out, as it may quote/)
  t.match(said('no', 'a'.repeat(25_000)), /^\(left out/)
  t.match(said('aaaa '.repeat(600), 'aaaa'), /^\(left out/)
})

t.test('beyond that, too, our own messages are told, without the secrets that can be looked for', async t => {
  const password = `correct horse${'a'.repeat(25_000)}`
  const said = <Failure extends Error>(error: Failure) => {
    hide(error, { name: 'ada', password })
    return error
  }
  t.equal(said(new Error('no "correct horseaaaa" for ada')).message, 'no "[password]" for ada')
  t.equal(said(new ForgeError('timeout', 'It took too long.')).message, 'It took too long.')
  t.match(said(new ForgeError('graphql', 'no')).message, /^\(left out/)
  const instead = said(new SaidInstead('record', 'no'))
  t.match(instead, { message: 'The forge gave no record', words: /those sent are too long or too many/ })
})
