import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What one part of the evidence came to; docs/evidence.md is printed from all of them. */
export interface Entry {
  /** The heading; its first word orders the page. */
  title: string
  /** Who says so: an artefact with its version. */
  source: string
  /** Why the part did not run. */
  skipped?: string
  /** What was held against the source → how many of it agreed. */
  confirmed: Record<string, number>
  /** Where both sides are known to differ, a line each. */
  differences?: string[]
  /** What the source is silent about: it rests on nobody but us as far as this part goes. */
  silent?: string[]
  /** What is otherwise than the last time it was recorded, a line each. */
  moved?: string[]
}

/** Where what was found is kept until the page is printed. */
const parts = fileURLToPath(new URL('../../../node_modules/.cache/evidence/parts/', import.meta.url))

export function enter(name: string, entry: Entry): void {
  mkdirSync(parts, { recursive: true })
  writeFileSync(`${parts}${name}.json`, JSON.stringify(entry))
}

/** All entries of the last run, by title. */
export const entries = (): Entry[] =>
  (existsSync(parts) ? readdirSync(parts) : [])
    .map(file => JSON.parse(readFileSync(parts + file, 'utf8')) as Entry)
    .sort((a, b) => a.title.localeCompare(b.title, 'en', { numeric: true }))

export const clear = (): void => rmSync(parts, { recursive: true, force: true })
