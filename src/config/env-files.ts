import { parseEnv } from 'node:util'
import type { Settings } from './load.ts'
import { variables } from './schema.ts'
import { readSmallFile } from './small-file.ts'

/**
 * Reports a file .env with variables of this service, because some programs read such files by themselves. It is only
 * looked for if no forge is set, when tokens would go to the default one.
 */
export async function envFileUnread(path: string, settings: Settings): Promise<string[]> {
  if (settings.FORGE_API_URL !== undefined) return []
  const text = await readSmallFile(path).catch(() => '')
  return /^[^\S\n]*(?:export[^\S\n]+)?FORGE_\w+[^\S\n]*=/m.test(text)
    ? [
        `The file ${path} is there, and is not read by itself: give it to Node.js, as in node --env-file=${path}.`
      ]
    : []
}

/** A line that begins with a name as other notations have it: `NAME: value`, `"NAME"=value`, `- NAME=value`. */
const begun = /^[\s"'{-]*(?:set\s+|\$env:)?(\w+)["']?\s*[:=]/i

/**
 * Finds the lines with variables of this service in the files of Node's --env-file that Node drops without a word.
 * @param flags the flags of Node.js
 * @returns a sentence for each, without its value
 */
export async function linesUnread(flags: readonly string[]): Promise<string[]> {
  const texts = await Promise.all(envFilesIn(flags).map(path => readSmallFile(path).catch(unreadable)))
  return texts.flatMap(text => {
    if (text instanceof RangeError) return [`A file in --env-file cannot be read: ${text.message}.`]
    const read = parseEnv(text)
    // Within a value of several lines anything may stand.
    const long = Object.values(read).filter(value => value?.includes('\n'))
    return text.split(/\r\n?|\n/).flatMap((line, at) => {
      const [, name] = begun.exec(line) ?? []
      const variable = variables.find(one => one === name)
      // A byte order mark is told of by the name that it makes.
      const isRead = (name: string) => Object.keys(read).some(one => one.replace(/^\p{C}/u, '') === name)
      return variable === undefined ||
        isRead(variable) ||
        long.some(value => value?.includes(line.trim().replace(/["'`]$/, '')))
        ? []
        : [
            `${variable} is not read: line ${at + 1} of the file in --env-file is not NAME=value with the name alone before the =, as Node.js reads it.`
          ]
    })
  })
}

/** What a file is that Node reads otherwise than it was meant; nothing for one that is not there. */
const unreadable = (error: unknown): RangeError | string =>
  error instanceof RangeError && /UTF-16/.test(error.message) ? error : ''

/** The paths that --env-file and --env-file-if-exists name, which NODE_OPTIONS may not hold. */
const envFilesIn = (flags: readonly string[]): string[] =>
  flags.flatMap((flag, at) => {
    const [isFile, path] = /^--env-file(?:-if-exists)?(?:=(.*))?$/s.exec(flag) ?? []
    if (isFile === undefined) return []
    return path === undefined ? flags.slice(at + 1, at + 2) : [path]
  })
