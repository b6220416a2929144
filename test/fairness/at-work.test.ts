import t from 'tap'
import { connectionLimits } from '../../src/edge/connections/connection-limits.ts'
import {
  AtWork,
  allWorkLimits,
  bodyWorkLimits,
  REQUEST_COST,
  requestWorkLimits
} from '../../src/fairness/at-work.ts'
import { answerRoomLimits } from '../../src/upstream/reading/answer-room.ts'

const limits = { credential: 300, address: 500, plenty: 1000, all: 1300 }
const by = (address: string, credential?: string) => ({ address, credential })

t.test('a credential and an address are refused what is more than theirs, until they give back', async t => {
  const work = new AtWork(limits)
  const give = work.take(by('a', 'one'), 300)!
  t.equal(work.take(by('b', 'one'), 1), undefined, 'wherever it comes from')
  t.equal(work.takenBy(by('b', 'one'), 1), 'of this caller')
  t.ok(work.take(by('a', 'two'), 200))
  t.equal(work.take(by('a', 'three'), 1), undefined, 'whoever sends it')
  t.equal(work.takenBy(by('a', 'three'), 1), 'of this address')
  give()
  give()
  t.equal(work.size, 200)
  t.ok(work.take(by('b', 'one'), 300))
})

t.test('many who hold little leave to one who holds much all that is its own', async t => {
  const work = new AtWork(limits)
  for (let at = 0; at < 400; at++) work.take(by(`${at}`), 1)
  t.ok(work.take(by('a'), 500))
})

t.test(
  'where there is no longer plenty a newcomer has its part of what is left, and who holds much none',
  async t => {
    const work = new AtWork(limits)
    for (const [address, credential] of ['ak', 'al', 'bm', 'bn'] as const)
      work.take(by(address!, credential!), 250)
    t.equal(work.take(by('c', 'o'), 200), undefined)
    t.equal(work.takenBy(by('c', 'o'), 200), 'of this address and of others')
    t.equal(work.take(by('a', 'o'), 1), undefined)
    t.equal(work.take(by('c', 'p'), 101), undefined)
    t.ok(work.take(by('c', 'p'), 100), 'a third of 300')
    t.equal(work.take(by('d', 'q'), 51), undefined)
    t.ok(work.take(by('d', 'q'), 50), 'a quarter of 200')
  }
)

t.test('addresses of one network have one part together, where there is no longer plenty', async t => {
  const work = new AtWork(limits)
  for (let at = 0; at < 40; at++) work.take(by(`2001:db8:1:${at}`), 25)
  t.equal(work.take(by('2001:db8:1:99'), 1), undefined)
  t.ok(work.take(by('192.0.2.1'), 150), 'half of 300')
})

t.test(
  'a hundred addresses that take all they may stay below 64 MiB, and leave some for the next',
  async t => {
    const work = new AtWork(bodyWorkLimits)
    for (let at = 0; at < 100; at++) while (work.take(by(`${at}`), 2048) !== undefined);
    t.ok(work.size < 64 * 1024 * 1024, `${work.size} bytes`)
    t.ok(work.take(by('next'), 2048))
  }
)

t.test(
  'an address is refused no request as long as its connections may hold them, and nobody has gone',
  async t => {
    const work = new AtWork(requestWorkLimits)
    const bytes = 9_000
    for (let held = 0; held < connectionLimits.heads.each; held += bytes)
      if (work.take(by('a'), bytes) === undefined) t.fail(`after ${held} bytes`)
    t.ok(work.take(by('b'), bytes))
  }
)

t.test('kinds of work are parts of one whole, which they take by what each costs, and give back', async t => {
  const whole = new AtWork({ ...limits, address: 900 })
  const bodies = new AtWork(limits, { whole })
  const requests = new AtWork(limits, { whole, cost: 3 })
  const give = bodies.take(by('a'), 500)!
  t.ok(requests.take(by('a'), 133))
  t.equal(whole.size, 899)
  t.equal(requests.take(by('a'), 1), undefined, 'of its own bound there is much left')
  t.equal(requests.size, 133, 'what is refused by the whole takes nothing of the part')
  t.ok(requests.take(by('b'), 33), 'until there is no longer plenty')
  t.equal(requests.take(by('b'), 34), undefined, 'half of what the other leaves are 200')
  t.ok(requests.take(by('b'), 33))
  give()
  give()
  t.equal(bodies.size, 0)
  t.equal(whole.size, 3 * requests.size)
})

t.test('what is held beside leaves less of the whole, and who has taken little still has a part', async t => {
  const whole = new AtWork(limits)
  const work = new AtWork(limits, { whole })
  let beside = 500
  whole.leaves(() => beside)
  t.ok(work.take(by('a'), 400))
  t.ok(work.take(by('b'), 200), 'half of 400')
  t.equal(work.take(by('b'), 1), undefined)
  t.equal(work.take(by('a'), 1), undefined)
  beside = 0
  t.ok(work.take(by('a'), 100))
})

t.test('calls of one address, or large calls of two, have alone as much as without a whole', async t => {
  for (const [limits, addresses, kinds, cost] of [
    [requestWorkLimits, ['a'], 1, REQUEST_COST],
    [bodyWorkLimits, ['a', 'b'], 2, 1]
  ] as const) {
    const whole = new AtWork(allWorkLimits)
    // What has come, and what leaves for the forge.
    const works = Array.from({ length: kinds }, () => new AtWork(limits, { whole, cost }))
    const alone = new AtWork(limits)
    const bytes = 9_000
    for (const address of addresses)
      while (alone.take(by(address), bytes)) for (const work of works) work.take(by(address), bytes)
    for (const work of works) t.equal(work.size, alone.size)
  }
})

t.test('one address that has all that it may of everything leaves another 10 MiB of large calls', async t => {
  const whole = new AtWork(allWorkLimits)
  const works = [bodyWorkLimits, bodyWorkLimits].map(limits => new AtWork(limits, { whole }))
  whole.take(by('a'), allWorkLimits.address)
  whole.leaves(() => answerRoomLimits.all - answerRoomLimits.each)
  const megabyte = 1024 * 1024
  for (let at = 0; at < 10; at++) for (const work of works) t.ok(work.take(by('b'), megabyte))
})

t.test('who has the room of a whole is told by what a part costs there, not by its bytes', async t => {
  const whole = new AtWork(limits)
  const part = new AtWork(limits, { whole, cost: 5 })
  t.ok(part.take(by('a'), 100))
  t.equal(part.take(by('a'), 1), undefined)
  t.equal(part.takenBy(by('a'), 1), 'of this address')
  whole.take(by('b'), 490)
  t.equal(part.take(by('b'), 3), undefined)
  t.equal(part.takenBy(by('b'), 3), 'of this address')
})
