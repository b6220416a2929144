import { quotedName } from '../../../src/results/visible.ts'
import { MAX_PATH } from '../../families/files/longest-path.ts'

/** A file of a diff, as the forge sends it. */
export interface FileDiff {
  readonly old_path: string
  readonly new_path: string
  readonly diff?: string
  readonly new_file?: boolean
  readonly deleted_file?: boolean
  readonly too_large?: boolean
  readonly collapsed?: boolean
}

/** How many changed paths are named if a requested path is not among them. */
const MAX_NAMED = 20

/**
 * Collects the wanted files of a diff by path, and some names of the others, of which there may be thousands. It looks
 * at each file once, however many are wanted.
 */
export class ChangedFiles {
  readonly #missing: Set<string>
  readonly #wanted: ReadonlySet<string>
  readonly #byNew = new Map<string, FileDiff>()
  readonly #byOld = new Map<string, FileDiff>()
  readonly #first: string[] = []
  #count = 0
  #quoted: string | undefined

  /**
   * @param paths wanted paths: a file's new path, or the old one if no file has it as its new path
   * @param also paths that are kept if they occur, but not waited for
   */
  constructor(paths: Iterable<string>, also: Iterable<string> = []) {
    this.#missing = new Set(paths)
    this.#wanted = new Set([...this.#missing, ...also])
  }

  /**
   * Takes the next files of the diff.
   * @returns whether all wanted files were found
   */
  add(files: Iterable<FileDiff>): boolean {
    for (const file of files) {
      const { old_path, new_path } = file
      // A comment is sent with both paths, and with digests of them, so very long paths are skipped.
      if (isTooLong(old_path) || isTooLong(new_path)) continue
      this.#keep(this.#byNew, new_path, file)
      this.#keep(this.#byOld, old_path, file)
      if (typeof new_path !== 'string') continue
      this.#count++
      if (this.#first.length < MAX_NAMED) this.#first.push(new_path)
    }
    return this.#missing.size === 0
  }

  #keep(found: Map<string, FileDiff>, path: string, file: FileDiff): void {
    if (!this.#wanted.has(path) || found.has(path)) return
    found.set(path, file)
    this.#missing.delete(path)
  }

  /**
   * A wanted file by its path.
   * @returns undefined if the diff has no file of that path
   */
  get(path: string): FileDiff | undefined {
    return this.#byNew.get(path) ?? this.#byOld.get(path)
  }

  /** The first changed files in quotes, and the number of the others, for use in a sentence. */
  names(): string {
    const more = this.#count > MAX_NAMED ? ` and ${this.#count - MAX_NAMED} more` : ''
    this.#quoted ??= this.#first.map(quotedName).join(', ') || 'no files'
    return `${this.#quoted}${more}`
  }
}

const isTooLong = (path: unknown): boolean => typeof path === 'string' && path.length > MAX_PATH
