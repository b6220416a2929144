import type { Settings } from '../load.ts'
import { isOurs } from '../meant-variable.ts'
import { isComment } from '../misspelt.ts'
import { type Variable, variables } from '../schema.ts'
import { type FileSetting, settingsIn } from './file-settings.ts'
import { assignment } from './lost-lines.ts'
import { namedIn } from './named-in.ts'
import type { Said } from './said.ts'

/**
 * Finds variables of this service of whose value Node.js reads only the beginning, as it seems: more stands behind its
 * quotation marks, or in the next line.
 * @param text of an env file
 * @param file that file, for the message
 * @param decided the settings from all sources; variables with a value from elsewhere are not reported
 */
export const cutIn = (text: string, file: string, decided: Settings): Said[] =>
  settingsIn(text).flatMap(setting => {
    const name = variables.find(variable => variable === setting.name)
    return name === undefined || (decided[name] ?? '') !== setting.value ? [] : cutOf(name, setting, file)
  })

function cutOf(name: Variable, setting: FileSetting, file: string): Said[] {
  const { behind, lastNumber, next } = setting
  if (!isWithoutValue(behind))
    return [
      {
        name,
        says: `${name} is cut off: in line ${lastNumber} of ${file}, more stands behind the quotation marks of its value, where nothing is read: put all of it within one pair, or a # before what is a comment.`,
        isSure: isOurs(name)
      }
    ]
  if (next.trim() === '' || next.includes('=') || isComment(next) || isSetting(next)) return []
  const place = `line ${lastNumber + 1} of ${file}`
  return goesOn(setting)
    ? [
        {
          name,
          says: `${name} is cut off: ${place} goes on with it, and is not read: give the whole value in one line, or put a # before what is a comment.`,
          isSure: isOurs(name)
        }
      ]
    : [
        {
          name,
          says: `${name}: ${place}, which follows, is not read, as it is neither NAME=value nor a comment. What belongs to the value must be in its line.`,
          isSure: false
        }
      ]
}

/**
 * Whether a text behind quotation marks takes nothing from their value: it is a separator, the sign with which a command
 * goes on in its next line, a comment, a setting, or a command that exports names.
 */
function isWithoutValue(behind: string): boolean {
  const rest = behind.replace(/^[\s,;&]+/, '')
  return (
    /^(?:#|\\?\s*$)|^(?:export|readonly)\s/.test(rest) ||
    (/^[,;]?\s/.test(behind) && isComment(behind.slice(1))) ||
    assignment.test(rest)
  )
}

/**
 * Whether a line without = is a setting in another notation, such as `HOST: x` or `export FORGE_TOOLS`, which is no part
 * of a value.
 */
const isSetting = (line: string): boolean =>
  /^[A-Z\d]+(?:_[A-Z\d]+)+$/.test(namedIn(line)?.name ?? '') ||
  /^[\s"'`-]*\w[\w.-]*["'`]?\s*:(?:\s|$)/.test(line)

/**
 * Whether a value goes on in the next line, as that begins, or as its own line ends. Headings begin with a word, a line
 * of signs alone closes something else, such as a fence or a table, and behind a lone backslash a command goes on.
 */
function goesOn({ behind, ending, next }: FileSetting): boolean {
  const start = /^\s*\\\s*$/.test(behind) ? next.trimStart() : next
  return /[\p{L}\d^(]/u.test(next) && (/^[\s|,"'`]/.test(start) || /[|,]\s*$|\S\s*\\\s*$/.test(ending))
}
