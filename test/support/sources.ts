import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/* The sources as text, for tests of their structure: which file imports which, and what is loaded with it. */

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Import {
  readonly from: string
  readonly to: string
}

/** The text of a file, given by its path from the root. */
export const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')

export const filesOf = (...rooms: string[]): string[] =>
  rooms.flatMap(room =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.ts'))
      .map(file => join(room, file))
  )

/** The imports in a text: packages by name, our own files by their path from the root. */
function importsIn(text: string, from: string): Import[] {
  return [...text.matchAll(/(?:from|import) '([^']+)'/g)].map(([, target]) => ({
    from,
    to: target!.startsWith('.') ? relative(root, join(root, dirname(from), target!)) : target!
  }))
}

export const importsOf = (from: string): Import[] => importsIn(textOf(from), from)

/** Imports that remain when types are erased, by file. */
const values = new Map<string, Import[]>()

/** All files that are loaded with a file. Type imports are erased, and `import()` loads later, so neither counts. */
export function reachOf(file: string, reached = new Set<string>()): Set<string> {
  if (reached.has(file)) return reached
  reached.add(file)
  for (const { to } of valuesIn(file)) reachOf(to, reached)
  return reached
}

export function valuesIn(file: string): Import[] {
  if (!file.endsWith('.ts')) return []
  let found = values.get(file)
  if (found === undefined) {
    const text = textOf(file)
    found = importsIn(text.replaceAll(/^(?:import|export) type [^']*'[^']*'$/gm, ''), file)
    values.set(file, found)
  }
  return found
}
