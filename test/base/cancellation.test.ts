import t from 'tap'
import { Cancellation } from '../../src/base/cancellation.ts'

t.test('listeners are called once, and those taken off not at all', async t => {
  const cancellation = new Cancellation()
  const called: string[] = []
  const [one, two] = ['one', 'two'].map(name => () => void called.push(name))
  cancellation.addEventListener('abort', one!)
  cancellation.addEventListener('abort', two!)
  cancellation.removeEventListener('abort', one!)
  t.equal(cancellation.aborted, false)
  cancellation.abort()
  cancellation.abort()
  t.equal(cancellation.aborted, true)
  t.same(called, ['two'])
})

t.test('a listener may take itself and others off while it is called', async t => {
  const cancellation = new Cancellation()
  const called: string[] = []
  const last = () => void called.push('last')
  const first = () => {
    called.push('first')
    cancellation.removeEventListener('abort', first)
    cancellation.removeEventListener('abort', last)
  }
  for (const listener of [first, last]) cancellation.addEventListener('abort', listener)
  cancellation.abort()
  t.same(called, ['first', 'last'], 'it is the ending of all of them')
})
