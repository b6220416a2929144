import { ArgumentError } from '../../results/problem.ts'
import { cutMarkIn } from '../../results/shortened.ts'
import type { ToolRow } from '../rows/row.ts'
import type { ArgumentSchema } from './argument-flags.ts'
import { textsIn } from './texts-in.ts'
import type { Check } from './values.ts'

/*
 * Texts that are written back as a result showed them, and not as they are: what a result left out or added would be
 * stored in silence.
 */

/** Whether a text is what people write, or a file's, and all of it is to be stored. */
const isWritten = ({ quickActions, ofFile, quotesStored }: ArgumentSchema): boolean =>
  (quickActions !== undefined || ofFile === true) && quotesStored !== true

/**
 * Prepares the refusal of texts with the mark of one that was cut: what came after it would be lost.
 * @param isTool whether there is a tool of that name
 * @returns undefined for a tool that writes no text; otherwise a check that throws ArgumentError
 */
export function uncutCheck(row: ToolRow, isTool: (name: string) => boolean): Check | undefined {
  const texts = row.class === 'read' ? undefined : textsIn(row.input, isWritten)
  if (texts === undefined) return undefined
  return args => {
    for (const [place, text] of texts(args)) {
      const mark = cutMarkIn(text)
      if (mark !== undefined)
        throw new ArgumentError(
          place,
          `has "${mark}" at the end of a line, by which a result says that a text was cut: what it left out would be lost. Nothing was done. ${howToHaveAll(row, isTool)}Where the mark is meant, let a blank follow it`
        )
    }
  }
}

/** The tools that show the whole of what a tool writes, and change a part of it, as sentences with a blank after each. */
function howToHaveAll(row: ToolRow, isTool: (name: string) => boolean): string {
  const { name } = row.kind === 'several' ? row.of : row
  const noun = name.replace(/^[a-z]+_/, '')
  const whole = [`get_${noun.replace(/s$/, '')}_contents`, `get_${noun}`].find(isTool)
  const part = `${name}_description_patch`
  return [
    whole === undefined ? 'Read it whole first. ' : `Read it whole with ${whole}. `,
    isTool(part) ? `A part is changed by ${part}. ` : ''
  ].join('')
}
