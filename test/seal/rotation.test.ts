import t from 'tap'
import { Rotation } from '../../src/seal/rotation.ts'

const secrets = (OAUTH_STATELESS_SECRET: string, OAUTH_STATELESS_SECRET_PREVIOUS = '') => ({
  OAUTH_STATELESS_SECRET,
  OAUTH_STATELESS_SECRET_PREVIOUS
})

const LIVE_MS = 1000

/** What each change loses. @param steps the secrets at the start, and then after each; a number is time that passes, and `used` a use of the previous secret */
const losses = (...[first, ...changes]: readonly (ReturnType<typeof secrets> | number | 'used')[]) => {
  let now = 0
  const rotation = new Rotation(first as ReturnType<typeof secrets>, LIVE_MS, () => now)
  return changes.flatMap(change => {
    if (typeof change === 'object') return [rotation.loses(change)]
    if (change === 'used') rotation.used()
    else now += change
    return []
  })
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
  t.same(losses(secrets('one'), ...steps), Array(6).fill(undefined))
})

t.test(
  'the second step made again, for a third secret, loses the first one whose values still live',
  async t => {
    const begun = [secrets('one'), secrets('two', 'one')]
    t.same(losses(...begun, secrets('three', 'two')), [undefined, 'oldest'])
    t.same(losses(secrets('one'), secrets('one', 'two'), ...begun.slice(1), secrets('three', 'two')), [
      undefined,
      undefined,
      'oldest'
    ])
    t.same(losses(...begun, LIVE_MS, secrets('three', 'two')), [undefined, undefined], 'it lives no more')
    t.same(losses(...begun, secrets('one', 'two')), [undefined, undefined], 'that goes back a step')
    t.same(losses(...begun, secrets('three')), [undefined, undefined], 'after a leak')
    t.same(
      losses(secrets('two', 'one'), secrets('three', 'two')),
      [undefined],
      'that was not seen to be current'
    )
  }
)

t.test('one whose second step was left out loses the secret that was to be the next', async t => {
  t.same(losses(secrets('one'), secrets('one', 'two'), secrets('one')), [undefined, 'next'])
  t.same(
    losses(secrets('one'), secrets('one', 'two'), secrets('one', 'other'), secrets('one')),
    [undefined, undefined, 'next'],
    'whichever it was at last'
  )
})

t.test('a secret that was current before is not lost, nor one of which that is not known', async t => {
  t.same(losses(secrets('two', 'one'), secrets('two')), [undefined], 'it was there at the start')
  t.same(
    losses(secrets('one'), secrets('two'), secrets('two', 'one'), secrets('two')),
    [undefined, undefined, undefined],
    'it was put back for its sessions'
  )
  t.same(
    losses(secrets('one'), secrets('one', 'two'), secrets('three')),
    [undefined, undefined],
    'after a leak'
  )
})

t.test('the first step made again after the second loses the secret whose values still live', async t => {
  const begun = [secrets('one'), secrets('one', 'two'), secrets('two', 'one')]
  t.same(losses(...begun, secrets('two', 'three')), [undefined, undefined, 'former'])
  t.same(
    losses(...begun, secrets('two', 'three'), secrets('two', 'one'), secrets('two')),
    [undefined, undefined, 'former', undefined, undefined],
    'and nothing is lost by putting it back'
  )
  t.same(
    losses(...begun, LIVE_MS, secrets('two', 'three')),
    [undefined, undefined, undefined],
    'nor by the next rotation, whose first step takes the place of the third'
  )
  t.same(
    losses(secrets('one'), secrets('one', 'two'), secrets('one', 'three')),
    [undefined, undefined],
    'before the second it may be made again'
  )
})

t.test('the third step made too early loses what is in use', async t => {
  const begun = [secrets('one'), secrets('one', 'two'), secrets('two', 'one')]
  const fine = [undefined, undefined]
  t.same(losses(...begun, 'used', 500, secrets('two')), [...fine, 'used'])
  t.same(
    losses(...begun, 'used', secrets('one', 'two'), 'used', secrets('one')),
    [...fine, undefined, 'used'],
    'on the way back, too'
  )
  t.same(losses(secrets('two', 'one'), 'used', secrets('two')), ['used'], 'whoever was there at the start')
  t.same(
    losses(secrets('one'), secrets('one', 'two'), 'used', secrets('one')),
    [undefined, 'used'],
    'as other replicas had changed the key'
  )
  t.same(losses(...begun, 'used', LIVE_MS, secrets('two')), [...fine, undefined], 'it lives no more')
  const hour = 3_600_000
  t.same(losses(secrets('two', 'one'), 'used', hour, secrets('two')), [undefined], 'nobody uses it any more')
  t.same(
    losses(secrets('two', 'one'), 'used', secrets('two'), secrets('two', 'one'), 'used', secrets('two')),
    ['used', undefined, 'used'],
    'nor does it go unnoticed once it has been put back'
  )
})

t.test('a secret that is in use lives, whether or not it was seen to be current', async t => {
  t.same(losses(secrets('two', 'one'), 'used', secrets('two', 'three')), ['former'])
  t.same(losses(secrets('two', 'one'), 'used', secrets('three', 'two')), ['oldest'])
  t.same(losses(secrets('two', 'one'), 'used', secrets('one', 'two')), [undefined])
})
