import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { quietly, run } from './program.ts'

/*
 * What others publish, brought by its own registry when a run wants it, each release into a folder of its own that
 * git does not see. All throw Unavailable where the toolchain or the registry is not there.
 */

/** Where it is kept between runs. */
export const brought = fileURLToPath(new URL('../../node_modules/.cache/brought/', import.meta.url))

/** Longest that an installation may take, in milliseconds; a minute is usual. */
const PATIENCE_MS = 240_000

/** A folder that `make` fills once. @returns its path */
export async function folderOf(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(brought, name.replace(/[@/]+/g, '-'))
  const isDone = join(folder, '.done')
  if (!existsSync(isDone)) {
    await mkdir(folder, { recursive: true })
    await make(folder)
    await writeFile(isDone, '')
  }
  return folder
}

/** A package of npm with what it needs. @returns the folder whose node_modules has it */
export const fromNpm = (name: string, version: string): Promise<string> =>
  folderOf(`npm-${name}-${version}`, async folder => {
    await writeFile(join(folder, 'package.json'), '{"private":true}')
    await run('npm', ['install', '--no-audit', '--no-fund', ...quietly, `${name}@${version}`], {
      cwd: folder,
      patience: PATIENCE_MS
    })
  })

/** A package of the Python registry in an environment of its own. @returns that environment's Python */
export async function fromPyPI(name: string, version: string): Promise<string> {
  const folder = await folderOf(`pypi-${name}-${version}`, async folder => {
    await run('python3', ['-m', 'venv', '--clear', folder])
    const what = `${name}==${version}`
    await run(join(folder, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', what], {
      patience: PATIENCE_MS
    })
  })
  return join(folder, 'bin/python')
}

/** Of programs that are built from Go modules: nothing of the machine decides how. */
export const goEnvironment = { ...process.env, GOFLAGS: '-buildvcs=false', GOTOOLCHAIN: 'local' }
