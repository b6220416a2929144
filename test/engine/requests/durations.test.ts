import t from 'tap'
import { meantDuration, plainDuration } from '../../../src/engine/requests/durations.ts'

t.test('lengths of time as people write them become what every forge reads', async t => {
  const meant = {
    '3h30m': '3h30m',
    '1w 3d': '1w3d',
    '2 hours': '2h',
    '1 week 3 days': '1w3d',
    '2 hours and 30 minutes': '2h30m',
    '1 hour, 30 minutes': '1h30m',
    '1.5 hours': '1.5h',
    '1.5h': '1.5h',
    '.5d': '.5d',
    '2 months': '2mo',
    '1 yr 2 wks': '12mo2w',
    '1 year': '12mo',
    '1.1y': '13.2mo',
    '2 hrs. 30 min.': '2h30m',
    '1d.5h': '1d.5h',
    '0 ': '0',
    '90 SECS': '90s',
    '-90 Min': '-90m',
    '+1h': '1h',
    '- 1h': '-1h',
    '2h30': '2h30m',
    '2h 15': '2h15m',
    '1 day 2 hours 05': '1d2h05m',
    PT2H: '2h',
    PT1H30M: '1h30m',
    '-PT15M': '-15m'
  }
  for (const [written, read] of Object.entries(meant)) t.equal(meantDuration(written), read, written)
})

t.test('what has no one meaning stays as it is, which no forge is sent', async t => {
  const isPlain = new RegExp(`^-?${plainDuration}$`)
  const doubtful = [
    '~2h',
    '2h?',
    '1 working day',
    '1,5h',
    '2 moons',
    '2h 5',
    '2h75',
    '1d 30',
    '1.5h30',
    'P1D',
    'PT1D',
    '1:30',
    'h',
    'two hours',
    '1h per day',
    '2h-3h',
    '1e3h',
    ''
  ]
  for (const written of doubtful) {
    t.equal(meantDuration(written), written)
    t.notMatch(written, isPlain)
  }
})
