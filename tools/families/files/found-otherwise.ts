/** Longer texts to find are not tried in other readings. */
const MAX_CHARS = 20_000

const breaks: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

/**
 * Other ways to read the text to find, each with advice. withCr marks a reading that only matters in a file with a CR.
 */
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
 * Looks for a text that is not in a file in other readings: with one level of escapes removed, without the line numbers
 * that a result puts before lines, or with CR alone as line ends.
 * @param hasCr whether the file has a CR; without one, the last reading is not tried
 * @param isThere whether a text is in the file
 * @returns advice as the end of a sentence; undefined if no reading is found
 */
export function foundOtherwise(
  find: string,
  hasCr: boolean,
  isThere: (text: string) => boolean
): string | undefined {
  if (find.length > MAX_CHARS) return undefined
  return readings.find(([read, , withCr = false]) => {
    if (withCr && !hasCr) return false
    const text = read(find)
    return text !== find && text !== '' && isThere(text)
  })?.[1]
}
