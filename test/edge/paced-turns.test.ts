import t from 'tap'
import { PacedTurns } from '../../src/edge/paced-turns.ts'

/** Work that holds the event loop. */
const hold = (ms: number) => {
  const until = performance.now() + ms
  while (performance.now() < until);
}

t.test('a holder’s work is done in order, each followed by a pause three times as long', async t => {
  const pauses: number[] = []
  const resume: (() => void)[] = []
  const turns = new PacedTurns((next, ms) => {
    pauses.push(ms)
    resume.push(next)
  })
  const soon = () => new Promise(resolve => setImmediate(resolve))
  const done: string[] = []
  turns.run('a', () => {
    hold(5)
    done.push('first')
  })
  turns.run('a', () => done.push('second'))
  turns.run('b', () => done.push('another’s'))
  t.same(done, ['first', 'another’s'], 'another waits for nothing')
  await soon()
  t.ok(pauses[0]! >= 15)
  resume.shift()!()
  t.same(done, ['first', 'another’s', 'second'])
  await soon()
  while (resume.length > 0) resume.shift()!()
  t.equal(turns.size, 0, 'who waits for nothing is forgotten')
})
