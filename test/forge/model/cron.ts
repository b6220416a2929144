const FIELDS: [least: number, most: number][] = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7]
]

const DAY = 86_400_000

/** The numbers that a field stands for; undefined if it is not a valid cron field. */
const numbersOf = (field: string, [least, most]: [number, number]): Set<number> | undefined => {
  const all = new Set<number>()
  for (const part of field.split(',')) {
    const [, range, step = '1'] = /^(\*|\d+(?:-\d+)?)(?:\/(\d+))?$/.exec(part) ?? []
    if (range === undefined || step === '0') return undefined
    const [from = least, to = from] = range === '*' ? [least, most] : range.split('-').map(Number)
    if (from < least || to > most) return undefined
    const end = part.includes('/') && !range.includes('-') ? most : to
    for (let number = from; number <= end; number += Number(step)) all.add(number)
  }
  return all
}

const read = (cron: string) => {
  const fields = cron.trim().split(/\s+/)
  const read = fields.map((field, at) => FIELDS[at] && numbersOf(field, FIELDS[at]))
  return read.length === FIELDS.length && read.every(set => set !== undefined) ? { fields, read } : undefined
}

export const isCron = (cron: string): boolean => read(cron) !== undefined

/** Rails' own names of time zones, beside those of the time zone database. */
const RAILS: Record<string, string> = {
  Berlin: 'Europe/Berlin',
  'Eastern Time (US & Canada)': 'America/New_York',
  Tokyo: 'Asia/Tokyo'
}

/** The local time of a zone at an instant, encoded as if it were UTC; undefined if there is no such zone. */
const clockOf = (zone: string): ((at: number) => number) | undefined => {
  try {
    const format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: RAILS[zone] ?? zone,
      dateStyle: 'short',
      timeStyle: 'medium'
    })
    return at => Date.parse(`${format.format(at).replace(' ', 'T')}Z`)
  } catch {
    return undefined
  }
}

export const isZone = (zone: string): boolean => clockOf(zone) !== undefined

/** When a schedule is next due; null if it never is, as on 30 February. */
export const nextRun = (cron: string, zone: string, after: number): string | null => {
  const { fields, read: sets } = read(cron)!
  const clock = clockOf(zone)!
  const [minutes, hours, days, months, weekdays] = sets as [Set<number>, ...Set<number>[]]
  const onDay = (date: Date) => {
    const [day, weekday] = [
      days!.has(date.getUTCDate()),
      [date.getUTCDay(), date.getUTCDay() || 7].some(number => weekdays!.has(number))
    ]
    // If both a day and a weekday are given, either of them suffices.
    const either = fields[2] !== '*' && fields[4] !== '*'
    return months!.has(date.getUTCMonth() + 1) && (either ? day || weekday : day && weekday)
  }
  const today = Math.floor(clock(after) / DAY) * DAY
  for (let day = today; day < today + 8 * 366 * DAY; day += DAY) {
    if (!onDay(new Date(day))) continue
    for (const hour of [...hours!].sort((a, b) => a - b))
      for (const minute of [...minutes].sort((a, b) => a - b)) {
        const shown = day + (hour * 60 + minute) * 60_000
        const at = shown - (clock(shown) - shown)
        if (at > after) return new Date(at).toISOString()
      }
  }
  return null
}
