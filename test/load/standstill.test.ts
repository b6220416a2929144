import t from 'tap'
import { LOOK_MS, Standstill } from '../../src/load/standstill.ts'

function standstillAt() {
  const clock = { ms: 1_000 }
  const ends: number[] = []
  return {
    clock,
    ends,
    standstill: new Standstill(
      () => clock.ms,
      ms => ends.push(ms)
    )
  }
}

t.test('a process that is looked at in time, or somewhat late, did not stand still', async t => {
  const { clock, ends, standstill } = standstillAt()
  for (const late of [0, 4_000, 0]) {
    standstill.look()
    clock.ms += LOOK_MS + late
  }
  t.equal(standstill.endedAt, Number.NEGATIVE_INFINITY)
  t.equal(standstill.stoodMs, 0)
  t.same(ends, [])
})

t.test('it is over when somebody asks, whether or not the next look has come, and is told once', async t => {
  for (const asked of ['endedAt', 'stoodMs', undefined] as const) {
    const { clock, ends, standstill } = standstillAt()
    standstill.look()
    clock.ms += 200_000
    if (asked !== undefined) t.equal(standstill[asked], asked === 'endedAt' ? clock.ms : 200_000 - LOOK_MS)
    const ended = clock.ms
    standstill.look()
    clock.ms += LOOK_MS
    standstill.look()
    t.equal(standstill.endedAt, ended)
    t.same(ends, [200_000 - LOOK_MS])
    t.equal(standstill.stoodMs, 200_000 - LOOK_MS)
    clock.ms += 10_000
    t.equal(standstill.stoodMs, 210_000 - 2 * LOOK_MS, 'the next one is added')
  }
})

t.test('of a start that takes long nothing is known', async t => {
  const { clock, ends, standstill } = standstillAt()
  clock.ms += 60_000
  t.equal(standstill.endedAt, Number.NEGATIVE_INFINITY)
  standstill.look()
  t.same(ends, [])
})
