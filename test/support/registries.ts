import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { quietly, run } from './program.ts'

/*
 * Packages of others, installed from their own registries when a run needs them. Each release gets a folder of its own
 * that git ignores. All functions throw Unavailable if the toolchain or the registry is missing.
 */

/** The folder that keeps them between runs. */
export const brought = fileURLToPath(new URL('../../node_modules/.cache/brought/', import.meta.url))

/** Milliseconds that an installation may take; a minute is usual. */
const PATIENCE_MS = 240_000

/**
 * A folder that `make` fills once.
 * @returns its path
 */
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

/**
 * A package of npm with its dependencies.
 * @returns the folder whose node_modules contains it
 */
export const fromNpm = (name: string, version: string): Promise<string> =>
  folderOf(`npm-${name}-${version}`, async folder => {
    await writeFile(join(folder, 'package.json'), '{"private":true}')
    await run('npm', ['install', '--no-audit', '--no-fund', ...quietly, `${name}@${version}`], {
      cwd: folder,
      patience: PATIENCE_MS
    })
  })

/**
 * A package of the Python registry, in an environment of its own.
 * @returns that environment's Python
 */
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

/** The environment for programs that are built from Go modules. It does not depend on the machine. */
export const goEnvironment = { ...process.env, GOFLAGS: '-buildvcs=false', GOTOOLCHAIN: 'local' }
