import { newlinesIn } from '../../results/newlines.ts'

/*
 * Windows of lines: a text whose first and last lines occur in another text at about the same distance, with most of
 * the lines between them. The search is bounded by characters, as it delays all other calls.
 */

/** The number of lines at each end of a text that are searched for: one of them may have been changed. */
const ANCHORS = 4
/** Fewest characters of a line that identifies a place: a brace may be anywhere. */
const MIN_CHARS = 4
/** Most characters of a line that are compared. */
const MAX_CHARS = 200
/** Most places of a line that are examined. */
const MAX_PLACES = 8
/** Most places that are compared line by line. */
const MAX_COMPARED = 4
/**
 * The number of lines, spread over the text, that are then searched for, and the fraction of them that must be found.
 */
const SAMPLES = 40
const MIN_ALIKE = 0.6

/** A line of a text, and the position of its beginning. */
interface Line {
  readonly at: number
  /** The line with the line ends around it; without the second one if the line is cut. */
  readonly between: string
}

/** The place of a window in a text, in characters: from the beginning of its first line to the end of its last. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** Most characters that a window of this length may have more, or fewer. */
const slackOf = (chars: number): number => Math.min(4_000, 80 + Math.floor(chars / 20))

/**
 * Finds the place of a text in another one. Between its ends the text may have a few changes.
 * @param text with LF as its only line end, without white space around it
 * @param whole with LF as its only line end
 * @returns undefined if no two lines identify a place, or most other lines differ
 */
export function windowOf(text: string, whole: string): Range | undefined {
  const hay = `\n${whole}\n`
  let compared = 0
  for (const found of ends(text, hay)) {
    if (areAlike(text, hay, found.at - found.head.at)) return rangeOf(text, whole, found)
    if (++compared === MAX_COMPARED) return undefined
  }
  return undefined
}

/** The places where one of the first lines of a text occurs, with one of the last at about the expected distance. */
function* ends(text: string, hay: string): Generator<Found> {
  const tails = lastLines(text)
  for (const head of firstLines(text))
    for (const at of placesOf(head, hay))
      for (const tail of tails) {
        const apart = tail.at - head.at
        const end = apart > 0 ? near(hay, tail.between, at + apart, slackOf(apart)) : undefined
        if (end !== undefined) yield { head, tail, at, end }
      }
}

function* placesOf({ between }: Line, hay: string): Generator<number> {
  let at = hay.indexOf(between)
  for (let places = 0; at >= 0 && places < MAX_PLACES; places++) {
    yield at
    at = hay.indexOf(between, at + 1)
  }
}

/** Whether a text has two lines that identify a place, which a window needs. */
export const mayBeWindow = (text: string): boolean => {
  const [first, last] = [firstLines(text)[0], lastLines(text)[0]]
  return first !== undefined && last !== undefined && first.at < last.at
}

function lineAt(text: string, at: number): Line | undefined {
  const newline = text.indexOf('\n', at)
  const end = newline < 0 ? text.length : newline
  const isWhole = end - at <= MAX_CHARS
  const line = text.slice(at, isWhole ? end : at + MAX_CHARS)
  if (line.trim().length < MIN_CHARS) return undefined
  return { at, between: isWhole ? `\n${line}\n` : `\n${line}` }
}

function firstLines(text: string): readonly Line[] {
  const found: Line[] = []
  for (let at = 0, lines = 0; lines < 2 * ANCHORS && found.length < ANCHORS; lines++) {
    const line = lineAt(text, at)
    if (line !== undefined) found.push(line)
    at = text.indexOf('\n', at) + 1
    if (at === 0) break
  }
  return found
}

function lastLines(text: string): readonly Line[] {
  const found: Line[] = []
  for (let end = text.length, lines = 0; lines < 2 * ANCHORS && found.length < ANCHORS; lines++) {
    const at = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1
    const line = lineAt(text, at)
    if (line !== undefined) found.push(line)
    if (at === 0) break
    end = at - 1
  }
  return found
}

/** The place of a line, near an expected position. */
function near(hay: string, line: string, at: number, slack: number): number | undefined {
  if (hay.startsWith(line, at)) return at
  const from = Math.max(0, at - slack)
  const found = hay.slice(from, Math.max(from, at + slack + line.length)).indexOf(line)
  return found < 0 ? undefined : from + found
}

/** Whether most lines of a text occur about where they should, if the text began there. */
function areAlike(text: string, hay: string, start: number): boolean {
  const slack = slackOf(text.length)
  let [looked, found, at] = [0, 0, 0]
  for (let sample = 0; sample < SAMPLES; sample++) {
    const from = Math.floor((text.length * sample) / SAMPLES)
    // The sample before was in the same long line, and the next line was searched for already.
    if (from < at) continue
    if (from > 0) at = text.indexOf('\n', from) + 1
    if (from > 0 && at === 0) break
    const line = lineAt(text, at)
    if (line === undefined) continue
    looked++
    if (near(hay, line.between, start + at, slack) !== undefined) found++
  }
  return found >= looked * MIN_ALIKE
}

interface Found {
  readonly head: Line
  readonly tail: Line
  /** Their places in the other text. */
  readonly at: number
  readonly end: number
}

/** The range, extended by as many lines before and after the found ones as the text has there. */
function rangeOf(text: string, whole: string, { head, tail, at, end }: Found): Range {
  let start = at
  for (let lines = newlinesIn(text, 0, head.at); lines > 0 && start > 0; lines--)
    start = start < 2 ? 0 : whole.lastIndexOf('\n', start - 2) + 1
  let stop = lineEnd(whole, end)
  for (let lines = newlinesIn(text, lineEnd(text, tail.at), text.length); lines > 0; lines--)
    stop = lineEnd(whole, stop + 1)
  return { start, end: stop }
}

const lineEnd = (text: string, at: number): number => {
  const newline = text.indexOf('\n', at)
  return newline < 0 ? text.length : newline
}
