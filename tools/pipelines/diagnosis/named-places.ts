/** A line of a file in the repository. */
export interface NamedPlace {
  readonly path: string
  readonly line: number
}

/** Longer paths are not looked for. */
const MAX_PATH_CHARS = 200

/** Characters that separate places from other text in logs and stack traces. */
const around = /[\s"'`()[\]{}<>,;|]+/
/** The line after a file's name, as compilers and test runners write it: `a.ts:5`, `a.ts:5:1`, `a.go:5: message`. */
const numbered = /:([1-9]\d{0,5})(?::|$)/
/** A line number as Python writes it. */
const inWords = /", line ([1-9]\d{0,5})/g
const fileName = /(?:^|\/)[\w@+-][\w@.+-]*\.[A-Za-z]\w{0,9}$/
/** Directories of dependencies. Their code is not fixed in this repository. */
const foreign = /(?:^|\/)(?:node_modules|vendor|site-packages|dist-packages|\.venv|\.cargo|\.\.)\//

/**
 * The places that a log, a message or a stack trace names, in that order, one for each file.
 * @param project full path of the project; a runner keeps its files below a directory of that path
 * (/builds/group/project/…)
 */
export function placesIn(text: string, project: string | undefined): readonly NamedPlace[] {
  const found = new Map<string, number>()
  for (const word of text.replace(inWords, ':$1').split(around)) {
    const at = numbered.exec(word)
    if (at === null || at.index > MAX_PATH_CHARS + 100) continue
    const path = inRepository(word.slice(0, at.index), project)
    if (path !== undefined && !found.has(path)) found.set(path, Number(at[1]))
  }
  return [...found].map(([path, line]) => ({ path, line }))
}

/** The path relative to the root of the repository; undefined for a path outside it. */
function inRepository(written: string, project: string | undefined): string | undefined {
  const path = written.replace(/^file:\/\//, '')
  const root = project === undefined ? -1 : path.indexOf(`/${project}/`)
  if (path.startsWith('/') && root < 0) return undefined
  const below = (root < 0 ? path : path.slice(root + project!.length + 2)).replace(/^\.\//, '')
  if (below.length > MAX_PATH_CHARS || below.includes('//') || foreign.test(below)) return undefined
  return fileName.test(below) ? below : undefined
}
