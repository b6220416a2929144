/*
 * A job's log is output for a terminal. Whatever a terminal does not show as text means nothing to a reader, so it is
 * removed.
 */

/** The mark that opens or closes a section. It also ends the text before it on the line. */
const sectionMark = /section_(?:start|end):\d{1,20}:[^\s:[\]]{1,200}(?:\[[^\]\r\n]{0,200}\])?$/

/** Colours and cursor movements (CSI), titles and links (OSC), and two-character sequences. */
const escapes =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u009b[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]/g
const controls = /[\u0000-\u0008\u000b-\u001f\u007f]/g

/** A line as a reader sees it: without escape sequences, control characters and section marks. */
export const cleanLine = (line: string): string =>
  line.replace(sectionMark, '').replace(escapes, '').replace(controls, '')

/**
 * What remains of a line after a carriage return that more text follows. On a terminal that text replaces the line.
 * Only the job's text before a section mark stays, as a line of its own.
 * @returns the length of the remaining text in characters; 0 if there is none
 */
export function lengthBeforeMark(line: string): number {
  if (!line.includes('section_')) return 0
  const mark = sectionMark.exec(line)
  return mark === null || cleanLine(line.slice(0, mark.index)).trim() === '' ? 0 : mark.index
}
