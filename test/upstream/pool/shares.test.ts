import t from 'tap'
import { Shares } from '../../../src/upstream/pool/shares.ts'

const take = (shares: Shares, caller: string, count: number): number =>
  Array.from({ length: count }, (_, at) => shares.take(caller, `forge ${at}`)).filter(Boolean).length

t.test('a holder has its part at most, and others theirs', async t => {
  const shares = new Shares(50)
  t.equal(take(shares, 'a', 60), 50)
  t.equal(take(shares, 'b', 60), 50)
  t.equal(shares.take('a', 'forge 3'), true, 'what it holds already is no more')
})

t.test('what is given back can be taken again, and who holds nothing is forgotten', async t => {
  const shares = new Shares(8)
  take(shares, 'a', 8)
  shares.take('a', 'forge 0')
  shares.give('a', 'forge 0')
  t.equal(shares.take('a', 'another'), false, 'it was taken twice')
  shares.give('a', 'forge 0')
  t.equal(shares.take('a', 'another'), true)
  for (const url of ['another', ...Array.from({ length: 7 }, (_, at) => `forge ${at + 1}`)])
    shares.give('a', url)
  t.equal(shares.size, 0)
})
