import t from 'tap'
import { AddressBudget } from '../../src/fairness/address-budget.ts'
import { CredentialFailures, failureLimits } from '../../src/fairness/credential-failures.ts'

/** The holder of a network of 64 bits in the one of 48 that all these have. */
const inNetwork = (at: number) => `2001:db8:1:${at.toString(16)}`

/** Has each of so many addresses of the network take all that it has by itself. */
function takeAll(budget: AddressBudget, most: number, addresses: number) {
  for (let at = 0; at < addresses; at++) for (let taken = 0; taken < most; taken++) budget.take(inNetwork(at))
}

t.test('the addresses of a network have sixteen times as much together as one of them', t => {
  const budget = new AddressBudget(2, 60_000, 100, () => 0)
  takeAll(budget, 2, 15)
  t.equal(budget.take(inNetwork(15)), undefined)
  t.same(budget.left(inNetwork(16)), { remaining: 1, resetSeconds: 60 })
  t.equal(budget.take(inNetwork(16)), undefined)
  t.same(budget.take(inNetwork(17)), { remaining: 0, resetSeconds: 60 })
  t.equal(budget.take('2001:db8:2:0'), undefined, 'another network has its own')
  t.same(budget.left('192.0.2.1'), { remaining: 2, resetSeconds: 60 }, 'and so has an address in none')
  t.end()
})

t.test('an address that goes on beyond its own limit uses up nothing of its network', t => {
  const budget = new AddressBudget(1, 60_000, 100, () => 0)
  for (let asked = 0; asked < 100; asked++) budget.take(inNetwork(0))
  t.equal(budget.take(inNetwork(1)), undefined)
  t.end()
})

t.test('what is given back fits again, of the address and of its network', t => {
  const budget = new AddressBudget(1, 60_000, 100, () => 0)
  takeAll(budget, 1, 16)
  budget.giveBack(inNetwork(0))
  t.equal(budget.take(inNetwork(16)), undefined)
  t.match(budget.take(inNetwork(17)), { remaining: 0 })
  t.end()
})

t.test('a network of which too many credentials were refused is refused, whichever address is next', t => {
  const failures = new CredentialFailures(() => 0)
  for (let at = 0; at < 16 * failureLimits.failures; at++) failures.add(inNetwork(at), false)
  t.equal(failures.refuses(inNetwork(0xffff)), 60)
  t.equal(failures.refuses('2001:db8:2:0'), undefined)
  t.end()
})
