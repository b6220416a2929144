import t from 'tap'
import { timeOf, timePattern } from '../../../src/engine/rows/calendar.ts'

const taken = new RegExp(`^${timePattern}$`)

t.test(
  'a time without a zone is in UTC wherever the server is, and each form that is taken is read',
  async t => {
    t.not(new Date('2026-07-01T00:00').getTimezoneOffset(), 0, 'the tests run in another zone than UTC')
    const clocks = {
      '': 0,
      'T13:30': 810,
      't13:30:00': 810,
      ' 13:30:00,5': 810,
      [`T13:30:00.${'0'.repeat(20)}`]: 810
    }
    const zones = { '': 0, Z: 0, z: 0, ' UTC': 0, GMT: 0, '+02': -120, ' -0330': 210, '+14:30': -870 }
    const faults = Object.entries(clocks).flatMap(([clock, minutes]) =>
      Object.entries(clock === '' ? { '': 0 } : zones).filter(([zone, apart]) => {
        const time = `2026-11-20${clock}${zone}`
        const at = Date.UTC(2026, 10, 20, 0, minutes + apart) + (clock.endsWith(',5') ? 500 : 0)
        return !taken.test(time) || timeOf(time) !== at
      })
    )
    t.same(faults, [])
  }
)

t.test('what is no time is none', async t => {
  const none = [undefined, null, 'yesterday', '2026-11-20T', '2026-11-20T13:00 CET', '2026-11-20T13']
  t.same(
    none.filter(time => !Number.isNaN(timeOf(time))),
    []
  )
})

t.test('a time that is longer than any is none', async t => {
  const time = (digits: number) => `2026-11-20T13:30:00.${'0'.repeat(digits)}Z`
  t.equal(timeOf(time(43)), Date.UTC(2026, 10, 20, 13, 30))
  t.same(timeOf(time(44)), Number.NaN)
})

t.test('each time that is taken is read, however many digits its seconds have', async t => {
  const time = (digits: number) => `2026-11-20T13:30:00.${'0'.repeat(digits)} +14:30`
  t.same([taken.test(time(30)), Number.isNaN(timeOf(time(30)))], [true, false])
  t.notOk(taken.test(time(31)))
})
