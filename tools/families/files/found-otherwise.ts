/** Most characters of a text to find that is read in other ways. */
const MOST_CHARS = 20_000

const breaks: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

/** Other ways in which a text may have been meant, and what to do then. */
const readings: readonly [read: (text: string) => string, instead: string, withCr?: true][] = [
  [
    text => text.replace(/\\(["\\nrt])/g, (_, sign: string) => breaks[sign] ?? sign),
    'it is there escaped once less: give line breaks, tabs and quotes in JSON with one backslash'
  ],
  [
    text => text.replace(/^\d{1,9}\t/gm, ''),
    'it is there without the numbers and tabs that line_numbers puts before lines: leave them out'
  ],
  [
    text => text.replace(/\r?\n/g, '\r'),
    'its lines end there with CR alone: give line breaks as \\r, also in replace',
    true
  ]
]

/**
 * How a text that is not in a file can be found there: escaped once less, without the numbers that a result puts before
 * lines, or with the line ends of old.
 * @param hasCr whether the file has a CR: in one without, the last is not looked for
 * @param isThere whether a text is in the file
 * @returns the end of a sentence; undefined where it is in none of these ways
 */
export function foundOtherwise(
  find: string,
  hasCr: boolean,
  isThere: (text: string) => boolean
): string | undefined {
  if (find.length > MOST_CHARS) return undefined
  return readings.find(([read, , withCr = false]) => {
    if (withCr && !hasCr) return false
    const text = read(find)
    return text !== find && text !== '' && isThere(text)
  })?.[1]
}
