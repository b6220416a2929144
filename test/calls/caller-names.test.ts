import t from 'tap'
import { CallerNames, nameLimits } from '../../src/calls/caller-names.ts'

const soon = () => new Promise(resolve => setImmediate(resolve))

t.test('a name is asked for once, also where many calls end at once, and kept for a day', async t => {
  let now = 1
  let asked = 0
  const users = new CallerNames(() => now)
  const ask = async () => {
    asked++
    return 'ada'
  }
  users.learn('a', ask, () => {})
  users.learn('a', ask, () => {})
  await soon()
  users.learn('a', ask, () => {})
  t.equal(users.nameOf('a'), 'ada')
  now += nameLimits.keptMs + 1
  t.equal(users.nameOf('a'), undefined)
  users.learn('a', ask, () => {})
  await soon()
  t.equal(asked, 2)
})

t.test('a forge that does not say, or says what is no name, is asked again later', async t => {
  let now = 1
  const users = new CallerNames(() => now)
  const answers = [
    () => Promise.reject(new Error('403')),
    async () => 'x'.repeat(300),
    async () => 'a\n"b',
    async () => 'ada'
  ]
  const seen: (string | undefined)[] = []
  for (const answer of answers) {
    users.learn('a', answer, () => {})
    await soon()
    users.learn(
      'a',
      () => t.fail('too soon') as never,
      () => {}
    )
    seen.push(users.nameOf('a'))
    now += nameLimits.missedMs + 1
  }
  t.same(seen, [undefined, undefined, undefined, 'ada'])
})

t.test('few are asked for at once', async t => {
  const users = new CallerNames()
  let asked = 0
  for (let at = 0; at < 20; at++)
    users.learn(
      String(at),
      () => {
        asked++
        return new Promise(() => {})
      },
      () => {}
    )
  t.equal(asked, nameLimits.asking)
})
