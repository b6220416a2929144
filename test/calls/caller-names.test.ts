import t from 'tap'
import { CallerNames, nameLimits } from '../../src/calls/caller-names.ts'

const FROM = '192.0.2.1'
const soon = () => new Promise(resolve => setImmediate(resolve))

t.test('a name is asked for once, also where many calls end at once, and kept for a day', async t => {
  let now = 1
  let asked = 0
  const users = new CallerNames(() => now)
  const ask = async () => {
    asked++
    return 'ada'
  }
  users.learn('a', FROM, ask, () => {})
  users.learn('a', FROM, ask, () => {})
  await soon()
  users.learn('a', FROM, ask, () => {})
  t.equal(users.nameOf('a'), 'ada')
  now += nameLimits.keptMs + 1
  t.equal(users.nameOf('a'), undefined)
  users.learn('a', FROM, ask, () => {})
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
    users.learn('a', FROM, answer, () => {})
    await soon()
    users.learn(
      'a',
      FROM,
      () => t.fail('too soon') as never,
      () => {}
    )
    seen.push(users.nameOf('a'))
    now += nameLimits.missedMs + 1
  }
  t.same(seen, [undefined, undefined, undefined, 'ada'])
})

t.test('few are asked for at once for an address, which leaves room for another', async t => {
  const users = new CallerNames()
  const asked: string[] = []
  const learn = (principal: string, from: string) => {
    const ask = () => {
      asked.push(principal)
      return new Promise(() => {})
    }
    users.learn(principal, from, ask, () => {})
  }
  for (let at = 0; at < 100; at++) learn(`noisy${at}`, FROM)
  await soon()
  t.same(asked.splice(0), ['noisy0', 'noisy1', 'noisy2', 'noisy3'])
  learn('other', '192.0.2.2')
  await soon()
  t.same(asked, ['other'])
})

t.test('those that wait for their turn are asked for when one is free', async t => {
  const users = new CallerNames()
  const ends: (() => void)[] = []
  const ask = () => new Promise(resolve => ends.push(() => resolve('ada')))
  for (const at of [0, 1, 2, 3, 4]) users.learn(String(at), FROM, ask, () => {})
  await soon()
  ends[0]!()
  await soon()
  ends[4]!()
  await soon()
  t.equal(users.nameOf('4'), 'ada')
})

t.test('one that had no turn is asked for with a later call', async t => {
  const users = new CallerNames()
  const ends: (() => void)[] = []
  const ask = () => new Promise(resolve => ends.push(() => resolve('ada')))
  const most = nameLimits.waiting + 4
  for (let at = 0; at <= most; at++) users.learn(String(at), FROM, ask, () => {})
  for (let at = 0; at < most; at++) {
    await soon()
    ends[at]!()
  }
  await soon()
  t.equal(users.nameOf(String(most)), undefined)
  users.learn(
    String(most),
    FROM,
    async () => 'eve',
    () => {}
  )
  await soon()
  t.equal(users.nameOf(String(most)), 'eve')
})

t.test('the names of one address push out no other’s', async t => {
  const users = new CallerNames()
  users.learn(
    'a',
    FROM,
    async () => 'ada',
    () => {}
  )
  await soon()
  for (let at = 0; at < nameLimits.names + 10; at++) {
    users.learn(
      `noisy${at}`,
      '192.0.2.2',
      async () => 'eve',
      () => {}
    )
    await soon()
  }
  t.equal(users.nameOf('a'), 'ada')
})
