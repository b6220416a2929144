import t from 'tap'
import { Rotation } from '../../src/seal/rotation.ts'

const secrets = (OAUTH_STATELESS_SECRET: string, OAUTH_STATELESS_SECRET_PREVIOUS = '') => ({
  OAUTH_STATELESS_SECRET,
  OAUTH_STATELESS_SECRET_PREVIOUS
})

/** Whether each change loses the next secret. @param steps the secrets at the start, and then after each */
const losses = (...[first, ...changes]: readonly ReturnType<typeof secrets>[]) => {
  const rotation = new Rotation(first!)
  return changes.map(change => rotation.loses(change))
}

t.test('a rotation of three steps loses nothing, nor does the next one', async t => {
  const steps = [
    secrets('one', 'two'),
    secrets('two', 'one'),
    secrets('two'),
    secrets('two', 'three'),
    secrets('three', 'two'),
    secrets('three')
  ]
  t.same(losses(secrets('one'), ...steps), Array(6).fill(false))
})

t.test('one whose second step was left out loses the secret that was to be the next', async t => {
  t.same(losses(secrets('one'), secrets('one', 'two'), secrets('one')), [false, true])
  t.same(
    losses(secrets('one'), secrets('one', 'two'), secrets('one', 'other'), secrets('one')),
    [false, false, true],
    'whichever it was at last'
  )
})

t.test('a secret that was current before is not lost, nor one of which that is not known', async t => {
  t.same(losses(secrets('two', 'one'), secrets('two')), [false], 'it was there at the start')
  t.same(
    losses(secrets('one'), secrets('two'), secrets('two', 'one'), secrets('two')),
    [false, false, false],
    'it was put back for its sessions'
  )
  t.same(losses(secrets('one'), secrets('one', 'two'), secrets('three')), [false, false], 'after a leak')
})
