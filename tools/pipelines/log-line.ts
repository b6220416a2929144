/*
 * A job's log is the output for a terminal. What a terminal would not show is removed, because it means nothing to a
 * reader of text.
 */

/** Opens or closes a section, and ends what stands before it on the line. */
const sectionMark = /section_(?:start|end):\d{1,20}:[^\s:[\]]{1,200}(?:\[[^\]\r\n]{0,200}\])?$/

/** Colours and cursor moves (CSI), titles and links (OSC), and the two-character sequences. */
const escapes =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u009b[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]/g
const controls = /[\u0000-\u0008\u000b-\u001f\u007f]/g

/** A line as a reader sees it: without escape sequences, control characters and section marks. */
export const cleanLine = (line: string): string =>
  line.replace(sectionMark, '').replace(escapes, '').replace(controls, '')

/**
 * What remains of a line when a carriage return and more text follow. Rewritten text is gone, as on a terminal; text
 * before a section mark was written by the job and is a line of its own.
 * @returns how many characters of `line` are that line; 0 for none
 */
export function lengthBeforeMark(line: string): number {
  if (!line.includes('section_')) return 0
  const mark = sectionMark.exec(line)
  return mark === null || cleanLine(line.slice(0, mark.index)).trim() === '' ? 0 : mark.index
}
