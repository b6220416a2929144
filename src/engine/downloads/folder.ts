import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, realpath, rename, rm, rmdir } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import { ArgumentError, CallProblem } from '../../results/problem.ts'
import { visibleSource } from '../../results/visible.ts'
import { namesake, PART } from './archive-name.ts'
import { begun } from './begun.ts'
import { isFull, lackingIn, makingRoom, type OnDisk } from './full-disk.ts'
import { type DownloadLedger, MAX_FOLDERS, type Writing } from './ledger.ts'
import { Stoppable } from './stoppable.ts'
import { writeAll } from './write-all.ts'

/*
 * The only place where a caller can create a file on this machine. A caller may be anybody whose token the forge
 * accepts. So all files are below one folder, and each caller's files are in a folder of their own within it: callers
 * can neither access each other's files nor learn of them.
 */

interface SavedFile {
  /**
   * Relative to the folder that callers share, whose location is not disclosed. Absolute if the folder belongs to one
   * person.
   */
  readonly path: string
  /** Bytes. */
  readonly size: number
}

/**
 * Flags that fail if the file exists, and do not follow a link as the last component; Windows has no flag for the
 * latter.
 */
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)

/** Most folders below each other that a caller may request. */
const MAX_COMPONENTS = MAX_FOLDERS - 1

/** Most files of one name in a folder: nobody downloads the same job that often on purpose. */
const MAX_NAMESAKES = 100

/** Most attempts to create the folders: each of them may disappear once, when another file is removed. */
const MAX_TRIES = MAX_COMPONENTS + 2

/** Called with disk errors that the caller cannot fix. */
export type OnDiskTrouble = (error: NodeJS.ErrnoException) => void

interface FolderPlace {
  /** FORGE_DOWNLOAD_DIR; empty means the working directory. */
  readonly root: string
  readonly now: () => number
  readonly onTrouble: OnDiskTrouble | undefined
  /** Called when the disk was full and an older file was removed to make room. */
  readonly onFull: OnDiskTrouble | undefined
  /** Runs the caller's work on the disk, one piece at a time, when it is the caller's turn. */
  readonly turn: OnDisk
  /** Set if callers share the root. */
  readonly shared?: {
    readonly ledger: DownloadLedger
    /** Identifies the caller in the ledger. */
    readonly owner: string
    /** The caller's address, for the ledger. */
    readonly from: string | undefined
    /** The name of the caller's own folder. */
    readonly name: string
  }
}

/** The download folder of one caller. */
export class DownloadFolder {
  readonly #place: FolderPlace
  readonly #turn: OnDisk

  constructor(place: FolderPlace) {
    this.#place = place
    this.#turn = place.turn
  }

  /**
   * Refuses a folder that could lie outside, before any request or write.
   * @param argument the argument's name, for messages
   * @returns its components
   * @throws ArgumentError
   */
  static componentsOf(argument: string, folder: string): readonly string[] {
    if (/[\u0000-\u001f\u007f\\:]/.test(folder))
      throw new ArgumentError(
        argument,
        'has a control character, a backslash or a colon; folders are separated by /'
      )
    // Results are shown without such characters, so the path in the result would lead nowhere.
    if (visibleSource(folder) !== folder)
      throw new ArgumentError(argument, 'has characters that nobody sees: leave them out')
    if (folder.startsWith('/') || folder.startsWith('~'))
      throw new ArgumentError(argument, 'must be relative: it lies below the download folder of the server')
    const components = folder.split('/').filter(component => component !== '' && component !== '.')
    if (components.includes('..')) throw new ArgumentError(argument, 'must not contain ".."')
    if (components.length > MAX_COMPONENTS)
      throw new ArgumentError(argument, `must have at most ${MAX_COMPONENTS} folders`)
    return components
  }

  /**
   * Writes a new file as its bytes arrive, and creates missing folders. If anything fails, no part of the file is left
   * behind. If callers share the folder, older files are removed to make room.
   * @param components of the folder below the caller's own, from componentsOf
   * @param name of the file, from archiveName
   * @throws CallProblem if the folder cannot be written to or has no room, and what `bytes` throws
   */
  async save(
    components: readonly string[],
    name: string,
    bytes: AsyncIterable<Uint8Array>
  ): Promise<SavedFile> {
    try {
      return await this.#save(components, name, bytes)
    } catch (error) {
      // An invalid answer of the forge may have a disk error as its cause, too.
      const cause = error instanceof CallProblem ? error.cause : undefined
      if (isDiskTrouble(cause)) this.#place.onTrouble?.(cause)
      throw error
    }
  }

  async #save(
    components: readonly string[],
    name: string,
    bytes: AsyncIterable<Uint8Array>
  ): Promise<SavedFile> {
    const { shared } = this.#place
    // A download that never begins would occupy folders, and a place in the ledger that frees nothing when it has to
    // make room.
    const { first, all } = await begun(bytes)
    const size = first?.length ?? 0
    if (shared === undefined) return this.#write(components, name, all, uncounted)
    const coming = new Stoppable(all)
    let over = (): void => {}
    const ended = new Promise<void>(resolve => {
      over = resolve
    })
    const writing = shared.ledger.begin(
      shared.owner,
      shared.from,
      problem => {
        coming.stop(problem)
        return ended
      },
      components.length + 1
    )
    const walked: string[] = []
    try {
      await writing.grow(size)
      return await this.#write([shared.name, ...components], name, coming, writing, walked)
    } catch (error) {
      // Empty folders are not counted by any limit: a caller who aborts each download could otherwise leave any number
      // of them.
      for (const folder of walked.reverse()) await this.#turn(() => rmdir(folder)).catch(() => undefined)
      // To make room, `grow` removes older files, which it may not reach.
      throw isSystemError(error) ? unwritable(error, 'FORGE_DOWNLOAD_DIR') : error
    } finally {
      writing.leave()
      over()
    }
  }

  /** @param walked collects the folders on the way, the outermost first */
  async #write(
    folders: readonly string[],
    name: string,
    bytes: AsyncIterable<Uint8Array>,
    writing: Omit<Writing, 'leave'>,
    walked: string[] = []
  ): Promise<SavedFile> {
    const lacking = () => this.#turn(() => lackingIn(this.#root))
    const room = makingRoom(writing, lacking, this.#place.onFull)
    // A piece of work that must make room needs separate turns for that.
    const onDisk: OnDisk = work => room(() => this.#turn(work))
    const { file, path } = await this.#open(folders, name, onDisk, walked)
    const part = path + PART
    const shown = this.#shown(folders, path)
    let written = part
    try {
      // A folder may have been replaced by a link since it was checked.
      if ((await this.#turn(() => realpath(part))) !== part)
        throw new CallProblem(`${shown} is reached through a link.`)
      const size = await writeAll(file, bytes, writing, onDisk)
      await onDisk(() => rename(part, path))
      written = path
      writing.keep({ path, size, since: this.#place.now() })
      return { path: shown, size }
    } catch (error) {
      await this.#turn(() => rm(written, { force: true }))
      throw isSystemError(error) ? unwritable(error, shown) : error
    } finally {
      await this.#turn(() => file.close())
    }
  }

  /** @param walked as in #write */
  async #open(
    folders: readonly string[],
    name: string,
    onDisk: OnDisk,
    walked: string[]
  ): Promise<{ file: FileHandle; path: string }> {
    for (let tries = 1; ; tries++)
      try {
        return await this.#begin(await this.#folder(folders, onDisk, walked), name, onDisk)
      } catch (error) {
        const cause = error instanceof CallProblem ? error.cause : error
        // A folder that was still empty was removed together with another file.
        if (!isSystemError(cause) || cause.code !== 'ENOENT' || tries === MAX_TRIES) throw error
        walked.length = 0
      }
  }

  /** Creates a file with that name or, if the name is taken, with a number added. */
  async #begin(folder: string, name: string, onDisk: OnDisk): Promise<{ file: FileHandle; path: string }> {
    for (let at = 1; at <= MAX_NAMESAKES; at++) {
      const path = join(folder, at === 1 ? name : namesake(name, at))
      const file = await onDisk(() => open(path + PART, CREATE, 0o600)).catch(error => {
        if (error.code !== 'EEXIST') throw unwritable(error, basename(path))
      })
      if (file === undefined) continue
      // The check comes after `open`, so that no other download can be about to give its file this name.
      if (!(await this.#turn(() => isThere(path)))) return { file, path }
      await this.#turn(() => file.close())
      await this.#turn(() => rm(path + PART, { force: true }))
    }
    throw new CallProblem(`There are ${MAX_NAMESAKES} files of ${name} already. Choose another local_path.`)
  }

  get #root(): string {
    return this.#place.root || process.cwd()
  }

  #shown(folders: readonly string[], path: string): string {
    return this.#place.shared === undefined ? path : [...folders, basename(path)].join('/')
  }

  /**
   * Creates the folder, and checks that every component is a real folder.
   * @param walked collects the path of each component
   * @returns its path
   */
  async #folder(components: readonly string[], onDisk: OnDisk, walked: string[]): Promise<string> {
    let shown = ''
    let path = await this.#turn(() => realpath(this.#root)).catch(error => {
      throw unwritable(error, 'FORGE_DOWNLOAD_DIR')
    })
    for (const component of components) {
      path = path.endsWith(sep) ? `${path}${component}` : join(path, component)
      shown = shown === '' ? component : `${shown}/${component}`
      await onDisk(() => mkdir(path, 0o700)).catch(error => {
        if (error.code !== 'EEXIST') throw unwritable(error, shown)
      })
      const target = path
      const found = await this.#turn(() => lstat(target))
      if (!found.isDirectory())
        throw new CallProblem(`${shown} is not a folder, or is a link. Choose another.`)
      walked.push(path)
    }
    return path
  }
}

/** A folder of one person has no limits, and none of its files is removed to make room. */
const uncounted = { grow: async () => {}, makeRoom: async () => false, keep() {} }

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false
  )

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error

/** Whether the disk failed. A name that is too long is not its fault: the caller can correct it. */
export const isDiskTrouble = (error: unknown): error is NodeJS.ErrnoException =>
  isSystemError(error) && error.code !== 'ENAMETOOLONG'

function unwritable(error: NodeJS.ErrnoException, path: string): CallProblem {
  const says = isFull(error)
    ? 'The disk of the server is full. Nothing was kept.'
    : `${path} cannot be written (${error.code}): the server's operator can change that.`
  return new CallProblem(says, { cause: error })
}
