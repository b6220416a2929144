import { hash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, realpath, rm } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { ArgumentError, CallProblem } from './problem.ts'

/*
 * The one place where a caller's wish becomes a file on this machine. A caller may be anybody whose token
 * the forge accepts, so everything stays below one folder, and each caller's files in a folder of its own in it:
 * callers neither meet each other's files nor learn of them.
 */

export interface SavedFile {
  /** Below FORGE_DOWNLOAD_DIR: where that lies is not a caller's business. */
  readonly path: string
  /** Bytes. */
  readonly size: number
}

/** Exclusive, and the last component is no link; the flag for links is missing on Windows. */
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)

/** Deepest folder a caller may ask for. */
const MAX_COMPONENTS = 10

/** A caller's folder in FORGE_DOWNLOAD_DIR, and how files get below it. */
export class DownloadFolder {
  readonly #root: string
  readonly #owner: string

  /**
   * @param root FORGE_DOWNLOAD_DIR; empty means the working directory
   * @param owner what tells the caller and its forge from others; only a digest of it is shown
   */
  constructor(root: string, owner: string) {
    this.#root = root
    this.#owner = owner
  }

  /** Equal on every replica and after a restart, so that a caller's files stay together. */
  static nameFor(owner: string): string {
    return hash('sha256', `forge-tool-server downloads\n${owner}`, 'hex').slice(0, 16)
  }

  /**
   * Refuses a folder that could lie outside, before anything is asked for or written.
   * @param argument the argument's name, for messages
   * @returns its components
   * @throws ArgumentError
   */
  static componentsOf(argument: string, folder: string): readonly string[] {
    if (/[\u0000-\u001f\u007f\\:]/.test(folder))
      throw new ArgumentError(argument, 'has a control character, a backslash or a colon')
    if (folder.startsWith('/') || folder.startsWith('~'))
      throw new ArgumentError(argument, 'must be relative: it lies below the download folder of the server')
    const components = folder.split('/').filter(component => component !== '' && component !== '.')
    if (components.includes('..')) throw new ArgumentError(argument, 'must not contain ".."')
    if (components.length > MAX_COMPONENTS)
      throw new ArgumentError(argument, `must have at most ${MAX_COMPONENTS} folders`)
    return components
  }

  /**
   * Writes a new file as its bytes arrive; missing folders are made. Whatever goes wrong, no part of it is
   * left behind.
   * @param components of the folder below the caller's own, as of componentsOf
   * @param name of the file, from this service and not from a caller
   * @throws CallProblem when the place cannot be written to, and what `bytes` throws
   */
  async save(
    components: readonly string[],
    name: string,
    bytes: AsyncIterable<Uint8Array>
  ): Promise<SavedFile> {
    const folders = [DownloadFolder.nameFor(this.#owner), ...components]
    const path = join(await this.#folder(folders), name)
    const shown = [...folders, name].join('/')
    const file = await open(path, CREATE, 0o600).catch(error => {
      throw unwritable(error, shown)
    })
    try {
      // A folder may have been replaced by a link since it was looked at.
      if ((await realpath(path)) !== path) throw new CallProblem(`${shown} is reached through a link.`)
      return { path: shown, size: await writeAll(file, bytes) }
    } catch (error) {
      await rm(path, { force: true })
      throw isSystemError(error) ? unwritable(error, shown) : error
    } finally {
      await file.close()
    }
  }

  /** The folder's path, every component a real folder. */
  async #folder(components: readonly string[]): Promise<string> {
    let shown = ''
    let path = await realpath(this.#root === '' ? process.cwd() : this.#root).catch(error => {
      throw unwritable(error, 'FORGE_DOWNLOAD_DIR')
    })
    for (const component of components) {
      path = path.endsWith(sep) ? `${path}${component}` : join(path, component)
      shown = shown === '' ? component : `${shown}/${component}`
      await mkdir(path, 0o700).catch(error => {
        if (error.code !== 'EEXIST') throw unwritable(error, shown)
      })
      const found = await lstat(path)
      if (!found.isDirectory())
        throw new CallProblem(`${shown} is not a folder, or is a link. Choose another.`)
    }
    return path
  }
}

async function writeAll(file: FileHandle, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten
    size += chunk.length
  }
  return size
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error

function unwritable(error: NodeJS.ErrnoException, path: string): CallProblem {
  if (error.code === 'EEXIST')
    return new CallProblem(`${path} exists already and is not overwritten. Choose another local_path.`)
  if (error.code === 'ENOSPC') return new CallProblem('The disk of the server is full. Nothing was kept.')
  return new CallProblem(`${path} cannot be written (${error.code}): the server's operator can change that.`)
}
