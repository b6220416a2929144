import t from 'tap'
import { type Fact, KnownFacts } from '../../../src/engine/facts/known.ts'

/** @returns how often a fact is asked for when it is wanted twice */
async function asks(fact: Fact, what = 'id'): Promise<number> {
  const known = new KnownFacts().of('caller')
  let asked = 0
  for (let at = 0; at < 2; at++)
    await known.remember(what, async () => {
      asked++
      return fact
    })
  return asked
}

t.test('a small fact is asked for once', async t => {
  t.equal(await asks(17), 1)
  t.equal(await asks('acme/rocket'), 1)
  t.equal(await asks({ value: 'a', remark: undefined }), 1)
  t.equal(await asks(new Set(['a'])), 1)
})

t.test('what is no small fact is given, and not kept', async t => {
  const large = 'x'.repeat(5_000)
  t.equal(await asks(large), 2)
  t.equal(await asks({ version: large, enterprise: false }), 2)
  t.equal(await asks({ value: { anything: { at: 'all' } } }), 2)
  t.equal(await asks(17, large), 2, 'also by what it is known by')
})

t.test('all facts together have a bound in characters', async t => {
  const facts = new KnownFacts()
  const of = (at: number) => facts.of(`caller ${at}`)
  for (let at = 0; at < 5_000; at++) await of(at).remember('path', async () => 'x'.repeat(1_500))
  t.equal(of(0).recall('path'), undefined, 'the longest unused goes')
  t.not(of(4_999).recall('path'), undefined)
})

t.test('who learns very many, also as many callers, forgets its own first', async t => {
  const facts = new KnownFacts()
  await facts.of('neighbour', '192.0.2.2').remember('id', async () => 17)
  const of = (at: number) => facts.of(`caller ${at}`, '192.0.2.1')
  for (let at = 0; at < 20_000; at++) await of(at).remember('id', async () => at)
  t.equal(facts.of('neighbour', '192.0.2.2').recall('id'), 17)
  t.equal(of(0).recall('id'), undefined)
  t.equal(of(19_999).recall('id'), 19_999)
})

t.test('a fact holds for whoever learned it only, and for a time', async t => {
  const clock = { ms: 1, now: () => clock.ms }
  const facts = new KnownFacts(clock.now)
  await facts.of('one').remember('id', async () => 17)
  t.equal(facts.of('one').recall('id'), 17)
  t.equal(facts.of('another').recall('id'), undefined)
  clock.ms += 60_001
  t.equal(facts.of('one').recall('id'), undefined)
})
