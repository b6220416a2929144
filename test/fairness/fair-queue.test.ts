import t from 'tap'
import { holderOf } from '../../src/base/holders.ts'
import { FairQueue, QueueError } from '../../src/fairness/fair-queue.ts'

const limits = { all: 4, caller: 3 }
const of = (caller: string, signal?: AbortSignal) => ({ caller, signal })

/** A queue whose first work, of ada, runs until `open` is called, and the order in which others began. */
function busyQueue() {
  const queue = new FairQueue(limits)
  let open = () => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  queue.run(of('ada'), () => opened)
  const began: string[] = []
  const add = (caller: string, name: string, signal?: AbortSignal) =>
    queue.run(of(caller, signal), async () => {
      began.push(name)
    })
  return { queue, open, began, add }
}

t.test('callers take turns, however much one of them has waiting', async t => {
  const { queue, open, began, add } = busyQueue()
  const added = [add('ada', 'a1'), add('ada', 'a2'), add('ada', 'a3'), add('ben', 'b1')]
  t.equal(queue.size, 4)
  open()
  await Promise.all(added)
  t.same(began, ['b1', 'a1', 'a2', 'a3'])
  t.equal(queue.size, 0)
})

t.test('a caller has no more waiting than there is room for', async t => {
  const { open, add } = busyQueue()
  const added = ['a1', 'a2', 'a3'].map(name => add('ada', name))
  await t.rejects(add('ada', 'a4'), new QueueError('full'))
  open()
  await Promise.all(added)
})

t.test('where too much waits, one with the most loses its last', async t => {
  const { open, began, add } = busyQueue()
  const [a1, a2, a3] = ['a1', 'a2', 'a3'].map(name => add('ada', name))
  const others = [add('ben', 'b1')]
  const lost = t.rejects(a3!, new QueueError('full'))
  others.push(add('cy', 'c1'))
  await lost
  // Now nobody has more than a newcomer would.
  await t.rejects(add('ben', 'b2'), new QueueError('full'))
  open()
  await Promise.all([a1, a2, ...others])
  t.same(began, ['b1', 'a1', 'c1', 'a2'])
})

t.test('callers at one address are one in this', async t => {
  const queue = new FairQueue({ all: 10, caller: 3 })
  const began: string[] = []
  const add = (caller: string, from: string) =>
    queue.run({ caller, from, signal: undefined }, async () => void began.push(caller))
  await Promise.all([add('a1', 'a'), add('a2', 'a'), add('a3', 'a'), add('b1', 'b'), add('b2', 'b')])
  t.same(began, ['a1', 'b1', 'a2', 'b2', 'a3'])
})

t.test('callers at one address take turns there', async t => {
  const queue = new FairQueue({ all: 10, caller: 3 })
  const began: string[] = []
  const add = (caller: string) =>
    queue.run({ caller, from: 'a', signal: undefined }, async () => void began.push(caller))
  await Promise.all([add('first'), add('a1'), add('a1'), add('a1'), add('a2')])
  t.same(began, ['first', 'a1', 'a2', 'a1', 'a1'])
})

t.test('what waits for a caller who has gone is never begun', async t => {
  const { queue, open, began, add } = busyQueue()
  const gone = new AbortController()
  const dropped = add('ada', 'a1', gone.signal)
  const stays = add('ben', 'b1')
  gone.abort()
  await t.rejects(dropped, new QueueError('cancelled'))
  await t.rejects(add('ada', 'a2', gone.signal), new QueueError('cancelled'))
  t.equal(queue.size, 1)
  open()
  await stays
  t.same(began, ['b1'])
})

t.test('work that fails hands its turn on', async t => {
  const queue = new FairQueue(limits)
  const failing = queue.run(of('ada'), () => Promise.reject(new Error('odd')))
  const next = queue.run(of('ada'), async () => 'served')
  await t.rejects(failing, new Error('odd'))
  t.equal(await next, 'served')
  t.equal(await queue.run(of('ben'), async () => 'free'), 'free')
})

/** The holder of a network of 64 bits in the one of 48 that all these have. */
const inNetwork = (at: number) => `2001:db8:1:${at.toString(16)}`

t.test('addresses in one network have the turns of one', async t => {
  const { open, began, add } = busyQueue()
  const added = [1, 2, 3].map(at => add(inNetwork(at), `n${at}`))
  added.push(add('192.0.2.1', 'other'))
  open()
  await Promise.all(added)
  t.same(began, ['n1', 'other', 'n2', 'n3'])
})

t.test('a queue full of one piece each of many addresses in a network has room for another’s', async t => {
  const { open, began, add } = busyQueue()
  const added = [1, 2, 3, 4].map(at => add(inNetwork(at), `n${at}`))
  const ended = Promise.allSettled(added)
  const other = add('192.0.2.1', 'other')
  open()
  await other
  const lost = (await ended).flatMap(({ status, ...one }) => (status === 'rejected' ? [one] : []))
  t.match(lost, [{ reason: { why: 'full' } }])
  t.equal(began.length, 4)
})

t.test('a network that was served stands back behind others, whoever of it asks next', async t => {
  const queue = new FairQueue({ all: 10, caller: 3 })
  const began: string[] = []
  const add = (caller: string, from: string) =>
    queue.run({ caller, from, signal: undefined }, async () => void began.push(caller))
  await Promise.all([
    add('first', holderOf('2001:db8:1:1::1')),
    add('of the same', holderOf('2001:db8:1:2::1')),
    add('other', '192.0.2.1')
  ])
  t.same(began, ['first', 'other', 'of the same'])
})
