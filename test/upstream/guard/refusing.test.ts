import t from 'tap'
import { type Refusing, RefusingSpells, refusingLimits } from '../../../src/upstream/guard/refusing.ts'

function spellsAt() {
  const clock = { ms: 1_000_000 }
  const changes: (Refusing | undefined)[] = []
  const spells = new RefusingSpells(
    () => clock.ms,
    refusing => changes.push(refusing)
  )
  /** A window with so many answers of each status, and what it has changed once the next has begun. */
  const window = (answers: Readonly<Record<number, number>>) => {
    for (const [status, times] of Object.entries(answers))
      for (let time = 0; time < times; time++) spells.record(Number(status))
    clock.ms += refusingLimits.windowMs + 1
    // It counts for the next window.
    spells.record(403)
    return changes.splice(0)
  }
  return { window }
}

t.test('a forge that refuses most is told once, with the status that is most of it', async t => {
  const { window } = spellsAt()
  t.same(window({ 200: 6, 404: 5, 403: 9 }), [{ status: 403, share: 0.7, answers: 20 }])
  t.same(window({ 401: 50 }), [])
})

t.test(
  'a spell is over after a window of which no more than half is refused, and the next is told',
  async t => {
    const { window } = spellsAt()
    t.equal(window({ 401: 20 }).length, 1)
    t.same(window({ 401: 1 }), [], 'few refusals go on with it')
    t.same(window({ 200: 30, 401: 20 }), [undefined])
    t.match(window({ 401: 20 }), [{ status: 401 }])
  }
)

t.test('neither few refusals, nor those among as many answers, begin a spell', async t => {
  const { window } = spellsAt()
  t.same(window({ 404: refusingLimits.volume - 1 }), [])
  t.same(window({ 404: 19, 200: 20 }), [])
})

t.test('nor do limits and failures of the forge, which are told by themselves', async t => {
  const { window } = spellsAt()
  t.same(window({ 429: 50, 503: 50 }), [])
})
