import t from 'tap'
import { type Claim, Places } from '../../../src/upstream/pool/places.ts'

/** How many of so many forges a claim gets. */
const count = (places: Places, of: number, claim: (at: number) => Partial<Claim>): number =>
  Array.from({ length: of }, (_, at) => {
    const whole: Claim = {
      url: `forge ${at}`,
      caller: 'a',
      from: '192.0.2.1',
      isStranger: false,
      ...claim(at)
    }
    try {
      places.ask(whole)
      return 1
    } catch {
      return 0
    }
  }).reduce<number>((sum, got) => sum + got, 0)

t.test('one caller has half of the pool, from wherever it calls', async t => {
  t.equal(
    count(new Places(100), 100, at => ({ from: `192.0.2.${at}` })),
    50
  )
})

t.test('one address of callers has half of it, whatever their tokens', async t => {
  t.equal(
    count(new Places(100), 100, at => ({ caller: `token ${at}` })),
    50
  )
})

t.test('of forges that have served nobody one address has a quarter, and all have half', async t => {
  const places = new Places(100)
  const strange = (from: string) => (at: number) =>
    ({ url: `${from} ${at}`, caller: `${from} token ${at}`, from, isStranger: true }) as const
  t.equal(count(places, 100, strange('192.0.2.1')), 25)
  t.equal(count(places, 100, strange('192.0.2.2')), 25)
  t.equal(count(places, 100, strange('192.0.2.3')), 1, 'who has none gets one')
  t.equal(
    count(places, 50, at => ({ from: '192.0.2.4', url: `at work ${at}` })),
    50,
    'those that have are none of them'
  )
})

t.test('addresses of callers in one network have the places of one', async t => {
  const places = new Places(100)
  const from = (at: number) => ({ caller: `token ${at}`, from: `2001:db8:1:${at}` })
  t.equal(
    count(places, 100, at => ({ ...from(at), isStranger: true })),
    25
  )
  t.equal(count(places, 100, from), 50)
  t.equal(
    count(places, 1, () => ({ url: 'another', from: '2001:db8:2:1' })),
    1
  )
})

t.test('one address of forges has half of it, under whatever names', async t => {
  const places = new Places(20)
  for (let at = 0; at < 10; at++) places.at(['198.51.100.1', `198.51.100.${at + 2}`], `name ${at}`)
  t.throws(() => places.at(['198.51.100.99', '198.51.100.1'], 'another name'), { name: 'PoolCapacityError' })
  const giveBack = places.at(['198.51.100.1'], 'name 3')
  t.ok(places.at(['198.51.100.99'], 'another name'), 'what was refused has taken nothing')
  giveBack()
})

t.test('who names another’s forge at many ports leaves those who use it some of its places', async t => {
  const places = new Places(20)
  const ask = (url: string, from: string) => {
    const claim = { url, caller: `token of ${url}`, from, isStranger: true }
    const back = [places.ask(claim), places.at(['198.51.100.1'], url, from)]
    return () => back.splice(0).map(give => give())
  }
  for (let at = 0; at < 10; at++) ask(`port ${at}`, `192.0.2.${at % 2}`)
  t.throws(() => ask('port 10', '192.0.2.0'), { name: 'PoolCapacityError' })
  const giveBack = ask('forge', '192.0.2.9')
  t.ok(ask('forge', '192.0.2.9'), 'what is there already is no more')
  t.throws(() => ask('another', '192.0.2.9'), { name: 'PoolCapacityError' })
  giveBack()
  for (let at = 0; at < 4; at++) ask(`for ${at}`, `192.0.2.${at + 20}`)
  t.throws(() => ask('for 4', '192.0.2.24'), { name: 'PoolCapacityError' }, 'a quarter is for forges at work')
})

t.test('what is given back can be had again, once', async t => {
  const places = new Places(1)
  const claim = (url: string): Claim => ({ url, caller: 'a', from: undefined, isStranger: true })
  const back = Array.from({ length: 8 }, (_, at) => places.ask(claim(`forge ${at}`)))
  t.throws(() => places.ask(claim('more')), { name: 'PoolCapacityError' }, 'a small pool is not divided')
  back[0]!()
  back[0]!()
  t.ok(places.ask(claim('more')))
  t.throws(() => places.ask(claim('another')), { name: 'PoolCapacityError' })
})
