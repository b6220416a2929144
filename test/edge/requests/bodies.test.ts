import t from 'tap'
import { Bodies, type BodyLoss } from '../../../src/edge/requests/bodies.ts'

const limits = {
  address: { all: 1000, each: 500 },
  credential: { each: 300 },
  pieceBytes: 10,
  pieces: { most: 5, bytesEach: 10 },
  rate: 100,
  graceMs: 5_000,
  turns: { each: 4 }
}

function setup() {
  const clock = { ms: 0 }
  const bodies = new Bodies(() => clock.ms, limits)
  const lost: [name: string, why: BodyLoss][] = []
  const begin = (name: string, address: string, credential?: string) =>
    bodies.begin({ address, credential }, why => lost.push([name, why]))
  return { clock, bodies, lost, begin }
}

t.test('what is announced holds nothing, what has come holds its bytes and its pieces', async t => {
  const { bodies, begin } = setup()
  const body = begin('a', 'address')
  t.equal(bodies.size, 0)
  body.add(1)
  body.add(1)
  t.equal(bodies.size, 22)
  body.end()
  body.end()
  t.equal(bodies.size, 0)
})

t.test('a credential over its share loses its oldest body, another one does not', async t => {
  const { begin, lost } = setup()
  begin('other', 'address', 'other').add(90)
  begin('first', 'address', 'same').add(190)
  begin('second', 'address', 'same').add(90)
  t.same(lost, [])
  begin('third', 'elsewhere', 'same').add(90)
  t.same(lost, [['first', 'caller']])
})

t.test('an address over its share loses its oldest body, whoever sent it', async t => {
  const { begin, lost } = setup()
  begin('other', 'elsewhere').add(90)
  for (const name of ['one', 'two', 'three']) begin(name, 'address', name).add(190)
  t.same(lost, [['one', 'address']])
})

t.test('where all is full the biggest sender makes room, not whoever comes', async t => {
  const { begin, bodies, lost } = setup()
  for (const [at, address] of ['a', 'b', 'b', 'c'].entries())
    begin(`${address}${at}`, address, `${at}`).add(230)
  begin('late', 'late').add(90)
  t.same(lost, [['b1', 'address']])
  t.ok(bodies.size <= 1000)
})

t.test('a body that hardly moves is given up, one that moves is not', async t => {
  const { begin, clock, lost, bodies } = setup()
  begin('idle', 'a')
  const brisk = begin('brisk', 'b')
  brisk.add(550)
  clock.ms = 4_999
  bodies.sweep()
  t.same(lost, [])
  clock.ms = 5_000
  bodies.sweep()
  t.same(lost, [['idle', 'slow']])
  clock.ms = 5_501
  bodies.sweep()
  t.same(lost[1], ['brisk', 'slow'], 'the rate is that of the whole')
  brisk.add(1)
  t.equal(bodies.size, 0)
})

t.test('a body in crumbs is given up, one in pieces is not', async t => {
  const { begin, lost } = setup()
  const pieces = begin('pieces', 'a')
  for (let at = 0; at < 20; at++) pieces.add(10)
  const crumbs = begin('crumbs', 'b')
  for (let at = 0; at < 6; at++) crumbs.add(1)
  t.same(lost, [['crumbs', 'crumbs']])
})

t.test('of an address a few that are slow are given up in a turn, however many there are', async t => {
  const { clock, bodies, begin, lost } = setup()
  const all = Array.from({ length: 20 }, (_, at) => begin(`${at}`, 'one'))
  begin('another', 'another')
  clock.ms = 5_000
  bodies.sweep()
  t.equal(lost.length, 5)
  t.ok(lost.some(([name]) => name === 'another'))
  bodies.sweep()
  t.equal(lost.length, 5, 'each of them once')
  all[19]!.end()
  for (let turn = 0; turn < 30; turn++) await new Promise(resolve => setImmediate(resolve))
  t.equal(lost.length, 20, 'but not who has ended in the meantime')
  t.equal(bodies.size, 0)
})
