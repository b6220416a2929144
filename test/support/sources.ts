import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/* The sources as text, for tests of how they are built: which file imports which, and what is loaded with it. */

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Import {
  readonly from: string
  readonly to: string
}

/** The text of a file, by its path from the root. */
export const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')

export const filesOf = (...rooms: string[]): string[] =>
  rooms.flatMap(room =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.ts'))
      .map(file => join(room, file))
  )

/** Packages by name, and own files by their path from the root. */
function importsIn(text: string, from: string): Import[] {
  return [...text.matchAll(/(?:from|import) '([^']+)'/g)].map(([, target]) => ({
    from,
    to: target!.startsWith('.') ? relative(root, join(root, dirname(from), target!)) : target!
  }))
}

export const importsOf = (from: string): Import[] => importsIn(textOf(from), from)

/** Imports that stay when types are erased, by file. */
const values = new Map<string, Import[]>()

/** What a file needs to be loaded, and so on: types are erased, and `import()` waits. */
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
