/*
 * A job's log is output for a terminal. What a terminal does not show as text means nothing to a reader and is removed.
 */

/** Opens or closes a section, and so ends the text before it on the line. */
const sectionMark = /section_(?:start|end):\d{1,20}:[^\s:[\]]{1,200}(?:\[[^\]\r\n]{0,200}\])?$/

/** Colours and cursor movements (CSI), titles and links (OSC), and two-character sequences. */
const escapes =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u009b[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]/g
const controls = /[\u0000-\u0008\u000b-\u001f\u007f]/g

/** A line as a reader sees it: without escape sequences, control characters and section marks. */
export const cleanLine = (line: string): string =>
  line.replace(sectionMark, '').replace(escapes, '').replace(controls, '')

/**
 * What remains of a line that a carriage return and more text follow. On a terminal that text replaces it; only text of
 * the job before a section mark stays, as a line of its own.
 * @returns the length of that text in characters; 0 if there is none
 */
export function lengthBeforeMark(line: string): number {
  if (!line.includes('section_')) return 0
  const mark = sectionMark.exec(line)
  return mark === null || cleanLine(line.slice(0, mark.index)).trim() === '' ? 0 : mark.index
}
